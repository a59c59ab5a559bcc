// `heddle best-swl`: the best static limit of each kernel, by trying them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run.h"
#include "sched/limiters/swl_limits.h"

namespace heddle::lab {

// 1 .. the warps that an SM of the request's GPU holds.
std::vector<std::uint32_t> all_limits(const RunRequest& request);
// "1-8,16,32". UserError on anything else.
std::vector<std::uint32_t> parse_limits(const std::string& text, const RunRequest& request);

struct LimitSearch {
  sched::StaticLimits limits;
  int interrupted = 0;
};
// One run per limit, `jobs` at once, under the policy with its limiter swl set to the limit.
// Kernels are told apart by name and grid; all launches of one count together. Of equal limits the
// largest is taken. UserError when a run fails.
LimitSearch search_limits(const RunRequest& request, const std::string& policy,
                          const std::vector<std::uint32_t>& limits, int jobs,
                          const std::function<void(const std::string&)>& say);

// The policy with key=value in place of what its limiter swl is given; with a limiter in front when
// it has none.
std::string with_limit(const std::string& policy, const std::string& key, const std::string& value);

// A table of kernels, and for the longest of them cycles by limit as a picture.
std::string limits_report(const sched::StaticLimits& limits, int width);

// The verb.
int find_best_limits(const RunRequest& request, const std::string& policy,
                     const std::vector<std::uint32_t>& limits, int jobs, const std::string& file,
                     bool quiet);

}  // namespace heddle::lab
