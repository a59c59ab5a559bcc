// How the SMs are divided into GPCs, whose CTAs may form clusters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/gpu_spec.h"

namespace heddle::gpu {

class Gpcs {
 public:
  explicit Gpcs(const config::GpuSpec& spec)
      : sms_(spec.sms()), count_(spec.cluster_network.gpcs) {}

  std::size_t count() const { return count_; }
  // The SMs of a GPC are those from first(g) to first(g + 1) - 1. Pairs of SMs (TPCs) are divided
  // evenly.
  std::size_t first(std::size_t gpc) const {
    const std::size_t unit = sms_ % 2 == 0 ? 2 : 1;
    return sms_ / unit * gpc / count_ * unit;
  }
  std::size_t of(std::size_t sm) const {
    std::size_t gpc = 0;
    while (first(gpc + 1) <= sm) ++gpc;
    return gpc;
  }
  // The GPCs hold so many clusters when each SM holds so many CTAs.
  std::uint64_t clusters(std::uint64_t ctas_per_sm, std::uint64_t ctas_of_cluster) const {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < count_; ++g)
      sum += (first(g + 1) - first(g)) * ctas_per_sm / ctas_of_cluster;
    return sum;
  }

 private:
  std::size_t sms_, count_;
};

}  // namespace heddle::gpu
