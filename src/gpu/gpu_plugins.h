// Loads the policies of the GPU, CTA schedulers and share policies, from a plug-in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sched/framework/plugin_file.h"
#include "sched/framework/policy_info.h"

namespace heddle::gpu {

// A kind of policy: the symbols that a plug-in with such policies defines, and what messages call
// it.
struct PluginKind {
  const char *abi, *list, *kind;
};

// Appends the file's policies of the kind to `entries`. known: lists the policies that exist, with
// those of `entries`. UserError for a file that is no plug-in or has a name that exists.
template <class Entry, class Known>
void load_plugin(const PluginKind& kind, const std::string& name, const Known& known,
                 std::vector<Entry>& entries) {
  const sched::PluginFile file(name);
  file.require_plugin();
  if (!file.has(kind.abi)) return;
  for (Entry& entry : file.entries<Entry>(kind.abi, kind.list)) {
    file.require_valid_name(entry.name, kind.kind);
    for (const sched::PolicyInfo& other : known())
      file.require_other_name(other.name, entry.name, kind.kind);
    entries.push_back(std::move(entry));
  }
}

}  // namespace heddle::gpu
