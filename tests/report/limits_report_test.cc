#include "report/limits_report.h"

#include <gtest/gtest.h>

namespace heddle::report {

TEST(LimitsReport, StartsWithTheProgramsLimit) {
  sched::StaticLimits limits;
  limits.warps = 3;
  limits.cycles = {{2, 1300}, {3, 930}, {4, 1300}};
  limits.kernels = {{"walk", {4, 1, 1}, 2, 2, {{2, 500}, {3, 510}, {4, 900}}},
                    {"add", {9, 1, 1}, 1, 4, {{2, 800}, {3, 420}, {4, 400}}}};
  const std::string text = limits_report(limits, 100);
  const auto program = text.find("the program"), walk = text.find("walk"), add = text.find("add");
  EXPECT_LT(program, walk);
  EXPECT_LT(walk, add);
  EXPECT_NE(text.find("1.398"), std::string::npos) << text;  // 1300 over 930
  EXPECT_NE(text.find("the program: cycles by limit"), std::string::npos) << text;
}

}  // namespace heddle::report
