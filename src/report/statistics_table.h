// The table of `heddle run --stats`.
#pragma once

#include <string>
#include <vector>

#include "lab/kernel_statistics.h"

namespace heddle::report {

// A row for each statistic of each kernel; "-" where the run did not count it.
std::string statistics_table(const std::vector<stats::FieldInfo>& statistics,
                             const std::vector<lab::KernelStatistics>& kernels, int width);

}  // namespace heddle::report
