// Policies from shared objects (--plugin), in addition to those of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "sched/framework/policy_entry.h"

namespace heddle::sched {

class Plugins {
 public:
  Plugins() = default;
  // Loads the files. They stay loaded until the process ends, because objects of their classes may
  // outlive this object. UserError when a file is missing, is no plug-in, was built with other
  // headers, or names a policy that exists already.
  explicit Plugins(const std::vector<std::string>& files);
  const std::vector<PolicyEntry>& entries() const { return entries_; }

 private:
  void load(const std::string& file);
  std::vector<PolicyEntry> entries_;
};

}  // namespace heddle::sched
