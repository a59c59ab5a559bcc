// The header that a policy outside the tree (a plug-in) includes. The source ends with the list of
// the functions that describe its policies:
//
//   HEDDLE_PLUGIN(bounded_greed)        // PolicyEntry bounded_greed();
//
// A plug-in is a shared object that `--plugin FILE` loads. Policies are C++ objects: the plug-in
// must be built with Heddle's headers, compiler family and C++ library. The headers are compared
// when the plug-in is loaded.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin_abi.h"
#include "sched/framework/policy_entry.h"

#define HEDDLE_PLUGIN(...)                                                                 \
  extern "C" __attribute__((visibility("default"))) const std::uint32_t heddle_plugin_abi; \
  const std::uint32_t heddle_plugin_abi = heddle::policies::kPluginAbi;                    \
  extern "C" __attribute__((visibility("default"))) void heddle_plugin_policies(           \
      std::vector<heddle::sched::PolicyEntry>& into) {                                     \
    for (heddle::sched::PolicyEntry(*const describe)() : {__VA_ARGS__})                    \
      into.push_back(describe());                                                          \
  }
