// The texture cache of an SM's load/store unit.
#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm {
namespace {

using namespace test;
using isa::OpClass;

isa::Instruction fetch(std::uint16_t to) {
  return memory(OpClass::load, isa::Space::texture, {}, {to});
}

TEST(TextureCache, AFetchTakesOneAccessForEveryLine) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  // Lanes at consecutive texels of one byte, from the middle of a line on: two lines.
  Bench b(
      {fetch(1), make(OpClass::int_add, {1}, {2}), exit()},
      [](WarpSlot, exec::Step& s) {
        for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 0xC0000000 + 112 + l;
      },
      g);
  b.run();
  EXPECT_EQ(b.stats().texture.accesses, 2u);
  EXPECT_EQ(b.stats().texture.misses, 2u);
  EXPECT_EQ(b.stats().loads[static_cast<std::size_t>(CountedSpace::texture)], 1u);
  EXPECT_EQ(b.stats().l1d.accesses, 0u);
  ASSERT_EQ(b.seen.size(), 2u);
  for (const mem::Packet& p : b.seen) EXPECT_EQ(p.client, mem::Client::texture);
  EXPECT_GE(b.source.gap(0, 1), 100u);  // the add waits for memory
}

TEST(TextureCache, KeepsLines) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({fetch(1), make(OpClass::int_add, {1}, {2}), fetch(3), make(OpClass::int_add, {3}, {4}),
           exit()},
          {}, g);
  b.run();
  EXPECT_EQ(b.stats().texture.hits, 1u);
  EXPECT_EQ(b.stats().texture.fetches, 1u);
  EXPECT_LT(b.source.gap(2, 3), 50u);
}

TEST(TextureCache, AFetchWithoutTexelsSendsNoRequest) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      {fetch(1), make(OpClass::int_add, {1}, {2}), exit()},
      [](WarpSlot, exec::Step& s) { s.space = isa::Space::none; }, g);
  b.run();
  EXPECT_EQ(b.stats().texture.accesses, 0u);
  EXPECT_TRUE(b.seen.empty());
}

}  // namespace
}  // namespace heddle::sm
