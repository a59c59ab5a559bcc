#include "gpu/active_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace heddle::gpu {
namespace {

using Launches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // start, cycles

ActiveCycles active_of(const Launches& launches) {
  ActiveCycles active;
  for (const auto& [start, cycles] : launches) active.add(Cycle{start}, cycles);
  return active;
}

}  // namespace

TEST(ActiveCycles, AreTheSumOfLaunchesThatFollowEachOther) {
  EXPECT_EQ(active_of({}).count(), 0u);
  EXPECT_EQ(active_of({{0, 100}, {100, 50}, {150, 7}}).count(), 157u);
  EXPECT_EQ(active_of({{0, 100}, {500, 50}, {900, 0}}).count(), 150u);
}

TEST(ActiveCycles, CountOnceWhereLaunchesOverlap) {
  EXPECT_EQ(active_of({{10, 100}, {10, 100}}).count(), 100u);
  EXPECT_EQ(active_of({{10, 100}, {60, 100}}).count(), 150u);
  EXPECT_EQ(active_of({{20, 10}, {40, 10}, {0, 100}}).count(), 100u);  // one during all others
}

TEST(ActiveCycles, AreCountedUpToACycle) {
  const ActiveCycles active = active_of({{10, 10}, {30, 10}, {35, 25}});
  EXPECT_EQ(active.count_before(Cycle{10}), 0u);
  EXPECT_EQ(active.count_before(Cycle{15}), 5u);
  EXPECT_EQ(active.count_before(Cycle{25}), 10u);
  EXPECT_EQ(active.count_before(Cycle{50}), 30u);
  EXPECT_EQ(active.count_before(Cycle::never()), active.count());
}

// Numbers of a file may be of any size.
TEST(ActiveCycles, EndAtTheLastCycle) {
  constexpr std::uint64_t kMost = Cycle::never().value;
  EXPECT_EQ(active_of({{kMost - 5, kMost}, {kMost - 10, 2}}).count(), 7u);
}

TEST(ActiveCycles, AreThoseOfAnyLaunchInWhateverOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    Launches launches;
    std::set<std::uint64_t> cycles;
    for (int i = 0; i < 12; ++i) {
      launches.emplace_back(random() % 100, random() % 20);
      for (std::uint64_t c = 0; c < launches.back().second; ++c)
        cycles.insert(launches.back().first + c);
    }
    const std::uint64_t until = random() % 120;
    const auto before = std::distance(cycles.begin(), cycles.lower_bound(until));
    const ActiveCycles active = active_of(launches);
    EXPECT_EQ(active.count(), cycles.size());
    EXPECT_EQ(active.count_before(Cycle{until}), static_cast<std::uint64_t>(before));
    std::shuffle(launches.begin(), launches.end(), random);
    EXPECT_EQ(active_of(launches).count(), cycles.size());
  }
}

}  // namespace heddle::gpu
