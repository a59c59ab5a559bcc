// The best static limit of running warps for a program and for each of its kernels: every limit is
// tried.
#pragma once

#include <string>
#include <vector>

#include "lab/compare.h"
#include "sched/limiters/swl_limits.h"

namespace heddle::lab {

// From 1 to the maximum of resident warps of the GPU.
std::vector<std::uint32_t> all_limits(const RunRequest& request);
// Reads "1-8,16,32". Throws UserError for other texts.
std::vector<std::uint32_t> parse_limits(const std::string& text, const RunRequest& request);

struct LimitSearch {
  sched::StaticLimits limits;
  int interrupted = 0;
};
// Runs the program once per limit, `jobs` runs at once, with the limiter swl of the policy set to
// the limit. Launches with the same kernel name and grid count together. Of a program or kernel,
// cycles in which several launches are active count once. When several limits take the same cycles,
// the largest is the best. Throws ProgramFailure when a run fails.
LimitSearch search_limits(const RunRequest& request, const std::string& policy,
                          const std::vector<std::uint32_t>& limits, int jobs,
                          const ReportProgress& report_progress);

// Picks the best limit of the program, and of each kernel, from their cycles. UserError when there
// is no kernel.
void choose_limits(sched::StaticLimits& limits);

// The policy with key=value as the limit of its limiter swl. A policy without that limiter gets one
// in front.
std::string with_limit(const std::string& policy, const std::string& key, const std::string& value);

}  // namespace heddle::lab
