#include "stats/number_text.h"

#include <gtest/gtest.h>

namespace heddle::stats {

TEST(NumberText, GroupsDigitsByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(NumberText, PrintsSharesAsPercent) {
  EXPECT_EQ(percent(0.5), "50.0 %");
  EXPECT_EQ(percent(0.12345, 2), "12.35 %");
}

}  // namespace heddle::stats
