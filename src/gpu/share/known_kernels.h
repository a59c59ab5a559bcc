// What a share policy has measured of kernels, kept for their next launches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gpu/share/share_scheduler.h"

namespace heddle::gpu {

template <class Measurement>
class KnownKernels {
 public:
  // Null: the kernel has not been measured. A program that begins anew has the same kernels.
  const Measurement* find(const SharedKernel& kernel) const {
    const auto known = known_.find({kernel.program, kernel.name});
    return known == known_.end() ? nullptr : &known->second;
  }
  void set(const SharedKernel& kernel, Measurement measurement) {
    known_.insert_or_assign({kernel.program, kernel.name}, std::move(measurement));
  }

 private:
  std::map<std::pair<std::uint32_t, std::string>, Measurement> known_;
};

}  // namespace heddle::gpu
