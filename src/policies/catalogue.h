// The policies of a kind: those of its catalogue, then those of plug-ins (--plugin). A text is
// "name" or "name:key=value,key=value". E: the entry of the kind (entry.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "policies/plugin_file.h"
#include "policies/policy_info.h"

namespace heddle::policies {

template <class E>
class Plugins {
 public:
  Plugins() = default;
  // Loads the files. They stay loaded until the process ends, because objects of their classes may
  // outlive this object. UserError when a file is missing, is no plug-in, was built with other
  // headers, or names a policy that exists already. A plug-in without such policies adds none.
  explicit Plugins(const std::vector<std::string>& files) {
    for (const std::string& file : files) load(file);
  }
  const std::vector<E>& entries() const { return entries_; }

  template <class Use>
  void for_each(Use use) const {
    for (const E& entry : E::catalogue()) use(entry);
    for (const E& entry : entries_) use(entry);
  }

 private:
  void load(const std::string& name) {
    const PluginFile file(name);
    if (!file.has(E::kind.abi_symbol)) return;
    for (E& entry : file.entries<E>(E::kind.abi_symbol, E::kind.list_symbol)) {
      file.require_valid_name(entry.name, E::kind.name);
      for_each(
          [&](const E& known) { file.require_other_name(known.name, entry.name, E::kind.name); });
      guard(entry, name);  // declared by the kind, beside its list (plugin_call.h)
      entries_.push_back(std::move(entry));
    }
  }
  std::vector<E> entries_;
};

template <class E>
std::vector<PolicyInfo> list_policies(const Plugins<E>& plugins = {}) {
  std::vector<PolicyInfo> infos;
  plugins.for_each([&](const E& entry) { infos.push_back(entry.info()); });
  return infos;
}

// A policy that a text names, and the text of its parameters.
template <class E>
struct Named {
  const E* entry;
  std::string_view options;
};

// UserError for an unknown name, with the nearest names.
template <class E>
Named<E> find_policy(std::string_view text, const Plugins<E>& plugins) {
  const std::size_t colon = text.find(':');
  const std::string name{text.substr(0, colon)}, kind = E::kind.name;
  Named<E> found{nullptr, {}};
  std::vector<std::string> names;
  plugins.for_each([&](const E& entry) {
    names.push_back(entry.name);
    if (entry.name == name) found.entry = &entry;
  });
  if (!found.entry) {
    std::string all;
    for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
    throw UserError("unknown " + kind + " \"" + name + "\"" + did_you_mean(name, names) + "\n  " +
                    E::kind.plural + ": " + all);
  }
  if (colon == std::string_view::npos) return found;
  found.options = text.substr(colon + 1);
  if (found.options.empty())
    throw UserError(kind + " " + name + ": expected parameter=value after the colon");
  return found;
}

// UserError for an unknown name, an unknown parameter, or a value out of range.
template <class E>
auto parse(std::string_view text, const Plugins<E>& plugins = {}) {
  const Named<E> policy = find_policy(text, plugins);
  return policy.entry->parse(policy.options);
}

}  // namespace heddle::policies
