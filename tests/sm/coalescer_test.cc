#include "sm/lsu/coalescer.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

using Lanes = std::array<std::uint64_t, kWarpSize>;

Lanes strided(std::uint64_t base, std::uint64_t stride) {
  Lanes a{};
  for (std::size_t i = 0; i < kWarpSize; ++i) a[i] = base + stride * i;
  return a;
}
std::vector<MemoryAccess> run(std::uint32_t arch, const Lanes& a, std::uint32_t bytes,
                              LaneMask lanes = LaneMask::all(), bool cached = true, int parts = 1) {
  std::vector<MemoryAccess> out;
  coalesce(coalescing_rules(arch, cached, bytes, parts), lanes, a, bytes, out);
  return out;
}

TEST(Coalescer, ConsecutiveWordsAreOneLineOnFermi) {
  const auto out = run(20, strided(0x1000, 4), 4);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].address, Address{0x1000});
  EXPECT_EQ(out[0].bytes, 128u);
  EXPECT_EQ(out[0].lanes.count(), 32);
}
TEST(Coalescer, ConsecutiveWordsAreFourSectorsOnLaterMachines) {
  EXPECT_EQ(run(61, strided(0x1000, 4), 4).size(), 4u);
  EXPECT_EQ(run(20, strided(0x1000, 4), 4, LaneMask::all(), false).size(),
            4u);  // also on Fermi when the L1 is bypassed
}
TEST(Coalescer, MisalignedWarpTouchesTwoLines) {
  const auto out = run(20, strided(0x1010, 4), 4);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].address, Address{0x1000});
  EXPECT_EQ(out[0].bytes, 128u);
  EXPECT_EQ(out[1].address, Address{0x1080});
  EXPECT_EQ(out[1].bytes, 32u);  // only the first 16 bytes are used
}
TEST(Coalescer, AnElementAcrossTwoLinesIsInBoth) {
  const auto out = run(20, strided(0x1001, 4), 4);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].lanes, LaneMask::all());
  EXPECT_EQ(out[1].lanes, LaneMask::only(31));
}
TEST(Coalescer, SameWordIsOneSmallAccess) {
  const auto out = run(20, strided(0x1064, 0), 4);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].address, Address{0x1060});
  EXPECT_EQ(out[0].bytes, 32u);
}
TEST(Coalescer, LineStrideGivesOneAccessPerLane) {
  EXPECT_EQ(run(20, strided(0x1000, 128), 4).size(), 32u);
}
TEST(Coalescer, EightByteElementsNeedTwoLines) {
  EXPECT_EQ(run(20, strided(0x1000, 8), 8).size(), 2u);
}
TEST(Coalescer, HalfWarpsAreCoalescedSeparately) {
  const auto out = run(13, strided(0x1000, 4), 4, LaneMask::all(), true, 2);
  ASSERT_EQ(out.size(), 2u);  // the same line twice, 64 bytes each
  EXPECT_EQ(out[0].bytes, 64u);
  EXPECT_EQ(out[1].address, Address{0x1040});
}
TEST(Coalescer, BytesUseSmallSegments) {
  EXPECT_EQ(run(20, strided(0x1000, 1), 1).front().bytes, 32u);
}
TEST(Coalescer, OnlyGivenLanesCount) {
  const auto out = run(20, strided(0x1000, 128), 4, LaneMask{0x5});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].lanes.bits, 4u);
}
TEST(Coalescer, AccessesComeInAddressOrder) {
  Lanes a = strided(0x1000, 0);
  a[0] = 0x5000;
  a[1] = 0x3000;
  const auto out = run(20, a, 4, LaneMask::first(3));
  ASSERT_EQ(out.size(), 3u);
  EXPECT_LT(out[0].address, out[1].address);
  EXPECT_LT(out[1].address, out[2].address);
}
TEST(Coalescer, AtomicsOnOneWordNeedAnAccessEach) {
  std::vector<MemoryAccess> out;
  const CoalescingRules rules = coalescing_rules(20, false, 4, 1);
  coalesce_atomics(rules, false, LaneMask::all(), strided(0x1000, 0), 4, out);
  EXPECT_EQ(out.size(), 32u);
}
TEST(Coalescer, CombinedAtomicsOnOneWordShareAnAccess) {
  std::vector<MemoryAccess> out;
  const CoalescingRules rules = coalescing_rules(20, false, 4, 1);
  coalesce_atomics(rules, true, LaneMask::all(), strided(0x1000, 0), 4, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].lanes, LaneMask::all());
}
TEST(Coalescer, AtomicsOnDifferentWordsShareASector) {
  std::vector<MemoryAccess> out;
  const CoalescingRules rules = coalescing_rules(20, false, 4, 1);
  coalesce_atomics(rules, false, LaneMask::first(8), strided(0x1000, 4), 4, out);
  EXPECT_EQ(out.size(), 1u);
}
// Two lanes need one word, so there are two accesses; the other lane joins the first.
TEST(Coalescer, AnAtomicJoinsTheFirstAccessWithoutItsWord) {
  std::vector<MemoryAccess> out;
  Lanes addresses{};
  addresses[0] = addresses[1] = 0x1000;
  addresses[2] = 0x1040;
  coalesce_atomics(atomic_rules(13, 4, 1), false, LaneMask::first(3), addresses, 4, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].bytes, 128u);
  EXPECT_EQ(out[1].bytes, 32u);
}

// GPGPU-Sim 3.2.2, memory_coalescing_arch_13_atomic.
TEST(Coalescer, AtomicsOfArchitecture13FormLinesByHalfWarps) {
  std::vector<MemoryAccess> out;
  coalesce_atomics(atomic_rules(13, 4, 1), false, LaneMask::all(), strided(0x1000, 4), 4, out);
  ASSERT_EQ(out.size(), 2u);  // 64 bytes each
  EXPECT_EQ(out[0].bytes, 64u);
  EXPECT_EQ(out[1].lanes, LaneMask{LaneMask::first(16).bits << 16});
  EXPECT_EQ(atomic_rules(20, 4, 1).parts, 1);
}
TEST(Coalescer, EveryLaneIsServed) {
  Lanes a{};
  for (std::size_t i = 0; i < kWarpSize; ++i) a[i] = 0x1000 + (i * 2654435761u % 4096) / 4 * 4;
  for (std::uint32_t arch : {13u, 20u, 61u}) {
    LaneMask served;
    for (const MemoryAccess& m : run(arch, a, 4)) served |= m.lanes;
    EXPECT_EQ(served, LaneMask::all());
  }
}
TEST(Coalescer, ConstantLoadsMakeOneAccessPerLine) {
  std::vector<MemoryAccess> out;
  coalesce_lines(64, LaneMask::all(), strided(0x100, 8), 4, out);
  EXPECT_EQ(out.size(), 4u);
}

}  // namespace
}  // namespace heddle::sm
