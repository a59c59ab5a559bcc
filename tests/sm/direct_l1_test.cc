#include "sm/lsu/direct_l1.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;

config::GpuSpec direct(std::uint32_t mshrs = 8) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d_access = config::L1AccessPath::direct;
  gpu.sm.l1d.hit_latency = 0;
  gpu.sm.l1d.mshr_entries = mshrs;
  return gpu;
}

TEST(DirectL1, AnAccessPassesTheTagsInTheCycleOfItsDispatch) {
  LsuBench b(direct());
  b.load_line(1);
  DirectL1 front(b.l1, b.context);
  const OpId id = b.start(test::kGlobalLoad, {1});
  EXPECT_TRUE(b.dispatch(front, id));
  EXPECT_EQ(b.log.completed, std::vector<OpId>{id});
  EXPECT_FALSE(front.waiting());
  EXPECT_TRUE(front.empty());
  EXPECT_EQ(front.next_event(), Cycle::never());
}

TEST(DirectL1, ARefusedAccessStaysInItsInstruction) {
  LsuBench b(direct(1));
  DirectL1 front(b.l1, b.context);
  b.dispatch(front, b.start(test::kGlobalLoad, {1}));
  b.at(1);
  const OpId id = b.start(test::kGlobalLoad, {2});
  EXPECT_FALSE(b.dispatch(front, id));
  EXPECT_TRUE(front.is_stuck(b.ops[id]));
  EXPECT_FALSE(b.dispatch(front, id));
  front.repeat_dispatch(b.stats(), 3);
  EXPECT_EQ(b.stalls(LsuStall::l1d_queue), 2u);
  EXPECT_EQ(b.stats().l1d.reservation_fails[static_cast<std::size_t>(mem::FailCause::mshr_full)],
            5u);
  EXPECT_EQ(b.log.accesses.size(), 2u);
  b.answer_fetches();
  EXPECT_TRUE(b.dispatch(front, id));
}

TEST(DirectL1, ARefusedStoreIsNotOutstanding) {
  config::GpuSpec gpu = direct();
  gpu.sm.l1d.miss_queue = 2;
  LsuBench b(gpu);
  DirectL1 front(b.l1, b.context);
  for (const std::uint64_t line : {1, 2, 3}) b.dispatch(front, b.start(test::kGlobalStore, {line}));
  EXPECT_EQ(b.log.stores, 8);
  EXPECT_EQ(b.stalls(LsuStall::l1d_queue), 1u);
}

}  // namespace
}  // namespace heddle::sm
