#include "report/glossary.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Glossary, HasTheMeaningOfATermInTheOrderOfTheQuestion) {
  const auto rows = glossary_rows({"row hit", "SM"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].second, "a DRAM access to the row that is open in its bank");
  EXPECT_EQ(rows[1].first, "SM");
  EXPECT_EQ(rows[1].second, "streaming multiprocessor: the core that runs warps");
}

}  // namespace
}  // namespace heddle::report
