// Policies from shared objects (--plugin), beside those of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "sched/framework/policy_entry.h"

namespace heddle::sched {

class Plugins {
 public:
  Plugins() = default;
  // Loads the files, which stay loaded until the process ends: objects of their classes may outlive
  // this one. UserError when a file is missing, is no plug-in, was built against other headers, or
  // names a policy that there is already.
  explicit Plugins(const std::vector<std::string>& files);
  const std::vector<PolicyEntry>& entries() const { return entries_; }

 private:
  void load(const std::string& file);
  std::vector<PolicyEntry> entries_;
};

// As in catalogue.h, with the plug-ins' policies beside the catalogue's.
std::shared_ptr<const Policy> parse_policy(const std::string& text, const Plugins& plugins);
std::vector<PolicyInfo> list_policies(const Plugins& plugins);

}  // namespace heddle::sched
