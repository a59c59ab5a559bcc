// The figures of several launches added up.
#pragma once

#include <vector>

#include "gpu/active_cycles.h"
#include "gpu/kernel_result.h"

namespace heddle::gpu {

class ResultSum {
 public:
  void add(const KernelResult& result);
  // No name, grid or details. Cycles in which several launches were active count once. So do those
  // of SMs, except while launches of several programs run at once.
  const KernelResult& total() const { return total_; }

 private:
  KernelResult total_;
  ActiveCycles active_;
};

// Of the timed launches; of all when none was timed.
class RunSum {
 public:
  void add(const KernelResult& result) { (result.functional ? functional_ : timed_).add(result); }
  KernelResult total() const;

 private:
  struct Part {
    ResultSum sum;
    bool empty = true;
    void add(const KernelResult& result) {
      sum.add(result);
      empty = false;
    }
  };
  Part timed_, functional_;
};

KernelResult sum_of(const std::vector<KernelResult>& results);

// Adds what was counted in a part of a launch, as KernelResult::subtract() gives it.
void add_part(KernelResult& sum, const KernelResult& part);

}  // namespace heddle::gpu
