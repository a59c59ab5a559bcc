#include "stats/geometric_mean.h"

#include <gtest/gtest.h>

namespace heddle::stats {
namespace {

TEST(GeometricMean, IsTheRootOfTheProduct) {
  GeometricMean mean;
  EXPECT_TRUE(mean.empty());
  EXPECT_EQ(mean.value(), 1);
  for (const double value : {2.0, 8.0}) mean.add(value);
  EXPECT_DOUBLE_EQ(mean.value(), 4);
}

}  // namespace
}  // namespace heddle::stats
