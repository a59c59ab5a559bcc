#include "sm/lsu/queued_l1.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

config::GpuSpec latency(std::uint32_t cycles, std::uint32_t mshrs = 8, std::uint32_t banks = 1) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d.hit_latency = cycles;
  gpu.sm.l1d.mshr_entries = mshrs;
  gpu.sm.l1d.banks = banks;
  return gpu;
}

TEST(QueuedL1, AnAccessReachesTheTagsAfterTheHitLatency) {
  LsuBench b(latency(3));
  b.load_line(1);
  QueuedL1 front(b.spec, b.l1, b.context);
  const OpId id = b.start(test::kGlobalLoad, {1});
  b.at(10);
  EXPECT_TRUE(b.dispatch(front, id));
  EXPECT_EQ(front.next_event(), Cycle{13});
  b.at(12);
  front.serve();
  EXPECT_TRUE(b.log.completed.empty());
  b.at(13);
  front.serve();
  EXPECT_EQ(b.log.completed, std::vector<OpId>{id});
  EXPECT_TRUE(front.empty());
  EXPECT_FALSE(front.waiting());
}

TEST(QueuedL1, AcceptsOneAccessInACycle) {
  LsuBench b(latency(3));
  QueuedL1 front(b.spec, b.l1, b.context);
  const OpId id = b.start(test::kGlobalLoad, {1, 2});
  EXPECT_FALSE(b.dispatch(front, id));
  EXPECT_EQ(b.stalls(LsuStall::coalesced_accesses), 1u);
  EXPECT_FALSE(b.dispatch(front, id));  // the same cycle
  EXPECT_EQ(b.stalls(LsuStall::l1d_queue), 1u);
  b.at(1);
  EXPECT_TRUE(b.dispatch(front, id));
}

TEST(QueuedL1, EveryBankAcceptsOneAccessInACycle) {
  LsuBench b(latency(3, 8, 2));
  QueuedL1 front(b.spec, b.l1, b.context);
  const OpId id = b.start(test::kGlobalLoad, {1, 2});
  b.ops[id].accesses[0].address = Address{2 * mem::kLineBytes + mem::kSectorBytes};  // bank 1
  EXPECT_TRUE(b.dispatch(front, id));
}

TEST(QueuedL1, ARefusedAccessBlocksThoseBehindItAndRepeatsItsRefusal) {
  LsuBench b(latency(1, 1));
  QueuedL1 front(b.spec, b.l1, b.context);
  b.load_line(3);
  const auto send = [&](std::uint64_t line, std::uint64_t cycle) {
    b.at(cycle);
    const OpId id = b.start(test::kGlobalLoad, {line});
    EXPECT_TRUE(b.dispatch(front, id));
    b.at(cycle + 1);
    front.serve();
    return id;
  };
  send(1, 0);
  send(2, 1);  // no MSHR is free
  const OpId hit = b.start(test::kGlobalLoad, {3});
  EXPECT_FALSE(b.dispatch(front, hit));
  EXPECT_TRUE(front.is_stuck(b.ops[hit]));
  EXPECT_EQ(front.next_event(), Cycle::never());
  const auto fails = [&] {
    return b.stats().l1d.reservation_fails[static_cast<std::size_t>(mem::FailCause::mshr_full)];
  };
  EXPECT_EQ(fails(), 1u);
  front.serve();
  EXPECT_EQ(fails(), 2u);
  front.repeat(10);
  EXPECT_EQ(fails(), 12u);
  EXPECT_EQ(b.log.accesses.size(), 2u);  // a repeated refusal is not reported
  b.answer_fetches();
  EXPECT_FALSE(front.is_stuck(b.ops[hit]));
  front.serve();
  EXPECT_TRUE(front.empty());
}

TEST(QueuedL1, AStoreIsOutstandingFromItsDispatch) {
  LsuBench b(latency(3));
  QueuedL1 front(b.spec, b.l1, b.context);
  b.dispatch(front, b.start(test::kGlobalStore, {1}));
  EXPECT_EQ(b.log.stores, 4);
}

}  // namespace
}  // namespace heddle::sm
