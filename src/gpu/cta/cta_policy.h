// A parsed text of --cta-scheduler, and the context in which it builds its scheduler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/cta/cta_scheduler.h"

namespace heddle::gpu {

inline constexpr const char* kDefaultCtaScheduler = "rr";

struct CtaContext {
  SmLayout layout;
  bool skips_clusters = false;  // the GPU's cta_placement is skipping_clusters: what rr does
  // The value of --seed. A policy that draws random numbers uses no other source.
  std::uint64_t seed = 1;
};

// Immutable. build() makes one object per GPU.
class CtaPolicy {
 public:
  virtual ~CtaPolicy() = default;
  // Canonical: only the parameters that differ from their defaults, in declared order.
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<CtaScheduler> build(const CtaContext& context) const = 0;
};

}  // namespace heddle::gpu
