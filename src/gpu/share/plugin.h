// The header that a share policy outside the tree (a plug-in) includes. The source ends with the
// list of the functions that describe its share policies:
//
//   HEDDLE_SHARE_PLUGIN(weighted)        // ShareEntry weighted();
//
// What sched/framework/plugin.h says of building and loading holds here too. A plug-in may use
// several of these macros.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/share/share_entry.h"
#include "plugin_abi.h"

#define HEDDLE_SHARE_PLUGIN(...)                                                                 \
  extern "C" __attribute__((visibility("default"))) const std::uint32_t heddle_share_plugin_abi; \
  const std::uint32_t heddle_share_plugin_abi = heddle::policies::kPluginAbi;                    \
  extern "C" __attribute__((visibility("default"))) void heddle_plugin_share_policies(           \
      std::vector<heddle::gpu::ShareEntry>& into) {                                              \
    for (heddle::gpu::ShareEntry(*const describe)() : {__VA_ARGS__}) into.push_back(describe()); \
  }
