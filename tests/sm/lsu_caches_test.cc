#include "sm/lsu/lsu_caches.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;
using Which = LsuCaches::Which;

mem::Request read(std::uint64_t line, int warp = 0) {
  mem::Request request;
  request.address = Address{line * mem::kLineBytes};
  request.bytes = 32;
  request.origin.warp = WarpSlot(warp);
  request.tag = 42;
  return request;
}

TEST(LsuCaches, AMissIsSentAndItsReplyServesTheRequest) {
  LsuBench b;
  b.caches.access(Which::l1d, read(1), 0, b.stats());
  EXPECT_TRUE(b.caches.any_missing());
  b.caches.send_misses(b.port, b.context);
  EXPECT_FALSE(b.caches.any_missing());
  EXPECT_EQ(b.stats().packets_sent, 1u);
  EXPECT_FALSE(b.caches.any_ready());
  EXPECT_TRUE(b.caches.fill(b.sent().at(0), b.context));
  EXPECT_TRUE(b.caches.is_ready(Which::l1d));
  EXPECT_FALSE(b.caches.is_ready(Which::texture));
  EXPECT_EQ(b.caches.pop_ready(Which::l1d).tag, 42u);
  EXPECT_FALSE(b.caches.any_ready());
  EXPECT_TRUE(b.caches.idle());
}

TEST(LsuCaches, EachSendsOneMissInACycle) {
  LsuBench b;
  for (const std::uint64_t line : {1, 2}) b.caches.access(Which::l1d, read(line), 0, b.stats());
  b.caches.access(Which::constant, read(3), 0, b.stats());
  b.caches.send_misses(b.port, b.context);
  EXPECT_EQ(b.sent().size(), 2u);
  b.caches.send_misses(b.port, b.context);
  EXPECT_EQ(b.sent().size(), 1u);
}

TEST(LsuCaches, AReplyWaitsForTheFillPort) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d.data_port_bytes = 32;
  LsuBench b(gpu);
  for (const std::uint64_t line : {1, 2}) b.caches.access(Which::l1d, read(line), 0, b.stats());
  b.caches.send_misses(b.port, b.context);
  b.caches.send_misses(b.port, b.context);
  const auto replies = b.sent();
  EXPECT_TRUE(b.caches.fill(replies.at(0), b.context));  // four cycles
  b.at(3);
  EXPECT_FALSE(b.caches.fill(replies.at(1), b.context));
  b.at(4);
  EXPECT_TRUE(b.caches.fill(replies.at(1), b.context));
}

TEST(LsuCaches, AMissOfAWarpThatHasEndedCountsForTheKernelThatActedLast) {
  LsuBench b;
  KernelContext other;
  other.index = 1;
  b.caches.access(Which::l1d, read(1, 2), 0, b.stats());
  b.warps.resident.reset(WarpSlot(2));
  b.context.acting.set(other);
  b.caches.send_misses(b.port, b.context);
  EXPECT_EQ(b.stats().packets_sent, 0u);
  EXPECT_EQ(other.stats.packets_sent, 1u);
}

TEST(LsuCaches, AnSmMayHaveNoL1) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.l1d.size_bytes = 0;
  LsuBench b(gpu);
  EXPECT_EQ(b.caches.l1d(), nullptr);
  EXPECT_TRUE(b.caches.idle());
}

}  // namespace
}  // namespace heddle::sm
