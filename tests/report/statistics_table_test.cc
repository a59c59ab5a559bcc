#include "report/statistics_table.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(StatisticsTable, HasARowForEachStatisticOfEachKernel) {
  const std::vector<lab::KernelStatistics> kernels{
      {"scale", {{"cycles", 1200}, {"rates", {{"l1d_hits", 0.78241}}}}},
      {"total", {{"cycles", 2400}, {"sm", {{"active_lanes", {0, 7, 0, 1000}}}}}}};
  const std::vector<stats::FieldInfo> statistics{{"cycles", "cycles", "", {}},
                                                 {"rates.l1d_hits", "ratio", "", {}},
                                                 {"sm.active_lanes", "lanes", "", {}}};
  EXPECT_EQ(statistics_table(statistics, kernels, 0), R"(
  statistic        unit    kernel           value
  cycles           cycles  scale            1,200
  cycles           cycles  total            2,400
  rates.l1d_hits   ratio   scale           0.7824
  rates.l1d_hits   ratio   total                -
  sm.active_lanes  lanes   scale                -
  sm.active_lanes  lanes   total   1: 7, 3: 1,000
)");
}

}  // namespace
}  // namespace heddle::report
