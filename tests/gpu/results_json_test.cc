#include "gpu/results_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config/config.h"

namespace heddle::gpu {

TEST(ResultsJson, ALaunchFromAKernelNamesItselfAndItsParent) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  KernelResult result;
  result.launch = 5;
  EXPECT_FALSE(kernel_json(result, gpu).contains("launch"));
  result.parent = 3;
  EXPECT_EQ(kernel_json(result, gpu)["launch"], 5);
  EXPECT_EQ(kernel_json(result, gpu)["parent_launch"], 3);
}

TEST(ResultsJson, ReadsHowALaunchWasSimulated) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  for (const auto& [functional, truncated] :
       {std::pair{true, false}, std::pair{false, true}, std::pair{false, false}}) {
    KernelResult result;
    result.functional = functional;
    result.truncated = truncated;
    result.start = Cycle{70};
    result.cycles = 12;
    result.untimed_warp_instructions = 2;
    result.untimed_thread_instructions = 64;
    const KernelResult read = kernel_from_json(kernel_json(result, gpu));
    EXPECT_STREQ(read.simulated(), result.simulated());
    EXPECT_EQ(read.cycles, 12U);
    EXPECT_EQ(read.start, functional ? Cycle{} : Cycle{70});
    EXPECT_EQ(read.untimed_warp_instructions, truncated ? 2U : 0U);
    EXPECT_EQ(read.untimed_thread_instructions, truncated ? 64U : 0U);
  }
}

}  // namespace heddle::gpu
