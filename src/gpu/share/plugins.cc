#include "gpu/share/plugins.h"

#include "gpu/gpu_plugins.h"
#include "gpu/share/catalogue.h"

namespace heddle::gpu {

SharePlugins::SharePlugins(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    load_plugin(
        {sched::kSharePluginAbi, "heddle_plugin_share_policies", kSharePolicyKind}, file,
        [this] { return list_share_policies(*this); }, entries_);
}

}  // namespace heddle::gpu
