#include "sm/lsu/read_only_unit.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::LsuBench;
using Which = LsuCaches::Which;

const isa::Instruction kConstant = test::memory(isa::OpClass::load, isa::Space::constant, {}, {1}),
                       kTexture = test::memory(isa::OpClass::load, isa::Space::texture, {}, {1});

TEST(ReadOnlyUnit, SendsOneAccessInACycle) {
  LsuBench b;
  ReadOnlyUnit unit(Which::texture, false, b.caches, b.context);
  const OpId id = b.start(kTexture, {1, 2});
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.stalls(LsuStall::coalesced_accesses), 1u);
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.stats().texture.misses, 2u);
  EXPECT_EQ(b.ops[id].pending, 2u);  // the data are not here
  b.caches.send_misses(b.port, b.context);
  ASSERT_EQ(b.sent().at(0).client, mem::Client::texture);
}

TEST(ReadOnlyUnit, AHitNeedsNoReply) {
  LsuBench b;
  ReadOnlyUnit unit(Which::constant, false, b.caches, b.context);
  const OpId first = b.start(kConstant, {1});
  b.ops[first].accesses[0].bytes = 4;
  EXPECT_TRUE(unit.dispatch(b.ops[first], first, b.stats()));
  b.caches.send_misses(b.port, b.context);
  mem::Packet reply = b.sent().at(0);
  EXPECT_EQ(reply.client, mem::Client::constant);
  b.at(10);
  EXPECT_TRUE(b.caches.fill(reply, b.context));
  EXPECT_EQ(b.caches.pop_ready(Which::constant).tag, first);
  const OpId second = b.start(kConstant, {1});
  b.ops[second].accesses[0].bytes = 4;
  EXPECT_TRUE(unit.dispatch(b.ops[second], second, b.stats()));
  EXPECT_EQ(b.ops[second].pending, 0u);
  EXPECT_EQ(b.stats().constant.hits, 1u);
}

TEST(ReadOnlyUnit, ARefusedAccessStays) {
  config::GpuSpec gpu = test::gtx480();
  gpu.sm.texture.mshr_entries = 1;
  LsuBench b(gpu);
  ReadOnlyUnit unit(Which::texture, false, b.caches, b.context);
  const OpId id = b.start(kTexture, {1, 2});
  unit.dispatch(b.ops[id], id, b.stats());
  EXPECT_FALSE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.ops[id].accesses.size(), 1u);
  EXPECT_EQ(b.stalls(LsuStall::texture_cache), 1u);
}

TEST(ReadOnlyUnit, APerfectCacheHitsAlways) {
  LsuBench b;
  ReadOnlyUnit unit(Which::constant, true, b.caches, b.context);
  const OpId id = b.start(kConstant, {1, 2});
  EXPECT_TRUE(unit.dispatch(b.ops[id], id, b.stats()));
  EXPECT_EQ(b.ops[id].pending, 0u);
  EXPECT_EQ(b.stats().constant.accesses, 0u);
}

}  // namespace
}  // namespace heddle::sm
