// Divides the resources of an SM between the CTAs of several kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "config/gpu_spec.h"
#include "sm/warp/kernel_context.h"

namespace heddle::gpu {

// Registers, shared memory, warps and CTA slots.
using Resources = std::array<std::uint64_t, 4>;

inline Resources resources_of(const config::SmSpec& sm) {
  return {sm.registers, sm.shared_bytes, sm.max_warps(), sm.max_ctas};
}
inline Resources resources_of(const sm::CtaResources& cta) {
  return {cta.registers, cta.shared_bytes, static_cast<std::uint64_t>(cta.warps), 1};
}
// How many CTAs fit.
inline std::uint64_t ctas_in(const Resources& available, const Resources& cta) {
  std::uint64_t ctas = ~std::uint64_t{0};
  for (std::size_t i = 0; i < available.size(); ++i)
    if (cta[i] > 0) ctas = std::min(ctas, available[i] / cta[i]);
  return ctas;
}
inline void take(Resources& available, const Resources& cta) {
  for (std::size_t i = 0; i < available.size(); ++i) available[i] -= cta[i];
}
// The largest share of a resource that so many CTAs occupy.
inline double dominant_share(const Resources& whole, const Resources& cta, int ctas) {
  double share = 0;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole[i] > 0)
      share = std::max(share, static_cast<double>(cta[i]) * ctas / static_cast<double>(whole[i]));
  return share;
}

}  // namespace heddle::gpu
