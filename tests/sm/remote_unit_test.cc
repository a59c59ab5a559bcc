#include "sm/lsu/remote_unit.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

OpId start(LsuBench& b, const isa::Instruction& instruction, std::uint32_t sectors) {
  const OpId id = b.start(instruction);
  b.ops[id].remote = 5;
  b.ops[id].remote_sectors = sectors;
  return id;
}

TEST(RemoteUnit, AnAccessOccupiesThePortForItsSectors) {
  LsuBench b;
  RemoteUnit unit(2, b.context);
  const isa::Instruction load = test::memory(isa::OpClass::load, isa::Space::shared, {1}, {2});
  const OpId id = start(b, load, 3);
  int cycles = 1;
  while (!unit.dispatch(b.ops[id], id, b.stats())) ++cycles;
  EXPECT_EQ(cycles, 6);
  const auto requests = unit.take_requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].op, id);
  EXPECT_EQ(requests[0].access, 5u);
  EXPECT_FALSE(unit.idle());
  EXPECT_EQ(unit.next_answer(), Cycle::never());
  unit.answer(requests[0], Cycle{100});
  EXPECT_EQ(unit.next_answer(), Cycle{100});
  EXPECT_TRUE(unit.answers_load());
  EXPECT_EQ(unit.pop_result(), id);
  EXPECT_TRUE(unit.idle());
}

TEST(RemoteUnit, AStoreIsOutstandingUntilItsAnswer) {
  LsuBench b;
  RemoteUnit unit(1, b.context);
  const isa::Instruction store = test::memory(isa::OpClass::store, isa::Space::shared, {1}, {});
  const OpId id = start(b, store, 1);
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.log.stores, 1);
  unit.answer(unit.take_requests().at(0), Cycle{50});
  b.at(49);
  unit.end_stores();
  EXPECT_EQ(b.log.stores, 1);
  b.at(50);
  unit.end_stores();
  EXPECT_EQ(b.log.stores, 0);
  EXPECT_TRUE(unit.idle());
}

}  // namespace
}  // namespace heddle::sm
