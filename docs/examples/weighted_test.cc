#include <gtest/gtest.h>

#include "gpu/share/share_entry.h"

namespace heddle::gpu {

ShareEntry weighted();

TEST(Weighted, TheFirstKernelGetsItsPercentageAndTheOthersTheRest) {
  const auto policy = weighted().parse("first=50")->build({});
  // Number, launch, resources of a CTA, most CTAs of an SM.
  const SharedKernel kernels[] = {{0, 1, {8, 4096, 0}, 6}, {1, 2, {8, 4096, 0}, 8}};
  policy->kernels_changed(kernels, Cycle{0});
  EXPECT_EQ(policy->most_ctas(0, 0), 3);  // 50 percent of 6
  EXPECT_EQ(policy->most_ctas(1, 0), 4);  // 50 percent of 8
  policy->kernels_changed(std::span(kernels).first(1), Cycle{9});
  EXPECT_EQ(policy->most_ctas(0, 0), ShareScheduler::kNoLimit);
}

TEST(Weighted, EveryKernelGetsACta) {
  const auto policy = weighted().parse("first=99")->build({});
  const SharedKernel kernels[] = {{0, 1, {8, 4096, 0}, 6}, {1, 2, {8, 4096, 0}, 6}};
  policy->kernels_changed(kernels, Cycle{0});
  EXPECT_EQ(policy->most_ctas(1, 0), 1);
}

}  // namespace heddle::gpu
