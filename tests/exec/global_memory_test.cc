#include "exec/state/global_memory.h"

#include <gtest/gtest.h>

namespace heddle::exec::test {
namespace {

TEST(GlobalMemory, PlacesAllocationsOneAfterTheOther) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(100, "first"), b = m.allocate(300, "second");
  EXPECT_EQ(a.value, kHeapBase);
  EXPECT_EQ(b.value, kHeapBase + 256);
  EXPECT_EQ(m.used_bytes(), 256u + 512u);
  EXPECT_EQ(m.allocate(1 << 20, "too much"), Address{0});
}

TEST(GlobalMemory, ChecksBoundsToTheByte) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(256, "first"), b = m.allocate(300, "second");
  EXPECT_TRUE(m.valid(a, 256));
  EXPECT_FALSE(m.valid(a, 257));  // although the next byte is in another allocation
  EXPECT_TRUE(m.valid(b + 256, 44));
  EXPECT_FALSE(m.valid(b + 296, 8));
  EXPECT_TRUE(m.valid(b, 300));
  EXPECT_FALSE(m.valid(Address{kHeapBase - 1}, 1));
  EXPECT_FALSE(m.valid(Address{0}, 4));
  EXPECT_FALSE(m.valid(a + 16, ~std::uint64_t{0} - 7));  // the end wraps around
}

TEST(GlobalMemory, KnowsThePagesThatAGpuMaps) {
  GlobalMemory m(8 * kMappedPageBytes);
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase}, 4));  // nothing is allocated
  const Address a = m.allocate(100, "first"), b = m.allocate(kMappedPageBytes, "second");
  EXPECT_TRUE(m.in_mapped_page(a + 100, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase - 4}, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase - kMappedPageBytes}, 4));
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase - kMappedPageBytes - 4}, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase + 2 * kMappedPageBytes - 4},
                               4));  // the page in which the second allocation ends
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase + 2 * kMappedPageBytes - 4}, 8));
  EXPECT_FALSE(m.in_mapped_page(Address{0}, 4));
  m.free(b);
  EXPECT_FALSE(m.in_mapped_page(b + 8, 4));  // freed
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase + kMappedPageBytes + 4096}, 4));
}

// Compilers keep pointers to constants in 32 bits.
TEST(GlobalMemory, ConstantsLieBelow4GiBHoweverMuchIsAllocated) {
  GlobalMemory m(std::uint64_t{8} << 30);
  const Address first = m.allocate_constant(64, "variable first");
  EXPECT_EQ(first.value, kHeapBase);  // in the heap while there is room
  const Address large = m.allocate(std::uint64_t{5} << 30, "large");
  EXPECT_EQ(large.value, kHeapBase + 256);
  const Address second = m.allocate_constant(300, "variable second"),
                third = m.allocate_constant(8, "variable third");
  EXPECT_EQ(second.value, kConstantsBase);
  EXPECT_EQ(third.value, kConstantsBase + 512);
  EXPECT_TRUE(m.valid(second, 300));
  EXPECT_FALSE(m.valid(second + 300, 1));
  EXPECT_FALSE(m.valid(Address{kConstantsBase - 1}, 1));
  EXPECT_EQ(m.find(second + 299)->what, "variable second");
  m.host(second)[299] = 7;
  EXPECT_EQ(m.host(second + 299)[0], 7);
  EXPECT_GT(m.allocate_variable(64, "variable of .global").value, kShortPointerEnd);
  EXPECT_EQ(m.used_bytes(), large.value - first.value + (std::uint64_t{5} << 30) + 256);
  EXPECT_FALSE(m.free(second));  // variables stay
  EXPECT_TRUE(m.free(large));
  EXPECT_EQ(m.allocate_constant(64, "variable fourth"), large);
}

TEST(GlobalMemory, TheRangeOfConstantsIsBounded) {
  GlobalMemory m(std::uint64_t{2} << 30);
  ASSERT_NE(m.allocate((std::uint64_t{1} << 30) + 256, "large"), Address{0});
  EXPECT_EQ(m.allocate_constant(kConstantsBytes + 1, "variable too_large"), Address{0});
  EXPECT_EQ(m.allocate_constant(kConstantsBytes, "variable table").value, kConstantsBase);
  EXPECT_EQ(m.allocate_constant(1, "variable next"), Address{0});
}

TEST(GlobalMemory, ZeroesReusedHolesAndRemembersFreedBlocks) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(1000, "cudaMalloc #1");
  m.allocate(10, "cudaMalloc #2");
  *m.host(a) = 1;
  EXPECT_TRUE(m.free(a));
  EXPECT_FALSE(m.free(a));
  EXPECT_FALSE(m.valid(a, 1));
  EXPECT_EQ(m.describe(a + 4), "4 bytes into freed cudaMalloc #1 (0xc0000000, 1000 bytes)");
  EXPECT_EQ(m.allocate(500, "cudaMalloc #3"), a);
  EXPECT_EQ(*m.host(a), 0);
  EXPECT_EQ(m.describe(a + 500), "0 bytes after the end of cudaMalloc #3 (0xc0000000, 500 bytes)");
}

TEST(GlobalMemory, CallsTheFirst4KiBANullPointer) {
  const GlobalMemory m(1 << 20);
  EXPECT_EQ(m.describe(Address{0}), "a null pointer");
  EXPECT_EQ(m.describe(Address{8}), "8 bytes into a null pointer");
  EXPECT_EQ(m.describe(Address{4096}), "nothing is allocated");
}

TEST(GlobalMemory, APageBehindAnAllocationThatFillsItsPageIsNotMapped) {
  GlobalMemory m(8 * kMappedPageBytes);
  const Address a = m.allocate(kMappedPageBytes, "a page");
  EXPECT_TRUE(m.in_mapped_page(a + (kMappedPageBytes - 4), 4));
  EXPECT_FALSE(m.in_mapped_page(a + kMappedPageBytes, 4));
}

TEST(GlobalMemory, AdjacentFreedAllocationsBecomeOneHole) {
  for (const bool from_the_front : {false, true}) {
    GlobalMemory m(1 << 20);
    const Address a = m.allocate(256, "a"), b = m.allocate(256, "b");
    m.allocate(256, "c");
    m.free(from_the_front ? a : b);
    m.free(from_the_front ? b : a);
    EXPECT_EQ(m.allocate(512, "both"), a);
  }
}

}  // namespace
}  // namespace heddle::exec::test
