#include "lab/kernel_statistics.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "config/config.h"
#include "gpu/results_json.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

gpu::KernelResult launch(const char* name, std::uint64_t start, std::uint64_t cycles,
                         std::uint64_t hits, std::uint64_t accesses) {
  gpu::KernelResult result;
  result.name = name;
  result.start = Cycle{start};
  result.cycles = cycles;
  result.sm.l1d.hits = hits;
  result.sm.l1d.accesses = accesses;
  result.occupancy.limiter = "grid";
  return result;
}

nlohmann::ordered_json results_of(const std::vector<gpu::KernelResult>& launches,
                                  const config::GpuSpec& gpu) {
  gpu::RunSum sum;
  for (const gpu::KernelResult& one : launches) sum.add(one);
  return gpu::results_json(launches, sum.total(), gpu);
}

std::vector<std::string> keys(const std::vector<stats::FieldInfo>& fields) {
  std::vector<std::string> names;
  for (const stats::FieldInfo& field : fields) names.push_back(field.key);
  return names;
}

TEST(KernelStatistics, AreTotalledOverTheLaunchesOfAKernelWithTheirRatios) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  const auto rows = statistics_by_kernel(
      results_of(
          {launch("a", 0, 100, 1, 10), launch("b", 100, 50, 10, 10), launch("a", 150, 100, 9, 90)},
          gpu),
      gpu);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].kernel, "a");
  EXPECT_EQ(rows[0].value("l1d.hits"), 10);
  EXPECT_EQ(rows[0].value("rates.l1d_hits"), 0.1);
  EXPECT_EQ(rows[0].value("cycles"), 200);
  EXPECT_EQ(rows[1].value("rates.l1d_hits"), 1.0);
  EXPECT_EQ(rows[1].value("occupancy.limiter"), "grid");
  EXPECT_EQ(rows[2].kernel, "total");
  EXPECT_EQ(rows[2].value("cycles"), 250);
  EXPECT_TRUE(rows[0].value("energy.static_nj").is_number());
}

TEST(KernelStatistics, HaveNoTotalOfOneKernelAndNoValueOfWhatWasNotCounted) {
  const config::GpuSpec gpu = config::load_gpu("gtx480");
  const auto rows = statistics_by_kernel(results_of({launch("a", 0, 100, 1, 10)}, gpu), gpu);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].value("cta_sharing.hits").is_null());
}

TEST(KernelStatistics, AreSelectedByNameABreakdownWithAllItsParts) {
  const std::vector<std::string> one{"slots.idle"};
  EXPECT_EQ(keys(select_statistics(one)), one);
  const auto slots = keys(select_statistics({"slots", "cycles"}));
  ASSERT_EQ(slots.size(), 9u);
  EXPECT_EQ(slots.front(), "slots.issued");
  EXPECT_EQ(slots.back(), "cycles");
}

TEST(KernelStatistics, RefuseAnUnknownNameWithTheNearestOne) {
  const auto message = [](const std::string& name) -> std::string {
    return message_of([&] { select_statistics({name}); }, "");
  };
  EXPECT_NE(message("l1d.pending_hit").find("did you mean l1d.pending_hits"), std::string::npos)
      << message("l1d.pending_hit");
  EXPECT_NE(message("details.ctas").find("in run.json only"), std::string::npos);
  EXPECT_NE(message("policy.mine.counts").find("there is no statistic"), std::string::npos);
}

}  // namespace
}  // namespace heddle::lab
