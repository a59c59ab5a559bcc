#include "gpu/cta/plugins.h"

#include "gpu/cta/catalogue.h"
#include "gpu/cta/plugin.h"
#include "sched/framework/plugin_file.h"

namespace heddle::gpu {

CtaPlugins::CtaPlugins(const std::vector<std::string>& files) {
  for (const std::string& name : files) {
    const sched::PluginFile file(name);
    if (!file.has(sched::kCtaPluginAbi)) {
      file.require_abi(sched::kWarpPluginAbi);  // refuses what is no plug-in at all
      continue;
    }
    for (CtaEntry& entry :
         file.entries<CtaEntry>(sched::kCtaPluginAbi, "heddle_plugin_cta_schedulers")) {
      file.require_valid_name(entry.name, kCtaSchedulerKind);
      for (const sched::PolicyInfo& known : list_cta_policies(*this))
        file.require_other_name(known.name, entry.name, kCtaSchedulerKind);
      entries_.push_back(std::move(entry));
    }
  }
}

}  // namespace heddle::gpu
