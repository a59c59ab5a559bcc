#include "report/column_chart.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(ColumnChart, DrawsValuesInEighthsOfARowWithMarksAndLabelsBelow) {
  // Of 1600 in two rows of eight eighths: 100 for each eighth.
  const std::vector<Column> columns{{"1", 1600, false}, {"2", 400, true}, {"3", 0, false}};
  EXPECT_EQ(column_chart(columns, 2, " "),
            " 1,600 █\n"
            "     0 █▄\n"
            "        *\n"
            "       1 3\n");
}

TEST(ColumnChart, IsEmptyWithoutAPositiveValue) {
  EXPECT_EQ(column_chart({{"1", 0, false}}, 2, ""), "");
}

}  // namespace
}  // namespace heddle::report
