// When an SM stands still: without CTAs, from the cycle in which the last CTA of all kernels starts
// until the next kernel begins (GPGPU-Sim: gpgpu_sim::cycle() skips such a cluster).
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::sm {

class Standstill {
 public:
  // A kernel's cycle 0 is `at`. Returns the cycles for which the SM has stood still; modulo 2^64,
  // because a kernel may begin in the last cycle of the one before.
  std::uint64_t kernel_began(int kernel, Cycle at) {
    const bool ends = stands_ && starting_.empty();
    starting_.push_back(kernel);
    if (!ends) return 0;
    stands_ = false;
    return at.value - since_.value;
  }
  // A kernel's last CTA starts in the cycle `at`, here or elsewhere, or the kernel ends: one whose
  // last CTAs are not timed may end without a last start. Only the first call counts.
  void last_cta_starts(int kernel, Cycle at, bool has_ctas) {
    if (std::erase(starting_, kernel) > 0 && !has_ctas) without_ctas(at);
  }
  // From the cycle `at` on, the SM has no CTAs.
  void without_ctas(Cycle at) {
    if (stands_ || !starting_.empty()) return;
    stands_ = true;
    since_ = at;
  }

 private:
  std::vector<int> starting_;  // kernels with CTAs left to start
  bool stands_ = true;
  Cycle since_;
};

}  // namespace heddle::sm
