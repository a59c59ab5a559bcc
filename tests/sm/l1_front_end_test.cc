#include "sm/lsu/l1_front_end.h"

#include <gtest/gtest.h>

#include "sm/lsu/direct_l1.h"
#include "sm/lsu/queued_l1.h"
#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

TEST(L1FrontEnd, IsTheOneThatTheParametersName) {
  for (const auto access : {config::L1AccessPath::queued, config::L1AccessPath::direct}) {
    config::GpuSpec gpu = test::gtx480();
    gpu.sm.l1d_access = access;
    test::LsuBench b(gpu);
    const auto plain = make_l1_front_end(b.spec, b.l1, b.context, 0),
               queued = make_l1_front_end(b.spec, b.l1, b.context, 4);
    const bool direct = access == config::L1AccessPath::direct;
    EXPECT_EQ(dynamic_cast<DirectL1*>(plain.get()) != nullptr, direct);
    EXPECT_EQ(dynamic_cast<QueuedL1*>(plain.get()) != nullptr, !direct);
    EXPECT_EQ(dynamic_cast<DirectL1*>(queued.get()) != nullptr, direct);
    EXPECT_EQ(plain->reexecution(), nullptr);
    ASSERT_NE(queued->reexecution(), nullptr);
    EXPECT_TRUE(plain->empty() && queued->empty());
  }
}

}  // namespace
}  // namespace heddle::sm
