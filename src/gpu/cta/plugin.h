// The header that a CTA scheduler outside the tree (a plug-in) includes. The source ends with the
// list of the functions that describe its CTA schedulers:
//
//   HEDDLE_CTA_PLUGIN(checkerboard)        // CtaEntry checkerboard();
//
// What sched/framework/plugin.h says of building and loading holds here too. A plug-in may use
// both macros.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/cta/cta_entry.h"
#include "plugin_abi.h"

#define HEDDLE_CTA_PLUGIN(...)                                                                 \
  extern "C" __attribute__((visibility("default"))) const std::uint32_t heddle_cta_plugin_abi; \
  const std::uint32_t heddle_cta_plugin_abi = heddle::policies::kPluginAbi;                    \
  extern "C" __attribute__((visibility("default"))) void heddle_plugin_cta_schedulers(         \
      std::vector<heddle::gpu::CtaEntry>& into) {                                              \
    for (heddle::gpu::CtaEntry(*const describe)() : {__VA_ARGS__}) into.push_back(describe()); \
  }
