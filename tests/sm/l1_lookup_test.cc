#include "sm/lsu/l1_lookup.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

mem::Access look_up(LsuBench& b, OpId id) {
  const QueuedAccess q = b.l1.next_access(b.ops[id], id, b.context.now);
  const mem::Access access = b.l1.access(q, b.stats());
  if (access.outcome != mem::Outcome::reservation_fail) {
    b.l1.send(q);
    b.l1.answer(q, access);
  }
  return access;
}

TEST(L1Lookup, AHitGivesItsDataAtOnce) {
  LsuBench b;
  b.load_line(1);
  const OpId id = b.start(test::kGlobalLoad, {1});
  EXPECT_EQ(look_up(b, id).outcome, mem::Outcome::hit);
  EXPECT_EQ(b.log.completed, std::vector<OpId>{id});
  EXPECT_EQ(b.log.accesses.size(), 1u);
  EXPECT_EQ(b.stats().l1d.hits, 1u);
}

TEST(L1Lookup, WithDirectAccessAHitsDataArriveAfterTheHitLatency) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d_access = config::L1AccessPath::direct;
  gpu.sm.l1d.hit_latency = 6;
  gpu.sm.shared.warp_parts = 2;  // two cycles of the unit in one of the SM
  LsuBench b(gpu);
  b.load_line(1);
  b.at(10);
  const OpId id = b.start(test::kGlobalLoad, {1});
  look_up(b, id);
  EXPECT_TRUE(b.log.completed.empty());
  EXPECT_EQ(b.l1.next_event(), Cycle{13});
  b.at(12);
  b.l1.end_hit_delays();
  EXPECT_TRUE(b.log.completed.empty());
  b.at(13);
  b.l1.end_hit_delays();
  EXPECT_EQ(b.log.completed, std::vector<OpId>{id});
  EXPECT_FALSE(b.l1.has_delayed_hits());
}

TEST(L1Lookup, AStoreIsOutstandingUntilItIsAcknowledged) {
  LsuBench b;
  const OpId global = b.start(test::kGlobalStore, {1});
  look_up(b, global);
  EXPECT_EQ(b.context.stores, 4);  // the next level acknowledges it
  b.load_line(2);
  const isa::Instruction local = test::memory(isa::OpClass::store, isa::Space::local, {1}, {});
  EXPECT_EQ(look_up(b, b.start(local, {2})).answer, mem::Answer::now);  // it is written back
  EXPECT_EQ(b.context.stores, 4);
  EXPECT_EQ(b.log.stores, 4);
}

TEST(L1Lookup, EveryMissHasAClass) {
  LsuBench b;
  look_up(b, b.start(test::kGlobalLoad, {1}));
  b.answer_fetches();
  b.caches.l1d()->drop_filled_lines();
  look_up(b, b.start(test::kGlobalLoad, {1}, 2));
  EXPECT_EQ(b.stats().l1d.misses, 2u);
  EXPECT_EQ(b.stats().l1d_misses, (std::array<std::uint64_t, 3>{1, 0, 1}));
}

TEST(L1Lookup, WouldHitChangesNothing) {
  LsuBench b;
  b.load_line(1);
  const OpId here = b.start(test::kGlobalLoad, {1}), absent = b.start(test::kGlobalLoad, {2});
  EXPECT_TRUE(b.l1.would_hit(b.l1.next_access(b.ops[here], here, {})));
  EXPECT_FALSE(b.l1.would_hit(b.l1.next_access(b.ops[absent], absent, {})));
  EXPECT_EQ(b.stats().l1d.accesses, 0u);
}

TEST(StoreTag, HoldsAWarpAndSectors) {
  const StoreTag tag = StoreTag::of(WarpSlot(63), 4);
  EXPECT_EQ(tag.warp(), WarpSlot(63));
  EXPECT_EQ(tag.sectors(), 4u);
}

TEST(Refusal, HoldsUntilTheCacheChanges) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d.mshr_entries = 1;
  LsuBench b(gpu);
  Refusal refusal;
  EXPECT_FALSE(refusal.holds(b.l1.cache()));
  look_up(b, b.start(test::kGlobalLoad, {1}));
  const mem::Access refused = look_up(b, b.start(test::kGlobalLoad, {2}));
  ASSERT_EQ(refused.cause, mem::FailCause::mshr_full);
  refusal.note(refused, b.l1.cache());
  EXPECT_TRUE(refusal.holds(b.l1.cache()));
  refusal.repeat(b.stats(), 5);
  EXPECT_EQ(b.stats().l1d.reservation_fails[static_cast<std::size_t>(mem::FailCause::mshr_full)],
            6u);
  b.answer_fetches();
  EXPECT_FALSE(refusal.holds(b.l1.cache()));
}

}  // namespace
}  // namespace heddle::sm
