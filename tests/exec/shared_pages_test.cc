#include "exec/state/shared_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace heddle::exec::test {
namespace {

struct HostAndDevice {
  DeviceImage image{1 << 20};
  SharedPages pages{image};
  Allocation allocation(const SharedPages::Range& range, std::uint8_t* adopted = nullptr) const {
    return {.base = range.base,
            .bytes = range.bytes,
            .what = "pages",
            .shared_with_host = adopted == nullptr,
            .adopted = adopted};
  }
};

std::uint8_t* at_host(const SharedPages::Range& range) {
  return reinterpret_cast<std::uint8_t*>(range.base.value);
}

TEST(SharedPages, HostAndDeviceSeeTheSameBytesAtTheSameAddress) {
  HostAndDevice b;
  const SharedPages::Range range = b.pages.take(5000);
  ASSERT_NE(range.base, Address{0});
  EXPECT_EQ(range.bytes, 2 * kHostPageBytes);
  b.pages.show_to_host(range);
  at_host(range)[4999] = 7;
  EXPECT_EQ(b.image.host(range.base)[4999], 7);
  b.pages.release(b.allocation(range));
  const SharedPages::Range again = b.pages.take(5000);
  b.pages.show_to_host(again);
  EXPECT_EQ(again.base, range.base);
  EXPECT_EQ(b.image.host(again.base)[4999], 0);  // what was freed is zero
  b.pages.hide_from_host(b.allocation(again));
}

TEST(SharedPages, OnlyThePartsThatSomebodyTouchedAreFound) {
  HostAndDevice b;
  const SharedPages::Range range = b.pages.take(64 * kHostPageBytes);
  b.pages.show_to_host(range);
  const auto touched = [&] {
    std::uint64_t total = 0;
    b.pages.for_each_touched(b.allocation(range), [&](Address first, std::uint64_t bytes) {
      EXPECT_EQ(first.value % kHostPageBytes, 0u);
      total += bytes;
    });
    return total;
  };
  EXPECT_EQ(touched(), 0u);
  at_host(range)[40 * kHostPageBytes] = 1;
  EXPECT_EQ(touched(), kHostPageBytes);
  b.pages.hide_from_host(b.allocation(range));
}

TEST(SharedPages, TakeTheContentAndThePlaceOfPagesOfTheHost) {
  HostAndDevice b;
  void* const host =
      mmap(nullptr, kHostPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(host, MAP_FAILED);
  auto* const bytes = static_cast<std::uint8_t*>(host);
  bytes[3] = 9;
  const SharedPages::Range range = b.pages.take(kHostPageBytes);
  ASSERT_TRUE(b.pages.replace(range, bytes));
  EXPECT_EQ(b.image.host(range.base)[3], 9);
  b.image.host(range.base)[4] = 8;
  EXPECT_EQ(bytes[4], 8);
  b.pages.release(b.allocation(range, bytes));
  EXPECT_EQ(bytes[4], 8);  // the host keeps them
  EXPECT_NE(b.pages.take(kHostPageBytes).base, range.base);
  munmap(host, kHostPageBytes);
}

TEST(SharedPages, PagesThatTheHostDoesNotHaveAreRefusedAndGivenBack) {
  HostAndDevice b;
  const SharedPages::Range range = b.pages.take(kHostPageBytes);
  EXPECT_FALSE(b.pages.replace(range, reinterpret_cast<std::uint8_t*>(kHostPageBytes)));
  EXPECT_EQ(b.pages.take(kHostPageBytes).base, range.base);
}

TEST(SharedPages, DetachedPagesAreTheDevicesAlone) {
  HostAndDevice b;
  b.pages.detach_host();
  const SharedPages::Range range = b.pages.take(100);
  b.pages.show_to_host(range);
  *b.image.host(range.base) = 5;
  b.pages.release(b.allocation(range));
  EXPECT_EQ(*b.image.host(range.base), 0);
}

}  // namespace
}  // namespace heddle::exec::test
