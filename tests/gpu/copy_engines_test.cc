// The time of copies between host and device.
#include "gpu/copy_engines.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr auto kToDevice = CopyRequest::Direction::to_device,
               kFromDevice = CopyRequest::Direction::from_device;

// A byte per cycle; 100 cycles before the first one; half of the rate for pageable memory.
config::GpuSpec spec_with(std::uint32_t engines) {
  config::GpuSpec spec;
  spec.clocks.core_mhz = 1000;
  spec.copy_engines = engines;
  spec.copy_bandwidth = 1000;
  spec.copy_pageable_percent = 50;
  spec.copy_latency = 100;
  return spec;
}
CopyEngines engines(std::uint32_t count) { return {spec_with(count), true}; }

}  // namespace

TEST(CopyEngines, ACopyTakesTheLatencyAndItsBytes) {
  CopyEngines one = engines(1);
  EXPECT_EQ(one.next_end(), Cycle::never());
  EXPECT_EQ(one.begin({kToDevice, 1000, false}, Cycle{50}), 1u);
  EXPECT_EQ(one.next_end(), Cycle{50 + 100 + 1000});
  EXPECT_TRUE(one.take_ended(Cycle{1149}).empty());
  EXPECT_EQ(one.take_ended(Cycle{1150}), (Numbers{1}));
  EXPECT_FALSE(one.busy());
}

TEST(CopyEngines, TwoCopiesOnOneEngineTakeTheSumAndOnTwoTheLonger) {
  for (const std::uint32_t count : {1u, 2u}) {
    CopyEngines copies = engines(count);
    copies.begin({kToDevice, 1000, false}, Cycle{0});  // 1100 cycles
    copies.begin({kToDevice, 500, false}, Cycle{0});   // 600 cycles
    if (count == 1) {
      EXPECT_EQ(copies.take_ended(Cycle{1699}), (Numbers{1}));
      EXPECT_EQ(copies.take_ended(Cycle{1700}), (Numbers{2}));
      EXPECT_EQ(copies.busy_cycles(0), (Numbers{1700}));
      EXPECT_EQ(copies.stats(0).waiting_cycles, 1100u);
    } else {
      EXPECT_EQ(copies.take_ended(Cycle{1100}), (Numbers{2, 1}));
      EXPECT_EQ(copies.busy_cycles(0), (Numbers{1100, 600}));
      EXPECT_EQ(copies.stats(0).waiting_cycles, 0u);
    }
    EXPECT_EQ(copies.stats(0).copies, 2u);
    EXPECT_EQ(copies.stats(0).bytes, 1500u);
    EXPECT_EQ(copies.stats(0).busy_cycles, 1700u);
  }
}

TEST(CopyEngines, TheDirectionsHaveTheirOwnEngines) {
  CopyEngines one = engines(1);
  one.begin({kToDevice, 1000, false}, Cycle{0});
  one.begin({kFromDevice, 1000, false}, Cycle{0});
  EXPECT_EQ(one.take_ended(Cycle{1100}), (Numbers{1, 2}));
  EXPECT_EQ(one.stats(1).bytes, 1000u);
}

TEST(CopyEngines, PageableMemoryIsSlower) {
  CopyEngines one = engines(1);
  one.begin({kToDevice, 1000, true}, Cycle{0});
  EXPECT_EQ(one.next_end(), Cycle{100 + 2000});
  EXPECT_EQ(one.stats(0).pageable_copies, 1u);
}

TEST(CopyEngines, AnEngineCopiesInTheOrderOfTheBeginnings) {
  CopyEngines one = engines(1);
  one.begin({kToDevice, 1000, false}, Cycle{0});
  one.begin({kToDevice, 1, false}, Cycle{5});
  one.begin({kToDevice, 100, false}, Cycle{6});
  EXPECT_EQ(one.take_ended(Cycle::never()), (Numbers{1, 2, 3}));
}

TEST(CopyEngines, WithoutEnginesCopiesTakeNoTime) { EXPECT_FALSE(engines(0).enabled()); }

TEST(CopyEngines, TheTimelineShowsThePartOfCopiesInItsCycles) {
  CopyEngines one = engines(1);
  one.begin({kToDevice, 900, false}, Cycle{0});    // to 1000
  one.begin({kFromDevice, 100, true}, Cycle{50});  // to 350
  stats::Timeline timeline;
  one.add_to(timeline, Cycle{400}, Cycle{700});
  ASSERT_EQ(timeline.slices.size(), 1u);
  EXPECT_EQ(timeline.slices[0].from, 400u * stats::Timeline::kUnitsPerCycle);
  EXPECT_EQ(timeline.slices[0].to, 700u * stats::Timeline::kUnitsPerCycle);
  EXPECT_EQ(timeline.names[timeline.slices[0].name], "900 bytes");
}

}  // namespace heddle::gpu
