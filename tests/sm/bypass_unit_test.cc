#include "sm/lsu/bypass_unit.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

TEST(BypassUnit, ALoadWaitsForItsSectors) {
  LsuBench b;
  BypassUnit unit(b.port, b.context);
  const OpId id = b.start(test::kGlobalLoad, {5});
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.stats().bypassing_packets, 1u);
  mem::Packet reply = b.sent().at(0);
  EXPECT_EQ(reply.kind, mem::PacketKind::read);
  EXPECT_EQ(reply.origin, (mem::Requester{3, WarpSlot(0), 0}));
  EXPECT_EQ(reply.origin.pc, 7u);
  EXPECT_EQ(reply.sectors, 0b1111);
  EXPECT_TRUE(BypassUnit::owns(reply));
  EXPECT_FALSE(unit.idle());
  EXPECT_TRUE(unit.take_reply(reply));
  EXPECT_FALSE(unit.take_reply(reply));  // one result at a time
  const BypassUnit::Result result = unit.pop_result();
  EXPECT_EQ(result.op, id);
  EXPECT_EQ(result.sectors, 4u);
  EXPECT_TRUE(unit.idle());
}

TEST(BypassUnit, AStoreIsOutstandingAndHasNoResult) {
  LsuBench b;
  BypassUnit unit(b.port, b.context);
  const OpId id = b.start(test::kGlobalStore, {5});
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.log.stores, 4);
  EXPECT_TRUE(unit.idle());
  EXPECT_FALSE(BypassUnit::owns(b.sent().at(0)));
}

TEST(BypassUnit, AnAtomicCarriesItsHandleAndLanes) {
  LsuBench b;
  BypassUnit unit(b.port, b.context);
  const isa::Instruction atomic = test::memory(isa::OpClass::atomic, isa::Space::global, {1}, {2});
  const OpId id = b.start(atomic, {5});
  b.ops[id].atomic = 11;
  b.ops[id].accesses[0].lanes = LaneMask::only(4);
  unit.dispatch(b.ops[id], id, b.stats());
  const mem::Packet packet = b.sent().at(0);
  EXPECT_EQ(packet.kind, mem::PacketKind::atomic);
  EXPECT_EQ(packet.atomic, 11u);
  EXPECT_EQ(packet.lanes, LaneMask::only(4));
}

TEST(BypassUnit, WithoutCreditsTheInstructionStays) {
  LsuBench b;
  mem::SmPort port(1, 1);
  BypassUnit unit(port, b.context);
  const OpId id = b.start(test::kGlobalLoad, {5, 6});
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.stalls(LsuStall::coalesced_accesses), 1u);
  EXPECT_EQ(b.stalls(LsuStall::network), 1u);
  EXPECT_EQ(b.ops[id].accesses.size(), 1u);
}

}  // namespace
}  // namespace heddle::sm
