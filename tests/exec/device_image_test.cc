#include "exec/state/device_image.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "base/diagnostics.h"

namespace heddle::exec::test {
namespace {

// Under `ulimit -v` and valgrind the address space is smaller than the preferred size of shared
// memory.
TEST(DeviceImageDeathTest, ReservesLessWhenAddressSpaceIsLimited) {
  const auto in = [](std::uint64_t bytes) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    try {
      const DeviceImage image(1 << 20);
      std::exit(image.shared_bytes() < kSharedHeapBytes ? 0 : 1);
    } catch (const UserError&) {
      std::exit(2);
    }
  };
  EXPECT_EXIT(in(std::uint64_t{8} << 30), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(in(std::uint64_t{1} << 30), testing::ExitedWithCode(2), "");  // less than the minimum
}

TEST(DeviceImage, IsNotSmallerThanItsHeap) {
  EXPECT_THROW(DeviceImage(~std::uint64_t{0} - (std::uint64_t{64} << 30)), UserError);
  EXPECT_THROW(DeviceImage(kMaxMemoryBytes + 1), UserError);
  const DeviceImage image(1 << 20);
  EXPECT_TRUE(image.has(Address{kHeapBase}, 1 << 20));
  EXPECT_FALSE(image.has(Address{kHeapBase - 1}, 1));
  EXPECT_FALSE(image.has(Address{kHeapBase}, std::uint64_t{1} << 40));
  EXPECT_FALSE(image.has(Address{kHeapBase + 16}, ~std::uint64_t{0} - 7));
}

TEST(DeviceImage, BeginsZeroedAndHasThePartOfTheHostBehindTheHeap) {
  const DeviceImage image(1 << 20);
  EXPECT_GE(image.shared_base(), kHeapBase + (1 << 20));
  EXPECT_EQ(image.end(), image.shared_base() + image.shared_bytes());
  EXPECT_EQ(*image.host(Address{kHeapBase}), 0);
  *image.host(Address{image.shared_base()}) = 7;
  EXPECT_EQ(image.host(Address{kHeapBase})[image.shared_base() - kHeapBase], 7);
}

}  // namespace
}  // namespace heddle::exec::test
