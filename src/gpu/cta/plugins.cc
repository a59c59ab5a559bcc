#include "gpu/cta/plugins.h"

#include "gpu/cta/catalogue.h"
#include "gpu/gpu_plugins.h"

namespace heddle::gpu {

CtaPlugins::CtaPlugins(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    load_plugin(
        {sched::kCtaPluginAbi, "heddle_plugin_cta_schedulers", kCtaSchedulerKind}, file,
        [this] { return list_cta_policies(*this); }, entries_);
}

}  // namespace heddle::gpu
