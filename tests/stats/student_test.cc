#include "stats/student.h"

#include <gtest/gtest.h>

namespace heddle::stats {

// The usual tables of the distribution, 95 %, two-sided.
TEST(Student, HasTheQuantilesOfTheTables) {
  EXPECT_DOUBLE_EQ(student_quantile(1), 12.706);
  EXPECT_DOUBLE_EQ(student_quantile(2), 4.303);
  EXPECT_DOUBLE_EQ(student_quantile(5.5), 2.571);
  EXPECT_DOUBLE_EQ(student_quantile(1e9), 1.980);
}

}  // namespace heddle::stats
