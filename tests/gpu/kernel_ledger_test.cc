#include "gpu/engine/kernel_ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "stats/flatten.h"
#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using Parts = std::vector<std::uint64_t>;

template <class S>
std::map<std::string, std::uint64_t> values(const S& statistics) {
  std::map<std::string, std::uint64_t> all;
  stats::flatten(statistics, [&](const std::string& name, std::uint64_t v) { all[name] = v; });
  return all;
}

}  // namespace

TEST(KernelLedger, DividesInProportionAndTheFirstGetsTheRemainder) {
  EXPECT_EQ(divide(10, Parts{1, 1, 1}), (Parts{4, 3, 3}));
  EXPECT_EQ(divide(7, Parts{1, 6}), (Parts{1, 6}));
  EXPECT_EQ(divide(5, Parts{0, 1}), (Parts{0, 5}));
  EXPECT_EQ(divide(9, Parts{}), Parts{});
}

TEST(KernelLedger, DividesNumbersWhoseProductOverflows) {
  const std::uint64_t whole = std::uint64_t{1} << 60;
  EXPECT_EQ(divide(whole, Parts{1 << 20, 3 << 20}), (Parts{whole / 4, whole / 4 * 3}));
}

TEST(KernelLedger, TheKernelsHaveWhatTheGpuHas) {
  EngineBench bench;
  bench.begin(30, 256);
  bench.begin(7, 64);
  bench.begin(3, 96);
  const auto ended = bench.finish();
  ASSERT_EQ(ended.size(), 3u);
  sm::SmStats kernels;
  mem::MemoryStats memory;
  sm::CycleStats repeated;
  for (const QueuedKernel& k : ended) {
    stats::add(kernels, k.result.sm);
    stats::add(memory, k.result.memory);
    stats::add(repeated, k.result.repeated);
  }
  stats::subtract<sm::CycleStats>(kernels, repeated);
  EXPECT_EQ(values(kernels), values(bench.engine().hardware().stats()));
  EXPECT_EQ(values(memory), values(bench.engine().memory_system().stats()));
}

TEST(KernelLedger, WhatAPolicyCountsBeforeALaunchBelongsToTheOthers) {
  EngineBench bench;
  bench.shares.prepare = [](test::ScriptedShares& share) {
    share.counted = test::ScriptedShares::Statistics{};
  };
  bench.begin(30, 256);
  bench.engine().advance({.time = Cycle{200}}, {});
  ASSERT_TRUE(bench.engine().busy());
  bench.shares.built.front()->counted->events = 1000;
  bench.begin(1, 32);
  const auto ended = bench.finish();
  ASSERT_EQ(ended.size(), 2u);
  for (const QueuedKernel& k : ended)
    EXPECT_EQ(k.result.policy.counters(),
              (sm::PolicyReport::Values{{"scripted.events", k.launch_number == 1 ? 1000 : 0}}));
}

TEST(KernelLedger, ALaunchCountsFromItsStartToItsLastCta) {
  EngineBench bench;
  bench.begin(4, 64);
  const auto first = bench.finish();
  bench.begin(4, 64);
  const auto second = bench.finish();
  EXPECT_EQ(first[0].result.warp_instructions, second[0].result.warp_instructions);
  EXPECT_GE(second[0].result.start, first[0].result.start + first[0].result.cycles);
  Cycle last;
  for (const FinishedCta& cta : bench.ctas.built.front()->finished) last = std::max(last, cta.end);
  EXPECT_EQ(second[0].result.start + second[0].result.cycles, last);
}

TEST(KernelLedger, TheFirstWarpIsCountedOnlyOfALaunchThatRunsAlone) {
  EngineBench bench;
  bench.engine().watch_first_warp();
  bench.begin(4, 64);
  const auto alone = bench.finish();
  ASSERT_TRUE(alone[0].result.first_warp);
  EXPECT_LE(alone[0].result.first_warp->cycles, alone[0].result.cycles);
  bench.begin(4, 64);
  bench.begin(4, 64);
  EXPECT_FALSE(bench.finish().front().result.first_warp);
}

}  // namespace heddle::gpu
