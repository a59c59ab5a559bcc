#include "base/host_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle {
namespace {

TEST(HostPages, AreMappedUpToTheLastOne) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), pages = std::uint64_t{5000};
  void* const taken = mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(taken, MAP_FAILED);
  const auto first = reinterpret_cast<std::uint64_t>(taken), end = first + pages * page;
  munmap(reinterpret_cast<void*>(end), page);
  EXPECT_TRUE(is_mapped_in_host(first, 1));
  EXPECT_TRUE(is_mapped_in_host(first, pages * page));
  EXPECT_TRUE(is_mapped_in_host(first + 1, pages * page - 1));
  EXPECT_TRUE(is_mapped_in_host(end - 1, 1));
  EXPECT_FALSE(is_mapped_in_host(first, pages * page + 1));
  EXPECT_FALSE(is_mapped_in_host(end - 1, 2));
  EXPECT_FALSE(is_mapped_in_host(end, 1));
  munmap(taken, pages * page);
}

}  // namespace
}  // namespace heddle
