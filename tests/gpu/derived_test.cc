#include "gpu/derived.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace heddle::gpu {
namespace {

// An exact sum of times: all divisions are by powers of two.
KernelResult example() {
  KernelResult result;
  result.cycles = 100;
  result.thread_instructions = 3200;
  result.warp_instructions = 128;
  result.sm.cycles = 200;
  result.sm.resident_warp_cycles = 1000;
  result.sm.active_lanes[0] = 16;
  result.sm.active_lanes[4] = 32;
  result.sm.active_lanes[29] = result.sm.active_lanes[32] = 40;
  result.sm.loads_served = 8;
  result.sm.load_cycles = 1000;
  result.sm.l1d.accesses = 40;
  result.sm.l1d.hits = 10;
  result.sm.l1d.pending_hits = 20;
  result.memory.l2.accesses = 16;
  result.memory.l2.hits = 4;
  result.memory.l2.pending_hits = 2;
  result.memory.dram.reads = 5;
  result.memory.dram.writes = 3;
  result.memory.dram.row_hits = 6;
  result.memory.dram.busy_bank_cycles = 30;
  result.memory.dram.active_cycles = 20;
  result.memory.dram.data_cycles = 25;  // of 100 / 2 cycles of 2 channels
  result.memory.read_replies = 4;
  result.memory.access_time = 1200;              // 300 a read
  result.memory.access_time_down = 160;          // 40
  result.memory.access_time_slice = 800;         // 200
  result.memory.dram.read_queue_cycles = 40;     // 10 of DRAM, 20 of the core
  result.memory.dram.read_request_cycles = 200;  // 50 and 100, with the queue
  result.ctas.count = 2;
  result.ctas.total_cycles = 90;
  result.ctas.last_dispatched_cycles = 30;
  return result;
}

double value_of(std::string_view group, std::string_view name, const KernelResult& result) {
  config::GpuSpec gpu;
  gpu.clocks.core_mhz = 1400;
  gpu.clocks.dram_mhz = 700;
  gpu.memory.channels = 2;
  for (const Derived& one : derived_figures(group))
    if (one.name == name)
      return std::visit([](auto value) { return static_cast<double>(value); },
                        one.formula({result, gpu}));
  throw std::out_of_range(std::string(name));
}

TEST(Derived, FiguresOfALaunch) {
  EXPECT_EQ(value_of(kHeadline, "cycles", example()), 100);
  EXPECT_EQ(value_of(kHeadline, "thread_instructions", example()), 3200);
  EXPECT_EQ(value_of(kHeadline, "warp_instructions", example()), 128);
  EXPECT_EQ(value_of(kHeadline, "ipc", example()), 32);
  EXPECT_EQ(value_of(kCtas, "count", example()), 2);
  EXPECT_EQ(value_of(kCtas, "mean_cycles", example()), 45);
  EXPECT_EQ(value_of(kCtas, "mean_last_dispatched_cycles", example()), 30);
}

TEST(Derived, RatesAreSharesOfWhatTheyNameLast) {
  EXPECT_EQ(value_of(kRates, "l1d_hits", example()), 0.25);
  EXPECT_EQ(value_of(kRates, "l1d_pending_hits", example()), 0.5);
  EXPECT_EQ(value_of(kRates, "l2_hits", example()), 0.25);
  EXPECT_EQ(value_of(kRates, "l2_pending_hits", example()), 0.125);
  EXPECT_EQ(value_of(kRates, "dram_row_hits", example()), 0.75);
  EXPECT_EQ(value_of(kRates, "dram_bank_parallelism", example()), 1.5);
  EXPECT_EQ(value_of(kRates, "dram_bandwidth", example()), 0.25);
  EXPECT_EQ(value_of(kRates, "lanes_per_instruction", example()), 25);
  EXPECT_EQ(value_of(kRates, "resident_warps", example()), 5);
}

TEST(Derived, PartsOfTheReadTimeAreCoreCyclesAndAddUp) {
  EXPECT_EQ(value_of(kReadTime, "mean", example()), 300);
  EXPECT_EQ(value_of(kReadTime, "network_down", example()), 40);
  EXPECT_EQ(value_of(kReadTime, "dram_queue", example()), 20);
  EXPECT_EQ(value_of(kReadTime, "dram", example()), 80);
  EXPECT_EQ(value_of(kReadTime, "l2", example()), 100);
  EXPECT_EQ(value_of(kReadTime, "network_up", example()), 60);
}

TEST(Derived, TheTimeOfLoadsHasHitsInIt) { EXPECT_EQ(value_of(kReadTime, "load", example()), 125); }

TEST(Derived, ClassesOfLanesAddUpToOne) {
  EXPECT_EQ(value_of(kLanes, "none", example()), 0.125);
  EXPECT_EQ(value_of(kLanes, "1_to_4", example()), 0.25);
  EXPECT_EQ(value_of(kLanes, "29_to_32", example()), 0.625);
  double sum = 0;
  for (const Derived& one : derived_figures(kLanes)) sum += value_of(kLanes, one.name, example());
  EXPECT_EQ(sum, 1);
}

TEST(Derived, NothingIsDividedByZero) {
  for (const char* group : {kHeadline, kCtas, kRates, kReadTime, kLanes})
    for (const Derived& one : derived_figures(group))
      EXPECT_EQ(value_of(group, one.name, KernelResult()), 0) << one.name;
}

}  // namespace
}  // namespace heddle::gpu
