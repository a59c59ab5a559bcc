// Small parts of an SM: scoreboard, latches, barriers, occupancy, local memory layout.
#include <gtest/gtest.h>

#include <random>

#include "sm/cta/occupancy.h"
#include "sm/issue/latches.h"
#include "sm/warp/address_space.h"
#include "sm/warp/barrier.h"
#include "sm/warp/scoreboard.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;

TEST(Scoreboard, BlocksReadersAndWritersUntilRelease) {
  Scoreboard s(4);
  s.resize(100);
  const auto load = memory(OpClass::load, isa::Space::global, {1}, {70});
  const WarpSlot w(2);
  s.reserve(w, load);
  EXPECT_TRUE(s.conflicts(w, make(OpClass::alu, {70}, {3})));
  EXPECT_TRUE(s.conflicts(w, make(OpClass::alu, {3}, {70})));
  EXPECT_FALSE(s.conflicts(w, make(OpClass::alu, {1}, {2})));
  EXPECT_FALSE(s.conflicts(WarpSlot(1), make(OpClass::alu, {70}, {3})));
  EXPECT_TRUE(s.conflicts_with_long(w, make(OpClass::alu, {70}, {3})));
  s.release(w, load, false);
  EXPECT_FALSE(s.conflicts(w, make(OpClass::alu, {70}, {3})));
  EXPECT_FALSE(s.writing(w, 70));
}

TEST(Latches, KnowForEverySchedulerTheClassesWithoutRoom) {
  for (const bool partitioned : {false, true})
    for (const std::uint32_t capacity : {1u, 2u, 4u}) {
      LatchSets sets;  // of class 0 only
      sets.build(0, LatchSet(capacity, partitioned));
      std::mt19937 draw(capacity);
      for (int step = 0; step < 200; ++step) {
        const int scheduler = static_cast<int>(draw() % 8);
        if (draw() % 2 && sets[0].has_room(scheduler))
          sets.put(0, static_cast<OpId>(step), scheduler);
        else if (const int place = sets[0].of_scheduler(scheduler); place >= 0)
          sets.take(0, place);
        for (int s = 0; s < 8; ++s)
          ASSERT_EQ(sets.full(s), (sets[0].has_room(s) ? 0u : 1u) | 0b111110u)
              << capacity << " latches, scheduler " << s;
      }
    }
}

TEST(Barrier, ReleasesItsWarpsWhenAllLiveWarpsHaveArrived) {
  BarrierUnit b;
  b.start_cta(1, WarpMask{0b111});
  EXPECT_FALSE(b.arrive(1, WarpSlot(0), 0, 0, true, false).released);
  EXPECT_FALSE(b.arrive(1, WarpSlot(2), 0, 0, true, false).released);
  const auto r = b.arrive(1, WarpSlot(1), 0, 0, true, false);
  EXPECT_TRUE(r.released);
  EXPECT_EQ(r.warps, WarpMask{0b111});
}
TEST(Barrier, ReleasesItsWarpsWhenTheMissingWarpEnds) {
  BarrierUnit b;
  b.start_cta(0, WarpMask{0b11});
  EXPECT_FALSE(b.arrive(0, WarpSlot(0), 3, 0, true, true).released);
  const auto r = b.remove_warp(0, WarpSlot(1));
  EXPECT_TRUE(r.released);
  EXPECT_TRUE(r.reduces);
  EXPECT_EQ(r.id, 3u);
}
TEST(Barrier, CountsThreadsAndArrivalsThatDoNotWait) {
  BarrierUnit b;
  b.start_cta(0, WarpMask{0xff});
  EXPECT_FALSE(b.arrive(0, WarpSlot(5), 1, 64, false, false).released);
  const auto r = b.arrive(0, WarpSlot(6), 1, 64, true, false);
  EXPECT_TRUE(r.released);
  EXPECT_EQ(r.warps, WarpMask::only(WarpSlot(6)));
}

TEST(Barrier, CountsEachArrivalOfAWarp) {
  BarrierUnit b;
  b.start_cta(0, WarpMask{0xff});
  EXPECT_FALSE(b.arrive(0, WarpSlot(5), 1, 96, false, false).released);
  EXPECT_FALSE(b.arrive(0, WarpSlot(5), 1, 96, false, false).released);
  EXPECT_EQ(b.arrivals(0, 1).count, 2u);
  EXPECT_EQ(b.arrive(0, WarpSlot(6), 1, 96, true, false).warps, WarpMask::only(WarpSlot(6)));
}

TEST(Occupancy, IsTheSmallestLimit) {
  config::GpuSpec g = gtx480();
  isa::Kernel k;
  exec::Launch l;
  l.kernel = &k;
  l.grid = {10000, 1, 1};
  l.block = {256, 1, 1};
  EXPECT_EQ(occupancy(g, l, 12).ctas, 6);
  EXPECT_STREQ(occupancy(g, l, 12).limiter, "threads");
  EXPECT_EQ(occupancy(g, l, 60).ctas, 2);  // 32768 / (256 * 60)
  EXPECT_STREQ(occupancy(g, l, 60).limiter, "registers");
  k.shared_bytes = 20000;
  EXPECT_EQ(occupancy(g, l, 12).ctas, 2);
  EXPECT_STREQ(occupancy(g, l, 12).limiter, "shared memory");
  k.shared_bytes = 0;
  l.block = {32, 1, 1};
  EXPECT_EQ(occupancy(g, l, 12).ctas, 8);
  l.grid = {31, 1, 1};
  EXPECT_EQ(occupancy(g, l, 12).ctas, 3);  // ceil(31 / 15)
  l.block = {2048, 1, 1};
  EXPECT_EQ(occupancy(g, l, 12).ctas, 0);
}

TEST(Occupancy, RegistersAreSpilledUntilACtaFits) {
  config::GpuSpec g = gtx480();
  isa::Kernel k;
  exec::Launch l;
  l.kernel = &k;
  l.block = {250, 1, 1};
  EXPECT_EQ(registers_after_spilling(g, l, 60), 60u);
  EXPECT_EQ(registers_after_spilling(g, l, 134), 128u);  // 32768 / 256
  l.block = {1024, 1, 1};
  EXPECT_EQ(registers_after_spilling(g, l, 60), 32u);
  EXPECT_EQ(occupancy(g, l, 32).ctas, 1);
}

TEST(LocalLayout, StoresTheSameWordOfAdjacentThreadsAtAdjacentAddresses) {
  LocalLayout l{15 * 8 * 32, 3, 15, 32};
  EXPECT_EQ(l.translate(0, 1).value - l.translate(0, 0).value, 4u);
  EXPECT_EQ(l.translate(4, 0).value - l.translate(0, 0).value, 4u * 15 * 8 * 32);
  EXPECT_EQ(l.translate(5, 0).value, l.translate(4, 0).value + 1);
}

}  // namespace
}  // namespace heddle::sm::test
