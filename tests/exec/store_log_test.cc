#include "exec/state/store_log.h"

#include <gtest/gtest.h>

#include "base/address_layout.h"

namespace heddle::exec::test {
namespace {

TEST(StoreLog, ALoadFindsTheStoresToEveryLine) {
  StoreLog log;
  constexpr std::uint64_t kLines = 200;
  const auto address = [](std::uint64_t line) { return kHeapBase + line * 7 * 128; };
  for (std::uint64_t line = 0; line < kLines; ++line) log.store(address(line), &line, 8);
  for (std::uint64_t line = 0; line < kLines; ++line) {
    std::uint64_t found = ~std::uint64_t{0};
    log.patch(address(line), &found, 8);
    EXPECT_EQ(found, line);
  }
}

}  // namespace
}  // namespace heddle::exec::test
