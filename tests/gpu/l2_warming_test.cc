#include "gpu/engine/l2_warming.h"

#include <gtest/gtest.h>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;

// What DRAM would do for an access of 32 lanes, 4 bytes each, from the address on.
mem::DramBursts warm(EngineBench& bench, isa::OpClass op, std::uint64_t address,
                     isa::Space space = isa::Space::global) {
  const exec::LastCtas last = bench.engine().warming_ctas(bench.launch(4, 256), 6);
  isa::Instruction i;
  i.op_class = op;
  i.access_bytes = 4;
  exec::Step step;
  step.space = space;
  step.executed = LaneMask{~std::uint32_t{0}};
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) step.addresses[lane] = address + 4 * lane;
  last.listener->accessed(i, step);
  return static_cast<const L2Warming&>(*last.listener).dram();
}

}  // namespace

TEST(L2Warming, EightWavesOfCtasWarm) {
  EngineBench bench;
  EXPECT_EQ(bench.engine().warming_ctas(bench.launch(4, 256), 6).count, 8 * 2 * 6u);
}

TEST(L2Warming, NoneWhileLaunchesRun) {
  EngineBench bench;
  bench.begin(4, 256);
  EXPECT_EQ(bench.engine().warming_ctas(bench.launch(4, 256), 6).listener, nullptr);
}

// A burst of this DRAM has 64 bytes; the L1 fetches whole lines.
TEST(L2Warming, ALoadBringsALineInAndTheNextOneFindsIt) {
  EngineBench bench;
  EXPECT_EQ(warm(bench, isa::OpClass::load, 0x10000).reads, 4u);
  EXPECT_EQ(warm(bench, isa::OpClass::load, 0x10000).reads, 0u);
}

TEST(L2Warming, LaterLoadsWriteBackWhatStoresHaveMadeDirty) {
  EngineBench bench;
  const mem::DramBursts none = warm(bench, isa::OpClass::store, 0x10000);
  EXPECT_EQ(none.reads + none.writes, 0u);
  EXPECT_EQ(warm(bench, isa::OpClass::load, 0x10000).reads, 0u);
  std::uint64_t written = 0;
  for (std::uint64_t at = 1; at <= 4 * 768 * 8; ++at)
    written += warm(bench, isa::OpClass::load, 0x10000 + 128 * at).writes;
  EXPECT_GT(written, 0u);
}

TEST(L2Warming, SharedMemoryIsNotInTheL2) {
  EngineBench bench;
  EXPECT_EQ(warm(bench, isa::OpClass::load, 0x10000, isa::Space::shared).reads, 0u);
}

// The kernel has no data and no parameters.
TEST(L2Warming, TheCodeOfALaunchIsInTheL2AndInTheSms) {
  EngineBench cold, warmed;
  warmed.engine().warming_ctas(warmed.launch(4, 256), 6);
  cold.begin(4, 256);
  warmed.begin(4, 256);
  const KernelResult first = cold.finish().front().result, next = warmed.finish().front().result;
  EXPECT_GT(first.sm.instruction.misses, 0u);
  EXPECT_GT(first.memory.dram.reads, 0u);
  EXPECT_EQ(next.sm.instruction.misses, 0u);
  EXPECT_EQ(next.memory.dram.reads, 0u);
  EXPECT_LT(next.cycles, first.cycles);
}

}  // namespace heddle::gpu
