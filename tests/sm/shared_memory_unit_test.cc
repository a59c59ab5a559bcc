#include "sm/lsu/shared_memory_unit.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

const isa::Instruction kLoad = test::memory(isa::OpClass::load, isa::Space::shared, {}, {1}),
                       kStore = test::memory(isa::OpClass::store, isa::Space::shared, {1}, {});

config::SmSpec shared_latency(std::uint32_t cycles) {
  config::SmSpec spec;
  spec.shared.latency = cycles;
  return spec;
}

TEST(SharedMemoryUnit, AnInstructionOccupiesItForItsBankCycles) {
  LsuBench b;
  SharedMemoryUnit unit(shared_latency(5));
  const OpId id = b.start(kLoad);
  b.ops[id].shared_cycles = 3;
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, Cycle{0}, b.stats()));
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, Cycle{1}, b.stats()));
  EXPECT_TRUE(unit.empty());
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, Cycle{2}, b.stats()));
  EXPECT_EQ(b.stalls(LsuStall::shared_conflict), 2u);
  EXPECT_EQ(unit.next_result(), Cycle{7});
  EXPECT_EQ(unit.pop_result(), id);
  EXPECT_EQ(unit.next_result(), Cycle::never());
}

TEST(SharedMemoryUnit, AStoreHasNoResult) {
  LsuBench b;
  SharedMemoryUnit unit(shared_latency(5));
  const OpId id = b.start(kStore);
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, Cycle{0}, b.stats()));
  EXPECT_TRUE(unit.empty());
}

TEST(SharedMemoryUnit, ALoadWaitsWhileThePipelineIsFull) {
  LsuBench b;
  SharedMemoryUnit unit(shared_latency(1));
  const OpId first = b.start(kLoad), second = b.start(kLoad);
  EXPECT_TRUE(unit.dispatch(b.ops[first], first, Cycle{0}, b.stats()));
  EXPECT_FALSE(unit.dispatch(b.ops[second], second, Cycle{1}, b.stats()));
  unit.pop_result();
  EXPECT_TRUE(unit.dispatch(b.ops[second], second, Cycle{2}, b.stats()));
}

}  // namespace
}  // namespace heddle::sm
