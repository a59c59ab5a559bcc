#include "sched/framework/plugins.h"

#include <utility>

#include "sched/catalogue.h"
#include "sched/framework/plugin_file.h"

namespace heddle::sched {

Plugins::Plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) load(file);
}

void Plugins::load(const std::string& name) {
  constexpr const char* kKind = "scheduler";
  const PluginFile file(name);
  file.require_plugin();
  if (!file.has(kWarpPluginAbi)) return;  // it holds policies of the GPU only
  for (PolicyEntry& entry : file.entries<PolicyEntry>(kWarpPluginAbi, "heddle_plugin_policies")) {
    file.require_valid_name(entry.name, kKind);
    for (const PolicyInfo& known : list_policies(*this))
      file.require_other_name(known.name, entry.name, kKind);
    entries_.push_back(std::move(entry));
  }
}

}  // namespace heddle::sched
