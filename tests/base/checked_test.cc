#include "base/checked.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST(Checked, KnowsResultsBeyond64Bits) {
  EXPECT_EQ((Checked(kMost - 1) + 1).value(), kMost);
  EXPECT_EQ((Checked(kMost) + 1).value(), std::nullopt);
  EXPECT_EQ((Checked(std::uint64_t{1} << 32) * (std::uint64_t{1} << 31)).value(),
            std::uint64_t{1} << 63);
  EXPECT_EQ((Checked(std::uint64_t{1} << 32) * (std::uint64_t{1} << 32)).value(), std::nullopt);
}

TEST(Checked, StaysInexactWhateverFollows) {
  const Checked wrapped = Checked(kMost) + 1;
  EXPECT_EQ((wrapped * 0).value(), std::nullopt);
  EXPECT_FALSE((wrapped * 0).at_most(kMost));
  EXPECT_FALSE((wrapped * 0).equals(0));
  EXPECT_EQ((Checked(1) + wrapped).value(), std::nullopt);
}

TEST(Checked, ComparesExactResults) {
  EXPECT_TRUE((Checked(2) * 3 + 4).equals(10));
  EXPECT_TRUE((Checked(2) * 3 + 4).at_most(10));
  EXPECT_FALSE((Checked(2) * 3 + 4).at_most(9));
}

TEST(IsInside, DoesNotWrapAround) {
  EXPECT_TRUE(is_inside(0, 8, 8));
  EXPECT_TRUE(is_inside(8, 0, 8));
  EXPECT_FALSE(is_inside(1, 8, 8));
  EXPECT_FALSE(is_inside(9, 0, 8));
  EXPECT_FALSE(is_inside(16, kMost - 7, 64));
}

}  // namespace
}  // namespace heddle
