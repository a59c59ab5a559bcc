// Counters of a policy, apart for each kernel that runs on the GPU. An event counts for the kernel
// of the warp that it concerns: an issue for that of the warp that issues, a veto for that of the
// warp that may not issue. Events of the whole SM concern no kernel; a policy counts them in a
// plain struct (policy_report.h).
#pragma once

#include <cstddef>
#include <vector>

#include "base/types.h"
#include "stats/fields.h"
#include "stats/flatten.h"

namespace heddle::sm {

template <class S>
class KernelCounters {
 public:
  // kernel: its number among those that run.
  S& of(int kernel) {
    if (kernel == 0) [[likely]]
      return first_;
    const auto i = static_cast<std::size_t>(kernel) - 1;
    if (i >= others_.size()) others_.resize(i + 1);
    return others_[i];
  }
  // Counts each of the warps for its kernel. view: an IssueView.
  template <class View>
  void add(const View& view, WarpMask warps, std::uint64_t S::* counter) {
    if (warps.none()) return;
    if (!view.several_kernels) [[likely]]
      of(view.kernel_of(warps.lowest())).*counter += static_cast<std::uint64_t>(warps.count());
    else
      warps.for_each([&](WarpSlot w) { ++(of(view.kernel_of(w)).*counter); });
  }
  S sum() const {
    S all = first_;
    for (const S& other : others_) stats::add(all, other);
    return all;
  }
  // Calls f(kernel, counters) for each kernel that may have counted.
  template <class F>
  void for_each(F&& f) const {
    f(0, first_);
    for (std::size_t i = 0; i < others_.size(); ++i) f(static_cast<int>(i) + 1, others_[i]);
  }

 private:
  S first_;  // of kernel 0, without an indirection: most runs have one kernel at a time
  std::vector<S> others_;
};

}  // namespace heddle::sm
