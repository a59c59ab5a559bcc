#include "mem/set_index.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::mem {
namespace {

using config::SetIndex;

std::uint32_t set_of(SetIndex kind, std::uint32_t sets, std::uint64_t address) {
  return SetIndexFunction(kind, sets)(address >> 7, address);
}

TEST(SetIndex, LinearUsesTheLowBitsOfTheLineNumber) {
  EXPECT_EQ(set_of(SetIndex::linear, 32, 0x1F80), 31u);
  EXPECT_EQ(set_of(SetIndex::linear, 48, 49 * 128), 1u);
}

TEST(SetIndex, TheFermiHashFoldsBits13To15And17And19OverBits7To11) {
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 0x0080), 1u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 13), 0b00001u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 14), 0b00010u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 15), 0b00100u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 16), 0u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 17), 0b01000u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 18), 0u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 1u << 19), 0b10000u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, (1u << 13) | 0x0080), 0u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 32, 0x1000), 0u);
}

TEST(SetIndex, TheFermiHashOf64SetsAddsBit12) {
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 64, 0x1000), 32u);
  EXPECT_EQ(set_of(SetIndex::fermi_hash, 64, 0x1F80), 63u);
}

TEST(SetIndex, XorFoldsTheNextBitsOnce) {
  EXPECT_EQ(
      set_of(SetIndex::xor_hash, 32, (std::uint64_t{0b00011} << 12 | std::uint64_t{0b00101} << 7)),
      0b00110u);
}

TEST(SetIndex, PrimeDisplacementAddsSevenTimesTheTag) {
  const auto line = [](std::uint64_t tag, std::uint64_t low) { return (tag * 32 + low) << 7; };
  EXPECT_EQ(set_of(SetIndex::prime_displacement, 32, line(0, 5)), 5u);
  EXPECT_EQ(set_of(SetIndex::prime_displacement, 32, line(1, 5)), 12u);
  EXPECT_EQ(set_of(SetIndex::prime_displacement, 32, line(4, 5)), 1u);  // 5 + 28 = 33
}

TEST(SetIndex, ThePolynomialOf64SetsIsXToTheSixthPlusXPlusOne) {
  EXPECT_EQ(set_of(SetIndex::ipoly, 64, std::uint64_t{5} << 7), 5u);
  EXPECT_EQ(set_of(SetIndex::ipoly, 64, std::uint64_t{64} << 7), 0b000011u);    // x^6 = x + 1
  EXPECT_EQ(set_of(SetIndex::ipoly, 64, std::uint64_t{128} << 7), 0b000110u);   // x^7
  EXPECT_EQ(set_of(SetIndex::ipoly, 64, std::uint64_t{2048} << 7), 0b100011u);  // x^11
}

TEST(SetIndex, ThePolynomialOf32SetsIsXToTheFifthPlusXSquaredPlusOne) {
  EXPECT_EQ(set_of(SetIndex::ipoly, 32, std::uint64_t{32} << 7), 0b00101u);
  EXPECT_EQ(set_of(SetIndex::ipoly, 32, std::uint64_t{1024} << 7), 0b10001u);  // x^10 = x^4 + 1
}

TEST(SetIndex, ThePolynomialSpreadsEveryPowerOfTwoStrideOverAllSets) {
  for (int bits = 1; bits <= PolynomialHash::kMaxBits; ++bits) {
    const PolynomialHash hash(bits);
    for (int stride = 0; stride < 20; ++stride) {
      std::set<std::uint32_t> seen;
      for (std::uint64_t i = 0; i < (1u << bits); ++i) seen.insert(hash(i << stride));
      EXPECT_EQ(seen.size(), std::size_t{1} << bits) << bits << " bits, stride 2^" << stride;
    }
  }
}

}  // namespace
}  // namespace heddle::mem
