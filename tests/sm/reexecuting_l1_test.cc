#include "sm/lsu/reexecuting_l1.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

config::GpuSpec one_mshr(config::L1AccessPath access) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d_access = access;
  gpu.sm.l1d.hit_latency = access == config::L1AccessPath::direct ? 0 : 1;
  gpu.sm.l1d.mshr_entries = 1;
  return gpu;
}

// Warp `warp` loads the line; its access has been at the tags when this returns.
OpId load(LsuBench& b, L1FrontEnd& front, std::uint64_t line, int warp, std::uint64_t cycle) {
  b.at(cycle);
  const OpId id = b.start(test::kGlobalLoad, {line}, warp);
  EXPECT_TRUE(b.dispatch(front, id));
  if (b.spec.l1d_access == config::L1AccessPath::queued) b.at(cycle + 1);
  front.serve();
  return id;
}

TEST(ReexecutingL1, AHitPassesARefusedAccessWithEitherWayToTheL1) {
  for (const auto access : {config::L1AccessPath::queued, config::L1AccessPath::direct}) {
    LsuBench b(one_mshr(access));
    b.load_line(3);
    const auto front = make_l1_front_end(b.spec, b.l1, b.context, 4);
    load(b, *front, 1, 0, 0);
    const OpId refused = load(b, *front, 2, 1, 10);
    EXPECT_EQ(b.stats().reexecution_queued, 1u);
    EXPECT_EQ(front->reexecution()->head(), WarpSlot(1));
    const OpId hit = load(b, *front, 3, 2, 20);
    EXPECT_EQ(b.log.completed, std::vector<OpId>{hit});
    EXPECT_FALSE(front->empty());
    b.answer_fetches();
    EXPECT_EQ(front->next_event(), Cycle{});
    b.at(30);
    front->serve();
    EXPECT_EQ(b.stats().reexecuted, 1u);
    EXPECT_EQ(b.ops[refused].pending, 1u);  // its line is on its way
    EXPECT_TRUE(front->empty());
    EXPECT_FALSE(front->waiting());
    EXPECT_EQ(b.log.reexecution_changes, 2);
  }
}

TEST(ReexecutingL1, AWarpsLaterAccessesFollowItsQueuedOne) {
  LsuBench b(one_mshr(config::L1AccessPath::queued));
  b.load_line(3);
  const auto front = make_l1_front_end(b.spec, b.l1, b.context, 4);
  load(b, *front, 1, 0, 0);
  load(b, *front, 2, 1, 10);
  load(b, *front, 3, 1, 20);  // it would hit
  EXPECT_EQ(b.stats().reexecution_queued, 2u);
  EXPECT_TRUE(b.log.completed.empty());
}

TEST(ReexecutingL1, NothingIsTriedAgainBeforeSomethingChanges) {
  LsuBench b(one_mshr(config::L1AccessPath::queued));
  const auto front = make_l1_front_end(b.spec, b.l1, b.context, 4);
  load(b, *front, 1, 0, 0);
  load(b, *front, 2, 1, 10);
  b.at(20);
  front->serve();
  EXPECT_EQ(b.stats().reexecution_tries, 1u);
  EXPECT_EQ(front->next_event(), Cycle::never());
  front->serve();
  EXPECT_EQ(b.stats().reexecution_tries, 1u);
}

TEST(ReexecutingL1, AWarpThatMayNotMissIsServedWhenItHits) {
  LsuBench b(one_mshr(config::L1AccessPath::direct));
  b.load_line(3);
  const auto front = make_l1_front_end(b.spec, b.l1, b.context, 4);
  front->reexecution()->let_miss(WarpMask::only(WarpSlot(0)));
  const OpId hit = load(b, *front, 3, 1, 0);
  EXPECT_EQ(b.log.completed, std::vector<OpId>{hit});
  EXPECT_EQ(b.stats().hits_under_saturation, 1u);
  load(b, *front, 1, 2, 10);
  EXPECT_EQ(b.stats().reexecution_queued, 1u);
  EXPECT_EQ(b.stats().l1d.misses, 0u);
}

TEST(ReexecutingL1, AClosedQueueLetsRefusedAccessesWait) {
  LsuBench b(one_mshr(config::L1AccessPath::direct));
  const auto front = make_l1_front_end(b.spec, b.l1, b.context, 4);
  front->reexecution()->close(true);
  load(b, *front, 1, 0, 0);
  b.at(10);
  EXPECT_FALSE(b.dispatch(*front, b.start(test::kGlobalLoad, {2}, 1)));
  EXPECT_EQ(b.stats().reexecution_queued, 0u);
}

}  // namespace
}  // namespace heddle::sm
