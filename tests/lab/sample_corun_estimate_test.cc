#include "lab/sample/corun_estimate.h"

#include <gtest/gtest.h>

#include "config/config.h"
#include "gpu/results_json.h"
#include "tests/lab/sampled_launch.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// Two launches, 100 cycles apart, in each of two repetitions.
TEST(CorunEstimate, AddsAllRepetitionsAndKeepsTheLaunchesOfTheFirst) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  const auto launches = [&](std::uint64_t first) {
    ordered_json list = ordered_json::array();
    for (const std::uint64_t start : {first, first + 5100})
      list.push_back(gpu::kernel_json(test::sampled_launch(start), gpu));
    return list;
  };
  const CorunEstimate estimate =
      estimate_corun({{"totals", {{"simulated", {{"timed_share", 0.33}}}}},
                      {"kernels", launches(0)},
                      {"repeated", launches(20'000)}},
                     gpu);
  ASSERT_EQ(estimate.kernels.size(), 2u);
  EXPECT_EQ(estimate.kernels[0]["cycles"], 15'000);
  EXPECT_EQ(estimate.kernels[1]["start_cycle"], 15'100) << "10,000 cycles were not timed before";
  EXPECT_EQ(estimate.totals["cycles"], 4 * 15'000) << "the launches do not overlap";
  EXPECT_EQ(estimate.totals["thread_instructions"], 4 * 48'000);
  EXPECT_EQ(estimate.totals["dram"]["reads"], 4 * 17);
  EXPECT_EQ(estimate.totals["simulated"]["timed_share"], 0.33);
  EXPECT_DOUBLE_EQ(estimate.cycles.guessed(), 40'000);
  // Of four launches that are alike, with 2 degrees of freedom.
  EXPECT_NEAR(estimate.cycles.bar(), 4.303 * 4 * 65.83 + 400, 0.1);
}

// Four repetitions of one launch stand for more: launches of 15,000 cycles, and of one of 17,000.
TEST(CorunEstimate, TakesTheRepetitionsAsASample) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  const auto launch = [&](std::uint64_t start, std::uint64_t longer) {
    gpu::KernelResult result = test::sampled_launch(start);
    result.cycles += longer;
    return gpu::kernel_json(result, gpu);
  };
  const auto bar = [&](std::uint64_t longer) {
    return estimate_corun(
               {{"totals", {{"simulated", {{"timed_share", 0.33}}}}},
                {"kernels", {launch(0, 0)}},
                {"repeated", {launch(20'000, longer), launch(40'000, 0), launch(60'000, 0)}}},
               gpu)
        .repetitions.bar();
  };
  EXPECT_NEAR(bar(0), 600, 0.1) << "1 % of all";
  // A deviation of 1,000 of each, with 3 degrees of freedom.
  EXPECT_NEAR(bar(2000), 3.182 * 2000 + 620, 1);
}

}  // namespace
}  // namespace heddle::lab
