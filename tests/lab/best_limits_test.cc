#include "lab/best_limits.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

// Two kernels whose best limits differ: 2 and 4. Together they are fastest with 3. They overlap
// with limit 2, so the program takes less than both.
sched::StaticLimits two_kernels() {
  sched::StaticLimits limits;
  limits.kernels = {{"walk", {4, 1, 1}, 2, 0, {{2, 500}, {3, 510}, {4, 900}}},
                    {"add", {9, 1, 1}, 1, 0, {{2, 800}, {3, 420}, {4, 400}}}};
  limits.cycles = {{2, 950}, {3, 930}, {4, 1300}};
  choose_limits(limits);
  return limits;
}

}  // namespace

TEST(BestLimits, AProgramHasOneLimitAndEachKernelItsOwn) {
  const sched::StaticLimits limits = two_kernels();
  EXPECT_EQ(limits.kernels[0].warps, 2u);
  EXPECT_EQ(limits.kernels[1].warps, 4u);
  EXPECT_EQ(limits.warps, 3u);
  EXPECT_EQ(limits.cycles, (sched::LimitCycles{{2, 950}, {3, 930}, {4, 1300}}));
}

TEST(BestLimits, TheLargestOfEqualLimitsIsTheBest) {
  sched::StaticLimits limits;
  limits.kernels = {{"walk", {4, 1, 1}, 1, 0, {{1, 700}, {2, 500}, {3, 500}}}};
  limits.cycles = limits.kernels[0].cycles;
  choose_limits(limits);
  EXPECT_EQ(limits.warps, 3u);
  limits.kernels.clear();
  EXPECT_THROW(choose_limits(limits), UserError);
}

TEST(BestLimits, ATextOfLimitsListsSomeThatTheGpuHas) {
  RunRequest request;
  request.gpu = "gtx480";
  using Limits = std::vector<std::uint32_t>;
  const Limits all = all_limits(request);
  EXPECT_EQ(all.size(), 48u);
  EXPECT_EQ(all.front(), 1u);
  EXPECT_EQ(all.back(), 48u);
  EXPECT_EQ(parse_limits("46-48,16,1-3,2-2,5", request), (Limits{1, 2, 3, 5, 16, 46, 47, 48}));
  for (const char* wrong : {"", "0", "49", "1-49", "3-2", "1,", "1-", "-3", "x", "4x", "1-2-3"})
    EXPECT_THROW(parse_limits(wrong, request), UserError) << wrong;
}

TEST(BestLimits, ASwlPolicyHasOneLimit) {
  EXPECT_EQ(with_limit("swl:best_per_kernel+lrr", "warps", "3"), "swl:warps=3+lrr");
  EXPECT_EQ(with_limit("swl:best=old,per=scheduler", "best", "new"), "swl:per=scheduler,best=new");
  EXPECT_EQ(with_limit("gto", "best_per_kernel", "new"), "swl:best_per_kernel=new+gto");
}

}  // namespace heddle::lab
