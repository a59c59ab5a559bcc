#include "lab/sample/waves.h"

#include <gtest/gtest.h>

#include <cmath>

#include "config/config.h"
#include "gpu/results_json.h"
#include "tests/lab/sampled_launch.h"

namespace heddle::lab {
namespace {

WholeLaunch whole_of(const gpu::KernelResult& launch) {
  return with_all_waves(gpu::kernel_json(launch, config::load_gpu("gtx480")));
}

TEST(Waves, ThatAgreeStandForThoseThatWereNotTimed) {
  const WholeLaunch whole = whole_of(test::sampled_launch());
  EXPECT_TRUE(whole.guesses());
  EXPECT_EQ(whole.launch["simulated"], "timed");
  EXPECT_EQ(whole.launch["cycles"], 15'000);
  EXPECT_EQ(whole.launch["warp_instructions"], 1500);
  EXPECT_EQ(whole.launch["dram"]["reads"], 17);
  EXPECT_EQ(whole.launch["ctas"]["count"], 150);
  EXPECT_FALSE(whole.launch.contains("steady"));
  EXPECT_DOUBLE_EQ(whole.counters[0].guessed(), 10'000);
  EXPECT_NEAR(whole.counters[0].bar(), 4.303 * 65.83 + 100, 0.1);
}

// The first waves stand for 25 of the 100 CTAs, slower ones for 75: a fourth and three fourths of
// the instructions.
TEST(Waves, StandForTheCtasThatWereOmittedAfterThem) {
  gpu::KernelResult launch = test::sampled_launch();
  launch.steady.push_back(launch.steady[0]);
  launch.steady[0].skipped_ctas = 25;
  launch.steady[1].skipped_ctas = 75;
  launch.steady[1].part.cycles = 6000;
  for (gpu::Wave& wave : launch.steady[1].waves) wave.cycles *= 2;
  const WholeLaunch whole = whole_of(launch);
  EXPECT_DOUBLE_EQ(whole.counters[0].guessed(), 2500 + 15'000);
  EXPECT_EQ(whole.launch["cycles"], 5000 + 17'500);
  EXPECT_EQ(whole.launch["warp_instructions"], 1500);
}

// CTAs that were not timed ran functionally, which counts their instructions.
TEST(Waves, KeepTheInstructionsThatWereCounted) {
  gpu::KernelResult launch = test::sampled_launch();
  launch.untimed_thread_instructions = 30'000;
  const WholeLaunch whole = whole_of(launch);
  EXPECT_EQ(whole.launch["warp_instructions"], 1500);
  EXPECT_EQ(whole.launch["thread_instructions"], 46'000);
}

TEST(Waves, OfALaunchThatIsTimedWholeAreNotEstimated) {
  gpu::KernelResult launch = test::sampled_launch();
  launch.steady.clear();
  const WholeLaunch whole = whole_of(launch);
  EXPECT_FALSE(whole.guesses());
  EXPECT_EQ(whole.launch["cycles"], 5000);
  EXPECT_EQ(whole.counters[0].bar(), 0);
}

// Variances add up, and the degrees of freedom as Welch and Satterthwaite say.
TEST(Uncertainty, OfASumHasTheDegreesOfBothParts) {
  Uncertainty one, both;
  one.add(1000, 9, 2);
  EXPECT_NEAR(one.bar(), 4.303 * 3 + 10, 1e-9);
  both.add(one, 1);
  both.add(one, 1);
  EXPECT_DOUBLE_EQ(both.guessed(), 2000);
  EXPECT_NEAR(both.bar(), 2.776 * std::sqrt(18) + 20, 1e-9);
  Uncertainty twice;
  twice.add(one, 2);
  EXPECT_NEAR(twice.bar(), 2 * one.bar(), 1e-9);
}

// Launches of one kernel that are sampled alike are wrong alike: their intervals add up, whatever
// the degrees of freedom. One that is timed whole changes nothing.
TEST(Uncertainty, OfLaunchesThatAreAlikeAddsUp) {
  Uncertainty one, wider, both;
  one.add(1000, 9, 2);
  wider.add(1000, 36, 3);
  both.add_alike(one, 1);
  EXPECT_NEAR(both.bar(), one.bar(), 1e-9);
  both.add_alike(wider, 2);
  EXPECT_DOUBLE_EQ(both.guessed(), 3000);
  EXPECT_NEAR(both.bar(), 4.303 * (3 + 2 * 6) + 30, 1e-9);
  const double before = both.bar();
  both.add_alike(Uncertainty(), 1);
  EXPECT_NEAR(both.bar(), before, 1e-9);
}

}  // namespace
}  // namespace heddle::lab
