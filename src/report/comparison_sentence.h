// Why one scheduler needs fewer cycles than another, in a few sentences.
#pragma once

#include <string>
#include <vector>

#include "lab/figures.h"

namespace heddle::report {

struct SchedulerFigures {
  std::string scheduler;
  lab::KernelFigures figures;
};

// Less than 1 % apart in cycles.
bool is_level(const lab::KernelFigures& fewer, const lab::KernelFigures& more);

// The cause comes from issue slots, caches and DRAM. `level` names the schedulers that are level
// with the better one.
std::string comparison_sentence(const SchedulerFigures& better, const SchedulerFigures& worse,
                                const std::vector<std::string>& level);

}  // namespace heddle::report
