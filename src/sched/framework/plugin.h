// What a policy outside the tree includes. Its source ends with the functions that describe its
// policies:
//
//   HEDDLE_PLUGIN(bounded_greed)        // PolicyEntry bounded_greed();
//
// Built as a shared object against these headers, it is loaded with `--plugin FILE`. Policies are
// C++ objects, so headers, compiler family and C++ library must be those of Heddle; the headers are
// checked when the file is loaded.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin_abi.h"
#include "sched/framework/policy_entry.h"

#define HEDDLE_PLUGIN(...)                                                                 \
  extern "C" __attribute__((visibility("default"))) const std::uint32_t heddle_plugin_abi; \
  const std::uint32_t heddle_plugin_abi = heddle::sched::kPluginAbi;                       \
  extern "C" __attribute__((visibility("default"))) void heddle_plugin_policies(           \
      std::vector<heddle::sched::PolicyEntry>& into) {                                     \
    for (heddle::sched::PolicyEntry(*const describe)() : {__VA_ARGS__})                    \
      into.push_back(describe());                                                          \
  }
