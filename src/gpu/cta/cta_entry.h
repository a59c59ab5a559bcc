// The catalogue's entry of a CTA scheduler (gpu/gpu_policy.h).
#pragma once

#include <string>
#include <utility>

#include "gpu/cta/cta_policy.h"

namespace heddle::gpu {

// What messages call it.
inline constexpr const char* kCtaSchedulerKind = "CTA scheduler";

using CtaEntry = GpuPolicyEntry<CtaScheduler, CtaContext>;

template <class P>
CtaEntry cta_scheduler(std::string name, std::string title, std::string paper) {
  return describe_policy<P, CtaScheduler, CtaContext>(kCtaSchedulerKind, std::move(name),
                                                      std::move(title), std::move(paper));
}

}  // namespace heddle::gpu
