#include "exec/state/allocations.h"

#include <gtest/gtest.h>

namespace heddle::exec::test {
namespace {

Allocation block(std::uint64_t base, std::uint64_t bytes, const char* what) {
  return {.base = Address{base}, .bytes = bytes, .what = what};
}

TEST(Allocations, AreFoundByAnyOfTheirBytes) {
  Allocations all(1 << 20);
  all.add(block(0x1000, 100, "first"));
  EXPECT_EQ(all.find(Address{0x1063})->what, "first");
  EXPECT_EQ(all.find(Address{0x1064}), nullptr);
  EXPECT_EQ(all.find(Address{0xfff}), nullptr);
}

TEST(Allocations, EachChangeOfThoseThatAreLiveHasANumberAndEachAllocationAnId) {
  Allocations all(1 << 20);
  const std::uint64_t first = all.add(block(0x1000, 8, "first")).id;
  const std::uint64_t second = all.add(block(0x2000, 8, "second")).id;
  EXPECT_NE(first, second);
  EXPECT_EQ(all.generation(), 2u);
  all.retire(Address{0x1000});
  all.remove(Address{0x2000});
  EXPECT_EQ(all.generation(), 4u);
  EXPECT_TRUE(all.live().empty());
}

TEST(Allocations, FreedOnesAreKnownUntilTheirAddressesAreUsedAgain) {
  Allocations all(1 << 20);
  all.add(block(0x1000, 100, "first"));
  all.add(block(0x2000, 100, "mapped"));
  all.retire(Address{0x1000});
  all.remove(Address{0x2000});
  EXPECT_EQ(all.find_freed(Address{0x1008})->what, "first");
  EXPECT_EQ(all.find_freed(Address{0x2008}), nullptr);  // it was not freed
  all.forget_freed(Address{0x1001}, 0x100);
  EXPECT_NE(all.find_freed(Address{0x1008}), nullptr);  // it begins before that
  all.forget_freed(Address{0x1000}, 1);
  EXPECT_EQ(all.find_freed(Address{0x1008}), nullptr);
}

TEST(Allocations, ARangeIsLiveWhereOneBeginsOrEndsInIt) {
  Allocations all(1 << 20);
  all.add(block(0x1000, 0x100, "first"));
  EXPECT_TRUE(all.any_live_in(0x10ff, 0x2000));
  EXPECT_FALSE(all.any_live_in(0x1100, 0x2000));
  EXPECT_TRUE(all.any_live_in(0x800, 0x1001));
  EXPECT_FALSE(all.any_live_in(0x800, 0x1000));
}

TEST(Allocations, WhatIsChargedCountsAgainstTheCapacity) {
  Allocations all(100);
  all.charge(60);
  EXPECT_TRUE(all.has_room_for(40));
  EXPECT_FALSE(all.has_room_for(41));
  all.charge(50);  // constants before the heap may exceed it
  EXPECT_FALSE(all.has_room_for(0));
  all.refund(50);
  EXPECT_EQ(all.used_bytes(), 60u);
}

TEST(Allocations, ReachTheHostWhenOneIsSharedWithItOrWasItsOwn) {
  Allocations all(1 << 20);
  all.add(block(0x1000, 8, "of the device"));
  EXPECT_FALSE(all.reach_host());
  Allocation shared = block(0x2000, 8, "shared");
  shared.shared_with_host = true;
  all.add(shared);
  EXPECT_TRUE(all.reach_host());
  all.retire(Address{0x2000});
  EXPECT_FALSE(all.reach_host());
}

TEST(Allocations, AnAddressIsDescribedByTheNearestOne) {
  Allocations all(1 << 20);
  EXPECT_EQ(all.describe(Address{0x5000}), "nothing is allocated");
  all.add(block(0x2000, 100, "first"));
  all.add(block(0x3000, 100, "second"));
  EXPECT_EQ(all.describe(Address{0x2001}), "1 byte into first (0x2000, 100 bytes)");
  EXPECT_EQ(all.describe(Address{0x2066}), "2 bytes after the end of first (0x2000, 100 bytes)");
  EXPECT_EQ(all.describe(Address{0x2ffc}),
            "4 bytes before the start of second (0x3000, 100 bytes)");
  EXPECT_EQ(all.describe(Address{8}), "8 bytes into a null pointer");
  std::uint8_t of_host[64];
  Allocation registered = block(0x4000, 64, "third");
  registered.adopted = of_host;
  all.add(registered);
  EXPECT_EQ(all.describe(Address{reinterpret_cast<std::uint64_t>(of_host + 63)}),
            "the host's address of third (0x4000, 64 bytes); cudaHostGetDevicePointer returns the "
            "device's");
}

TEST(Allocations, AHostAddressThatKernelsMayUseIsTranslatedUntilTheAllocationIsFreed) {
  constexpr std::uint64_t host = 0x7f0000000010;
  Allocations all(1 << 20);
  all.add(block(0x4000, 116, "registered"));
  all.accept_host_address(Address{0x4010}, 100, host);
  EXPECT_EQ(all.on_device(Address{host}), Address{0x4010});
  EXPECT_EQ(all.on_device(Address{host + 99}), Address{0x4010 + 99});
  EXPECT_EQ(all.on_device(Address{host + 100}), Address{host + 100});
  EXPECT_EQ(all.on_device(Address{host - 1}), Address{host - 1});
  EXPECT_EQ(all.on_device(Address{0x4010}), Address{0x4010});
  EXPECT_EQ(all.describe(Address{host + 4}), "20 bytes into registered (0x4000, 116 bytes)");
  EXPECT_EQ(all.describe(Address{host + 104}),
            "4 bytes after the end of registered (0x4000, 116 bytes)");
  const std::uint64_t before = all.generation();
  all.retire(Address{0x4000});
  EXPECT_EQ(all.on_device(Address{host}), Address{host});
  EXPECT_NE(all.generation(), before);
}

}  // namespace
}  // namespace heddle::exec::test
