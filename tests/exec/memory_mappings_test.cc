#include "exec/state/memory_mappings.h"

#include <gtest/gtest.h>

#include "exec/state/global_memory.h"

namespace heddle::exec::test {
namespace {

constexpr std::uint64_t kMap = kMappedPageBytes;

TEST(MemoryMappings, IsValidWhereMemoryIsMappedAndAccessIsAllowed) {
  GlobalMemory m(8 * kMap);
  const Address at = m.mappings().reserve(4 * kMap, 0);
  ASSERT_NE(at, Address{0});
  EXPECT_EQ(at.value % kMap, 0u);
  EXPECT_EQ(m.used_bytes(), 0u);  // address ranges take no memory
  EXPECT_FALSE(m.valid(at, 4));
  const auto one = m.mappings().create(kMap), two = m.mappings().create(2 * kMap);
  EXPECT_EQ(m.used_bytes(), 3 * kMap);
  EXPECT_TRUE(m.mappings().map(at, kMap, one, 0));
  EXPECT_FALSE(m.mappings().map(at, kMap, two, 0));                 // in use
  EXPECT_FALSE(m.mappings().map(at + 3 * kMap, 2 * kMap, two, 0));  // past the reservation
  EXPECT_FALSE(m.mappings().map(at + kMap, 2 * kMap, one, 0));      // more than the memory has
  EXPECT_TRUE(m.mappings().map(at + kMap, 2 * kMap, two, 0));
  EXPECT_FALSE(m.valid(at, 4));                          // mapped, but access is not allowed yet
  EXPECT_FALSE(m.mappings().allow(at, 4 * kMap, true));  // the last part is not mapped
  EXPECT_TRUE(m.mappings().allow(at, 3 * kMap, true));
  EXPECT_TRUE(m.valid(at, 3 * kMap));  // adjacent mappings are one memory
  EXPECT_FALSE(m.valid(at, 3 * kMap + 1));
  EXPECT_FALSE(m.free(at));
  EXPECT_FALSE(m.mappings().release(at, 4 * kMap));  // memory is still mapped
  EXPECT_FALSE(m.mappings().unmap(at, kMap + 256));
  EXPECT_TRUE(m.mappings().unmap(at, 3 * kMap));
  EXPECT_FALSE(m.valid(at, 4));
  EXPECT_EQ(m.describe(at + 8).substr(0, 25), "inside reserved addresses");
  EXPECT_TRUE(m.mappings().release(at, 4 * kMap));
}

TEST(MemoryMappings, ReservesReleasedAddressesAgain) {
  GlobalMemory m(8 * kMap);
  const Address first = m.mappings().reserve(4 * kMap, 0);
  EXPECT_TRUE(m.mappings().release(first, 4 * kMap));
  EXPECT_FALSE(m.mappings().release(first, 4 * kMap));
  EXPECT_EQ(m.mappings().reserve(4 * kMap, 0), first);
}

TEST(MemoryMappings, KeepsMemoryWhileAMappingRefersToIt) {
  GlobalMemory m(8 * kMap);
  const Address low = m.mappings().reserve(kMap, 0),
                high = m.mappings().reserve(2 * kMap, 4 * kMap);
  EXPECT_EQ(high.value % (4 * kMap), 0u);
  auto memory = m.mappings().create(kMap);
  ASSERT_TRUE(m.mappings().map(low, kMap, memory, 0) && m.mappings().allow(low, kMap, true));
  *m.host(low + 100) = 7;
  ASSERT_TRUE(m.mappings().map(high + kMap, kMap, memory, 0) &&
              m.mappings().allow(high + kMap, kMap, true));
  EXPECT_EQ(*m.host(high + kMap + 100), 7);  // two addresses of the same memory
  *m.host(high + kMap + 100) = 8;
  EXPECT_EQ(*m.host(low + 100), 8);
  EXPECT_EQ(m.mappings().find(high).memory, nullptr);
  EXPECT_EQ(m.mappings().find(high + kMap + 5).memory, memory);
  memory.reset();
  EXPECT_TRUE(m.mappings().unmap(low, kMap));
  EXPECT_EQ(*m.host(high + kMap + 100), 8);
  EXPECT_EQ(m.used_bytes(), kMap);
  EXPECT_TRUE(m.mappings().unmap(high + kMap, kMap));
  EXPECT_EQ(m.used_bytes(), 0u);  // no reference is left
  EXPECT_EQ(m.mappings().create(9 * kMap), nullptr);
  const auto fresh = m.mappings().create(8 * kMap);
  ASSERT_TRUE(m.mappings().map(low, kMap, fresh, 0) && m.mappings().allow(low, kMap, true));
  EXPECT_EQ(*m.host(low + 100), 0);
}

}  // namespace
}  // namespace heddle::exec::test
