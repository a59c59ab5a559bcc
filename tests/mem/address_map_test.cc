#include "mem/address_map.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "base/address_layout.h"
#include "base/diagnostics.h"

namespace heddle::mem {
namespace {

config::MemorySpec gtx480() {
  config::MemorySpec spec;
  spec.address_bits = "S6 C2 B1 C4 B3 R12";
  return spec;
}

TEST(AddressMap, ReadsR12B3C4B1C2S6) {  // bits 5..0 S, 7..6 C, 8 B, 12..9 C, 15..13 B, 27..16 R
  const AddressMap map(gtx480());
  EXPECT_EQ(map.decode(63), (DramPlace{0, 0, 0}));
  EXPECT_EQ(map.decode(0b11u << 6), (DramPlace{0, 0, 3}));
  EXPECT_EQ(map.decode(1u << 8), (DramPlace{1, 0, 0}));
  EXPECT_EQ(map.decode(0xFu << 9), (DramPlace{0, 0, 0b111100}));
  EXPECT_EQ(map.decode(7u << 13), (DramPlace{0b1110, 0, 0}));
  EXPECT_EQ(map.decode(5u << 16), (DramPlace{0, 5, 0}));
}

TEST(AddressMap, ReadsR13B3C4B1C2S5) {  // 4..0 S, 6..5 C, 7 B, 11..8 C, 14..12 B, 27..15 R
  config::MemorySpec spec = gtx480();
  spec.address_bits = "S5 C2 B1 C4 B3 R13";
  const AddressMap map(spec);
  EXPECT_EQ(map.decode(1u << 7), (DramPlace{1, 0, 0}));
  EXPECT_EQ(map.decode(7u << 12), (DramPlace{0b1110, 0, 0}));
  EXPECT_EQ(map.decode(1u << 15), (DramPlace{0, 1, 0}));
}

TEST(AddressMap, SixChannelsInterleaveEvery256BytesAndTheLowestBankBitPicksTheSlice) {
  const AddressMap map(gtx480());
  for (std::uint32_t block = 0; block < 6; ++block)
    EXPECT_EQ(map.slice_of(Address{block * 256}).slice, block * 2);
  EXPECT_EQ(map.slice_of(Address{6 * 256}).slice, 1u);
  EXPECT_EQ(map.slice_of(Address{12 * 256}).slice, 0u);
}

// GPGPU-Sim 3.2.2: the heap begins at 0x80000000, code at 0xF0000000.
TEST(AddressMap, TheHeapBaseMovesTheHeapAndNeitherCodeNorLocalMemory) {
  config::MemorySpec spec = gtx480();
  const AddressMap plain(spec);
  spec.heap_base = 0x80000000;
  const AddressMap moved(spec);
  EXPECT_EQ(moved.slice_of(Address{kHeapBase}).slice, 5u);  // channel 2: 0x800000 modulo 6
  EXPECT_EQ(moved.dram_of(5, moved.slice_of(Address{kHeapBase}).local),
            (DramPlace{0b0101, 0x1555, 0b101000}));
  for (const std::uint64_t low : {0x00F00000ull, 0x01800000ull})
    EXPECT_EQ(moved.slice_of(Address{low}).local, plain.slice_of(Address{low}).local);
  EXPECT_EQ(moved.slice_of(Address{0xF0000000}, true).slice, 0u);
  EXPECT_NE(moved.slice_of(Address{0xF0000000}).slice, 0u);  // a heap of more than 768 MiB
}

TEST(AddressMap, LocalAddressesOfASliceAreDense) {
  const AddressMap map(gtx480());
  std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
  std::uint64_t highest = 0;
  for (std::uint64_t a = 0; a < 12 * 256 * 64; a += 32) {
    const SlicePlace place = map.slice_of(Address{a});
    EXPECT_EQ(place.local.value & 127, a & 127);
    highest = std::max(highest, place.local.value);
    EXPECT_TRUE(seen.insert({place.slice, place.local.value}).second);
  }
  EXPECT_EQ(highest, 256u * 64 - 32);
}

TEST(AddressMap, ABlockOf4KibLiesInOneHalfOfAnL2WithHalves) {
  config::MemorySpec spec = gtx480();
  spec.partition_hash = 4;
  const AddressMap whole(spec);
  spec.far_latency = 100;
  const AddressMap halves(spec);
  const std::uint32_t half = spec.slices() / 2;
  std::array<int, 2> blocks{};
  for (std::uint64_t block = 0; block < 64; ++block) {
    const bool upper = halves.slice_of(Address{block << 12}).slice >= half;
    ++blocks[upper];
    for (std::uint64_t a = block << 12; a < (block + 1) << 12; a += 32) {
      const std::uint32_t slice = halves.slice_of(Address{a}).slice;
      EXPECT_EQ(slice >= half, upper);
      EXPECT_EQ(slice % half, whole.slice_of(Address{a}).slice % half);
    }
  }
  EXPECT_GT(blocks[0], 20);
  EXPECT_GT(blocks[1], 20);
}

// The table has the slices of 64 MiB.
TEST(AddressMap, HashFourMixesTheNumbersOfBlocksBehindItsTable) {
  config::MemorySpec spec = gtx480();
  spec.partition_hash = 4;
  const AddressMap map(spec);
  for (const std::uint64_t block : {0ull, 1ull, 2ull, 3ull, 1000ull}) {
    const std::uint64_t address = kHeapBase + (64ull << 20) + block * 128;
    std::uint64_t x = address >> 7;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    EXPECT_EQ(map.slice_of(Address{address}).slice, (x ^ x >> 31) % spec.slices()) << block;
  }
}

TEST(AddressMap, DramOfRestoresTheAddressFromTheLocalAddress) {
  const AddressMap map(gtx480());
  for (std::uint64_t a : {0x0ull, 0x100ull, 0x600ull, 0x12345680ull, 0xC0001234ull}) {
    const SlicePlace place = map.slice_of(Address{a});
    EXPECT_EQ(map.dram_of(place.slice, place.local), map.decode((a >> 8) / 6 << 8 | (a & 255)))
        << a;
  }
}

TEST(AddressMap, HashesPermuteTheSlices) {
  for (std::uint32_t hash : {1u, 2u}) {
    config::MemorySpec spec = gtx480();
    spec.channels = 32;
    spec.partition_hash = hash;
    const AddressMap map(spec);
    std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
    for (std::uint64_t a = 0; a < (1u << 21); a += 128)
      EXPECT_TRUE(
          seen.insert({map.slice_of(Address{a}).slice, map.slice_of(Address{a}).local.value})
              .second);
    std::set<std::uint32_t> spread;  // the stride is one row in all slices
    for (std::uint64_t i = 0; i < 64; ++i) spread.insert(map.slice_of(Address{i << 14}).slice);
    EXPECT_GE(spread.size(), 32u);
  }
}

TEST(AddressMap, HashSixAddsNineTimesTheRowToTheChannel) {
  config::MemorySpec spec = gtx480();
  spec.address_bits = "S5 C6 B3 R14";  // a row every 16 KiB of a channel
  spec.slices_per_channel = 2;
  for (const std::uint32_t channels : {6u, 8u, 16u}) {
    spec.channels = channels;
    spec.partition_hash = 0;
    const AddressMap plain(spec);
    spec.partition_hash = 6;
    const AddressMap map(spec);
    std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
    for (std::uint64_t a = 0; a < (1u << 22); a += 128) {
      const SlicePlace place = map.slice_of(Address{a}), without = plain.slice_of(Address{a});
      const std::uint32_t channel = static_cast<std::uint32_t>(a >> 8) % channels,
                          row = static_cast<std::uint32_t>((a >> 8) / channels >> 6);
      EXPECT_EQ(place.slice / 2, (channel + 9 * row) % channels) << a;
      EXPECT_EQ(place.slice % 2, without.slice % 2) << a;
      EXPECT_EQ(place.local.value, without.local.value) << a;
      EXPECT_EQ(map.dram_of(place.slice, place.local), plain.dram_of(without.slice, without.local))
          << a;
      EXPECT_TRUE(seen.insert({place.slice, place.local.value}).second) << a;
    }
  }
}

TEST(AddressMap, RefusesInvalidAddressBits) {
  config::MemorySpec spec = gtx480();
  spec.address_bits = "S6 X2";
  EXPECT_THROW(AddressMap{spec}, UserError);
}

TEST(AddressMap, ScatteredBlocksUseAllSlicesEquallyAndStayDistinct) {
  config::MemorySpec spec = gtx480();
  spec.partition_hash = 4;
  const AddressMap map(spec);
  std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
  std::vector<int> blocks(spec.slices());
  constexpr std::uint64_t kBytes = 12 * 256 * 64;
  for (std::uint64_t a = 0; a < kBytes; a += 32) {
    const SlicePlace place = map.slice_of(Address{a});
    EXPECT_EQ(place.slice, map.slice_of(Address{a & ~std::uint64_t{127}}).slice);
    EXPECT_TRUE(seen.insert({place.slice, place.local.value}).second);
    ++blocks[place.slice];
  }
  for (const int n : blocks)
    EXPECT_NEAR(n, kBytes / 32.0 / spec.slices(), 0.35 * kBytes / 32 / spec.slices());
}

TEST(AddressMap, ScatteredBlocksFollowRandAfterSrandOne) {
  config::MemorySpec spec = gtx480();
  spec.partition_hash = 4;
  const AddressMap map(spec);
  std::uint64_t at = 0xC0000000;  // rand() gives 1804289383, 846930886, 1681692777, 1714636915,
                                  // 1957747793; there are 12 slices
  for (const std::uint32_t slice : {7u, 10u, 9u, 7u, 5u}) {
    EXPECT_EQ(map.slice_of(Address{at}).slice, slice);
    EXPECT_EQ(map.slice_of(Address{at + 96}).slice, slice);
    at += 128;
  }
}

TEST(AddressMap, AHashChangesTheChannelButNotBankRowAndColumn) {
  config::MemorySpec spec = gtx480();
  spec.channels = 8;
  const AddressMap plain(spec);
  for (const std::uint32_t hash : {1u, 2u, 4u}) {
    spec.partition_hash = hash;
    const AddressMap map(spec);
    for (std::uint64_t a = 0xC0000000; a < 0xC0000000 + (1 << 18); a += 96) {
      const SlicePlace here = map.slice_of(Address{a}), there = plain.slice_of(Address{a});
      EXPECT_LT(here.slice, 16u);
      EXPECT_EQ(map.dram_of(here.slice, here.local), plain.dram_of(there.slice, there.local));
    }
  }
}

}  // namespace
}  // namespace heddle::mem
