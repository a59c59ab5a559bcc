#include "exec/state/ahead_stores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

TEST(AheadStores, ApplyInTheirOrder) {
  Bench bench;
  const Address a = bench.array(std::vector<std::uint8_t>(100, 7));
  AheadStores stores;
  std::vector<std::uint8_t> expected(100, 7);
  std::uint8_t value = 10;
  for (const std::uint64_t bytes : {1u, 2u, 4u, 8u, 16u, 32u, 4u}) {
    std::fill_n(stores.add(a.value + bytes, bytes), bytes, value);
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(bytes), bytes, value++);
  }
  EXPECT_EQ(stores.used_bytes(), 7 * 8u + 4 * 8 + 8 + 16 + 32);
  EXPECT_EQ(bench.read<std::uint8_t>(a, 100), std::vector<std::uint8_t>(100, 7));
  stores.apply(bench.memory);
  EXPECT_EQ(bench.read<std::uint8_t>(a, 100), expected);
  stores.clear();
  EXPECT_EQ(stores.used_bytes(), 0u);
}

TEST(AheadStores, AFullRecordCannotGoOn) {
  AheadStores stores;
  stores.room().next = stores.room().end;
  EXPECT_THROW(stores.add(kHeapBase, 4), CannotRunAhead);
}

}  // namespace
}  // namespace heddle::exec::test
