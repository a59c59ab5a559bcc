#include "gpu/engine/share_epochs.h"

#include <gtest/gtest.h>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::ScriptedShares;

void want_epochs(EngineBench& bench, bool memory) {
  bench.shares.prepare = [memory](ScriptedShares& shares) {
    shares.wanted.epoch_cycles = 300;
    shares.wanted.memory = memory;
  };
}

}  // namespace

TEST(ShareEpochs, ThePolicyLearnsOfEveryStartAndEnd) {
  EngineBench bench;
  const std::uint64_t first = bench.begin(2, 64), second = bench.begin(8, 256);
  bench.finish();
  const auto& changes = bench.shares.built.front()->changes;
  ASSERT_EQ(changes.size(), 2u);  // both began at once; then one had ended
  ASSERT_EQ(changes[0].size(), 2u);
  EXPECT_EQ(changes[0][0].launch, first);
  EXPECT_EQ(changes[0][0].cta.warps, 2);
  EXPECT_EQ(changes[0][1].launch, second);
  EXPECT_EQ(changes[0][1].number, 1);
  EXPECT_FALSE(changes[0][1].all_placed);
  ASSERT_EQ(changes[1].size(), 1u);
  EXPECT_EQ(changes[1][0].launch, second);
}

TEST(ShareEpochs, OneKernelAloneHasNone) {
  EngineBench bench;
  want_epochs(bench, false);
  bench.begin(40, 256);
  bench.finish();
  EXPECT_TRUE(bench.shares.built.front()->epochs.empty());
}

// Every issue of the overlap before the last epoch's end is in one epoch.
TEST(ShareEpochs, CountWhatEachKernelIssuedSinceTheLastOne) {
  EngineBench bench;
  want_epochs(bench, false);
  bench.begin(40, 256);
  bench.begin(40, 256);
  const auto ended = bench.finish();
  const ScriptedShares& shares = *bench.shares.built.front();
  ASSERT_GE(shares.epochs.size(), 2u);
  for (std::size_t i = 1; i < shares.times.size(); ++i)
    EXPECT_GE(shares.times[i] - shares.times[i - 1], 300u);
  std::uint64_t issued = 0;
  for (const auto& epoch : shares.epochs) {
    EXPECT_EQ(epoch.size(), 4u);  // two kernels on two SMs
    for (const SharedEpoch& part : epoch) {
      issued += part.warp_instructions;
      EXPECT_LE(part.thread_instructions, 32 * part.warp_instructions);
    }
  }
  EXPECT_GT(issued, 0u);
  EXPECT_LE(issued, ended[0].result.warp_instructions + ended[1].result.warp_instructions);
}

// Two schedulers of an SM issue at most two instructions in a cycle.
TEST(ShareEpochs, TheFirstCountsFromTheSecondKernelsStart) {
  EngineBench bench;
  want_epochs(bench, false);
  bench.begin(200, 256);
  bench.engine().advance({.time = Cycle{4000}}, {});
  bench.begin(8, 256);
  bench.finish();
  const ScriptedShares& shares = *bench.shares.built.front();
  ASSERT_FALSE(shares.epochs.empty());
  const std::uint64_t cycles = shares.times[0] - Cycle{4000};
  ASSERT_LT(cycles, 1000u);
  for (const SharedEpoch& part : shares.epochs[0])
    EXPECT_LE(part.warp_instructions, 2 * cycles) << part.kernel;
}

TEST(ShareEpochs, MemoryFiguresComeOnlyWhereTheyAreNeeded) {
  for (const bool memory : {false, true}) {
    EngineBench bench;
    want_epochs(bench, memory);
    bench.begin(40, 256);
    bench.begin(40, 256);
    bench.finish();
    std::uint64_t slots = 0;
    for (const auto& epoch : bench.shares.built.front()->epochs)
      for (const SharedEpoch& part : epoch) {
        slots += part.issue_slots;
        EXPECT_LE(part.lost_slots, part.issue_slots);
        if (memory) EXPECT_EQ(part.issue_slots - part.lost_slots, part.warp_instructions);
      }
    EXPECT_EQ(slots > 0, memory);
  }
}

// With a quota of four instructions per epoch the kernels issue little.
TEST(ShareEpochs, QuotasReachTheSms) {
  std::uint64_t cycles[2];
  for (int i = 0; i < 2; ++i) {
    EngineBench bench;
    bench.shares.prepare = [i](ScriptedShares& shares) {
      shares.wanted.epoch_cycles = 300;
      shares.wanted.issue_quotas = i == 1;
      shares.instructions = 4;
    };
    bench.begin(4, 64);
    bench.begin(4, 64);
    bench.finish();
    cycles[i] = bench.engine().now() - Cycle{};
  }
  EXPECT_GT(cycles[1], cycles[0]);
}

}  // namespace heddle::gpu
