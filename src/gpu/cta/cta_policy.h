// A parsed text of --cta-scheduler, and the context in which it builds its scheduler.
#pragma once

#include <cstdint>

#include "gpu/cta/cta_scheduler.h"
#include "policies/entry.h"

namespace heddle::gpu {

inline constexpr const char* kDefaultCtaScheduler = "rr";

struct CtaContext {
  SmLayout layout;
  bool skips_clusters = false;  // the GPU's cta_placement is skipping_clusters: what rr does
  // The value of --seed. A policy that draws random numbers uses no other source.
  std::uint64_t seed = 1;
};

using CtaPolicy = policies::Policy<CtaScheduler, CtaContext>;

}  // namespace heddle::gpu
