#include "gpu/engine/wave_agreement.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace heddle::gpu {
namespace {

std::vector<Wave> waves(std::initializer_list<std::uint64_t> cycles) {
  std::vector<Wave> list;
  for (const std::uint64_t one : cycles) list.push_back({one, 1000, 100, 50});
  return list;
}

std::size_t agreeing(const std::vector<Wave>& launch, double left) {
  return agreeing_waves(std::vector<std::vector<Wave>>{launch}, left);
}

}  // namespace

TEST(AgreeingWaves, AreAtLeastThreeAfterTheFirst) {
  EXPECT_EQ(agreeing(waves({1000, 1000, 1000}), 5), 0u);
  EXPECT_EQ(agreeing(waves({3000, 1000, 1000, 1000}), 5), 3u);
}

TEST(AgreeingWaves, DoNotVaryMuch) {
  EXPECT_EQ(agreeing(waves({1000, 1000, 1100, 1000}), 5), 0u);
  EXPECT_EQ(agreeing(waves({1000, 1100, 1000, 1001, 999, 1000, 1000}), 5), 5u);
}

// They change by 1.5 % from wave to wave.
TEST(AgreeingWaves, DoNotDrift) {
  EXPECT_EQ(agreeing(waves({1000, 1000, 1015, 1030, 1045, 1060, 1075}), 30), 0u);
}

// Every second wave is 30 % longer: eight waves in four parts agree, which single waves do not.
TEST(AgreeingWaves, AreComparedInFourParts) {
  EXPECT_EQ(agreeing(waves({1000, 1000, 1300, 1000, 1300, 1000, 1300, 1000, 1300}), 20), 8u);
  const std::vector<Wave> parts = parts_of(waves({1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].cycles, 1u);
  EXPECT_EQ(parts[1].cycles, 5u);
  EXPECT_EQ(parts[2].cycles, 4u);
  EXPECT_EQ(parts[3].cycles, 11u);
}

TEST(AgreeingWaves, StandForTenTimesTheirNumber) {
  EXPECT_EQ(agreeing(waves({1000, 1000, 1000, 1000}), 30), 3u);
  EXPECT_EQ(agreeing(waves({1000, 1000, 1000, 1000}), 31), 0u);
}

TEST(AgreeingWaves, AgreeInDramAccessesToo) {
  std::vector<Wave> list = waves({1000, 1000, 1000, 1000});
  list[2].dram_writes = 100;
  EXPECT_EQ(agreeing(list, 5), 0u);
}

// The second launch varies in its first four waves.
TEST(AgreeingWaves, AgreeForEachLaunchThatRuns) {
  const std::vector<Wave> steady = waves({1000, 1000, 1000, 1000, 1000, 1000, 1000});
  const std::vector<Wave> later = waves({1000, 1000, 1400, 700, 1000, 1000, 1000});
  EXPECT_EQ(agreeing_waves(std::vector{steady, steady}, 5), 6u);
  EXPECT_EQ(agreeing_waves(std::vector{steady, later}, 5), 0u);
  EXPECT_EQ(
      agreeing_waves(std::vector{steady, waves({1000, 1300, 1000, 1001, 999, 1000, 1000})}, 5), 5u);
}

// One launch of which three waves of a thousand cycles agreed.
bool like_three_waves(const std::vector<Wave>& launch, double left) {
  AgreedWaves::OfLaunch earlier;
  earlier.waves = waves({1000, 1000, 1000});
  return like_earlier(std::vector<AgreedWaves::OfLaunch>{earlier},
                      std::vector<std::vector<Wave>>{launch}, left);
}

TEST(LikeEarlier, IsALaunchAfterItsFirstWave) {
  EXPECT_FALSE(like_three_waves(waves({1000}), 10));
  EXPECT_TRUE(like_three_waves(waves({2000, 1000}), 10));
}

TEST(LikeEarlier, AllWavesSoFarHaveTheRatesTogether) {
  EXPECT_TRUE(like_three_waves(waves({2000, 1039}), 10));
  EXPECT_FALSE(like_three_waves(waves({2000, 1041}), 10));
  EXPECT_FALSE(like_three_waves(waves({2000, 959}), 10));
  EXPECT_TRUE(like_three_waves(waves({2000, 1060, 990}), 10));
}

TEST(LikeEarlier, InDramAccessesToo) {
  std::vector<Wave> launch = waves({2000, 1000});
  launch[1].dram_reads = 111;
  EXPECT_FALSE(like_three_waves(launch, 10));
  launch[1].dram_reads = 109;
  EXPECT_TRUE(like_three_waves(launch, 10));
  launch[1].dram_writes = 44;
  EXPECT_FALSE(like_three_waves(launch, 10));
}

TEST(LikeEarlier, EarlierWavesAndThoseOfTheLaunchStandForTenTimesTheirNumber) {
  EXPECT_TRUE(like_three_waves(waves({2000, 1000}), 40));
  EXPECT_FALSE(like_three_waves(waves({2000, 1000}), 41));
}

TEST(LikeEarlier, EachLaunchThatRuns) {
  AgreedWaves::OfLaunch earlier;
  earlier.waves = waves({1000, 1000, 1000});
  const std::vector<AgreedWaves::OfLaunch> two(2, earlier);
  const std::vector<Wave> like = waves({2000, 1000}), other = waves({1000, 2000});
  EXPECT_TRUE(like_earlier(two, std::vector<std::vector<Wave>>{like, like}, 10));
  EXPECT_FALSE(like_earlier(two, std::vector<std::vector<Wave>>{like, other}, 10));
}

TEST(AgreedWaves, StandAtOnceForThreeLaunchesAfterThreeThatAgreed) {
  AgreedWaves agreed;
  const std::vector<AgreedWaves::Kind> kinds(1);
  const std::vector<AgreedWaves::OfLaunch> waves(1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(i > 0 && agreed.find(kinds)->stands_at_once());
    agreed.keep(kinds, waves, true);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(agreed.find(kinds)->stands_at_once());
    agreed.count_at_once(kinds);
  }
  EXPECT_FALSE(agreed.find(kinds)->stands_at_once());
  agreed.keep(kinds, waves, true);
  EXPECT_TRUE(agreed.find(kinds)->stands_at_once());
}

TEST(AgreedWaves, ThatDidNotAgreeAreKeptForLaterOnes) {
  AgreedWaves agreed;
  const std::vector<AgreedWaves::Kind> kinds(1);
  std::vector<AgreedWaves::OfLaunch> two(1);
  two[0].waves = waves({1000, 1100});
  for (int i = 0; i < 3; ++i) agreed.keep_for_later(kinds, two);
  EXPECT_EQ(agreed.find(kinds)->waves.at(0).waves.size(), 6u);
  EXPECT_FALSE(agreed.find(kinds)->agreed);
  EXPECT_FALSE(agreed.find(kinds)->stands_at_once());
  agreed.keep(kinds, two, true);
  agreed.keep_for_later(kinds, two);
  EXPECT_EQ(agreed.find(kinds)->waves.at(0).waves.size(), 2u);
}

// The two kept waves and those of the launch after its first.
TEST(AgreeWithKept, AllWavesTogether) {
  AgreedWaves::OfLaunch kept;
  kept.waves = waves({1000, 1001});
  const std::vector<AgreedWaves::OfLaunch> earlier{kept};
  const auto agree = [&](const std::vector<Wave>& launch, double left) {
    return agree_with_kept(earlier, std::vector<std::vector<Wave>>{launch}, left);
  };
  EXPECT_FALSE(agree(waves({2000}), 5));
  EXPECT_TRUE(agree(waves({2000, 999}), 30));
  EXPECT_FALSE(agree(waves({2000, 999}), 31));
  EXPECT_FALSE(agree(waves({2000, 1100}), 5));
  EXPECT_TRUE(enough_waves(earlier, 20));
  EXPECT_FALSE(enough_waves(earlier, 21));
}

TEST(AgreedWaves, OfLaterLaunchesAreAdded) {
  AgreedWaves::OfLaunch sum, later;
  sum.waves = waves({1000});
  later.waves = waves({1100, 1200});
  sum.part.cycles = 1000;
  later.part.cycles = 2300;
  later.part.warp_instructions = 20;
  later.part.thread_instructions = 640;
  later.part.ctas.count = 24;
  later.part.ctas.total_cycles = 480;
  later.part.memory.dram.reads = 7;
  sum.add(later);
  sum.add(later);
  ASSERT_EQ(sum.waves.size(), 5u);
  EXPECT_EQ(sum.waves[4].cycles, 1200u);
  EXPECT_EQ(sum.part.cycles, 5600u);
  EXPECT_EQ(sum.part.warp_instructions, 40u);
  EXPECT_EQ(sum.part.thread_instructions, 1280u);
  EXPECT_EQ(sum.part.ctas.count, 48u);
  EXPECT_EQ(sum.part.ctas.total_cycles, 960u);
  EXPECT_EQ(sum.part.memory.dram.reads, 14u);
}

TEST(AgreedWaves, AreThoseOfTheSameLaunches) {
  AgreedWaves agreed;
  AgreedWaves::Kind one{0, "k", "m", {4, 1, 1}, {32, 1, 1}}, longer = one;
  longer.grid.x = 5;
  AgreedWaves::OfLaunch first, second;
  first.waves = waves({1});
  second.waves = waves({2});
  agreed.keep({one, longer}, {first, first}, true);
  agreed.keep({one}, {first}, true);
  agreed.keep({one}, {second}, true);
  EXPECT_EQ(agreed.find({longer}), nullptr);
  ASSERT_NE(agreed.find({one}), nullptr);
  EXPECT_EQ(agreed.find({one})->waves.at(0).waves.at(0).cycles, 2u);
  EXPECT_EQ(agreed.find({one, longer})->waves.size(), 2u);
  agreed.forget_all();
  EXPECT_EQ(agreed.find({one}), nullptr);
}

}  // namespace heddle::gpu
