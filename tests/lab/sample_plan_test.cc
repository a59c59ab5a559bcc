#include "lab/sample/plan.h"

#include <gtest/gtest.h>

#include "config/timed_part.h"

namespace heddle::lab {
namespace {

LaunchFacts launch(const std::string& kernel, std::uint64_t instructions) {
  return {kernel, "[1]", instructions, false};
}
std::vector<LaunchFacts> equal_launches(std::size_t count) {
  return std::vector<LaunchFacts>(count, launch("k", 100));
}

TEST(SamplePlan, EqualLaunchesAreOneStratumBesidesTheFirst) {
  const SamplePlan plan(equal_launches(101));
  EXPECT_EQ(plan.whole(), "");
  ASSERT_EQ(plan.strata().size(), 2u);
  EXPECT_EQ(plan.strata()[0].counted, std::vector<std::size_t>{0});
  EXPECT_EQ(plan.strata()[0].weight, 1);
  EXPECT_EQ(plan.strata()[1].launches.size(), 100u);
  EXPECT_EQ(plan.strata()[1].counted, (std::vector<std::size_t>{13, 38, 63, 88}));
  EXPECT_EQ(plan.strata()[1].weight, 25);
}

// Numbers of the selection count from 1; the launch before a counted one warms the caches.
TEST(SamplePlan, TheLaunchBeforeACountedOneIsTimed) {
  const SamplePlan plan(equal_launches(101));
  EXPECT_EQ(plan.selection(), "1..1,13..14,38..39,63..64,88..89");
  EXPECT_TRUE(config::KernelSelection(plan.selection()).contains(13, "k"));
  EXPECT_FALSE(config::KernelSelection(plan.selection()).contains(15, "k"));
}

// Of 900,000 instructions each, three reach two million.
TEST(SamplePlan, TheLaunchesBeforeTimedOnesWarmTheL2) {
  const SamplePlan plan(std::vector<LaunchFacts>(101, launch("k", 900'000)));
  EXPECT_EQ(plan.warming(), "10..12,35..37,60..62,85..87");
  EXPECT_EQ(SamplePlan(equal_launches(7)).warming(), "");
}

// 50 launches each of 100, 105 and 200 instructions: 5 % more are one stratum.
TEST(SamplePlan, LaunchesThatExecuteMoreAreAnotherStratum) {
  std::vector<LaunchFacts> launches;
  for (int i = 0; i < 50; ++i)
    for (const std::uint64_t instructions : {100, 105, 200})
      launches.push_back(launch("k", instructions));
  const SamplePlan plan(launches);
  ASSERT_EQ(plan.strata().size(), 4u);
  EXPECT_EQ(plan.strata()[1].launches.size(), 99u);
  EXPECT_EQ(plan.strata()[3].launches.size(), 49u);
}

// The weight is that of instructions: the counted launches of a stratum execute them all.
TEST(SamplePlan, TheWeightedInstructionsAreThoseOfTheProgram) {
  std::vector<LaunchFacts> launches;
  double all = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    launches.push_back(launch(i % 3 ? "a" : "b", 1000 + 37 * i % 90));
    all += static_cast<double>(launches.back().instructions);
  }
  const SamplePlan plan(launches);
  double weighted = 0;
  for (const SampleStratum& stratum : plan.strata())
    for (const std::size_t i : stratum.counted)
      weighted += stratum.weight * static_cast<double>(launches[i].instructions);
  EXPECT_NEAR(weighted, all, 1e-6 * all);
  EXPECT_EQ(plan.launches_of("b"), 67u);
}

// Then waves of CTAs of each launch may be left out.
TEST(SamplePlan, LaunchesThatGainNothingAreAllTimed) {
  EXPECT_EQ(SamplePlan(equal_launches(7)).selection(), "1..7");
  EXPECT_EQ(SamplePlan(equal_launches(10)).selection(), "1..10");  // 90 % would be timed
  std::vector<LaunchFacts> different;
  for (std::uint64_t i = 1; i <= 20; ++i) different.push_back(launch("k", 100 * i));
  const SamplePlan plan(different);
  ASSERT_EQ(plan.strata().size(), 1u);
  EXPECT_EQ(plan.strata()[0].counted.size(), 20u);
}

TEST(SamplePlan, AProgramWhoseKernelsLaunchKernelsIsTimedWhole) {
  std::vector<LaunchFacts> nested = equal_launches(100);
  nested[50].nested = true;
  EXPECT_EQ(SamplePlan(nested).whole(), "kernels of the program launch kernels");
}

}  // namespace
}  // namespace heddle::lab
