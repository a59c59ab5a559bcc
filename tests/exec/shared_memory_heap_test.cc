// Memory that host and device share: the same pages in two address spaces.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include "exec/state/global_memory.h"
#include "exec/state/texture.h"

namespace heddle::exec {
namespace {

TEST(SharedMemory, IsTheSameForHostAndDevice) {
  GlobalMemory memory(1 << 20);
  const Address a = memory.allocate_shared(100, "managed");
  ASSERT_NE(a, Address{0});
  auto* const host = reinterpret_cast<char*>(a.value);
  std::strcpy(host, "from the host");
  EXPECT_STREQ(reinterpret_cast<char*>(memory.host(a)), "from the host");
  memory.host(a)[0] = 'F';
  EXPECT_EQ(host[0], 'F');
  EXPECT_TRUE(memory.valid(a, 100));
  EXPECT_FALSE(memory.valid(a, 101));
  EXPECT_EQ(memory.used_bytes(), 0u);
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.valid(a, 1));
}

TEST(SharedMemory, IsZeroedWhenReused) {
  GlobalMemory memory(1 << 20);
  const Address first = memory.allocate_shared(4096, "one");
  std::memset(reinterpret_cast<void*>(first.value), 1, 4096);
  ASSERT_TRUE(memory.free(first));
  const Address second = memory.allocate_shared(4096, "two");
  EXPECT_EQ(second, first);
  EXPECT_EQ(*reinterpret_cast<char*>(second.value), 0);
}

// Device memory has addresses at which the host may have something else.
TEST(SharedMemory, OnlySharedMemoryIsUnmappedInTheEnd) {
  auto memory = std::make_unique<GlobalMemory>(1 << 20);
  const Address shared = memory->allocate_shared(4096, "managed");
  const Address device = memory->allocate(4096, "device");
  const auto is_mapped = [](Address a) {
    return msync(reinterpret_cast<void*>(a.value), 4096, MS_ASYNC) == 0;
  };
  void* const page = mmap(reinterpret_cast<void*>(device.value), 4096, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(page, reinterpret_cast<void*>(device.value));
  memory.reset();
  EXPECT_FALSE(is_mapped(shared));
  EXPECT_TRUE(is_mapped(device));
  munmap(page, 4096);
}

TEST(SharedMemory, AdoptsHostMemoryWithItsContents) {
  GlobalMemory memory(1 << 20);
  constexpr std::size_t kBytes = 3 * 4096;  // whole pages, because whole pages are adopted
  void* const pages =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  const std::span<int> data(static_cast<int*>(pages), kBytes / sizeof(int));
  std::fill(data.begin(), data.end(), 7);
  const Address a = memory.adopt(data.data() + 1, 2000 * sizeof(int), "registered");
  ASSERT_NE(a, Address{0});
  EXPECT_EQ(data[2999], 7);
  int seven = 0;
  std::memcpy(&seven, memory.host(a), sizeof seven);
  EXPECT_EQ(seven, 7);
  const int eight = 8;
  std::memcpy(memory.host(a + 4), &eight, sizeof eight);
  EXPECT_EQ(data[2], 8);
  EXPECT_TRUE(memory.valid(a, 8000));
  EXPECT_FALSE(memory.valid(a, 8001));
  munmap(pages, kBytes);
}

TEST(Textures, HandlesNameTheirDescription) {
  TextureTable table;
  EXPECT_EQ(table.find(TextureTable::kFirstHandle), nullptr);
  Texture texture;
  texture.image.width = 5;
  const auto handle = table.add(texture);
  EXPECT_EQ(table.find(handle)->image.width, 5u);
  EXPECT_EQ(table.find(handle + 1), nullptr);
  EXPECT_EQ(table.find(0), nullptr);
}

}  // namespace
}  // namespace heddle::exec
