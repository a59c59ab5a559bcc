#include "lab/statistics_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/cta/catalogue.h"
#include "gpu/derived.h"
#include "gpu/share/catalogue.h"
#include "sched/catalogue.h"

namespace heddle::lab {
namespace {

TEST(StatisticsList, NamesEachStatisticOnce) {
  std::set<std::string> names;
  for (const stats::FieldInfo& field : list_statistics())
    EXPECT_TRUE(names.insert(field.key).second) << field.key;
}

TEST(StatisticsList, HasTheStatisticsOfPoliciesOfEachKindWithTheirMeaning) {
  const auto list = list_statistics();
  for (const auto& policies :
       {sched::list_policies(), gpu::list_cta_policies(), gpu::list_share_policies()}) {
    std::size_t statistics = 0;
    for (const auto& policy : policies)
      for (const stats::FieldInfo& own : policy.statistics) {
        const auto found = std::find_if(list.begin(), list.end(), [&](const auto& field) {
          return field.key == "policy." + own.key;
        });
        ASSERT_NE(found, list.end()) << own.key;
        EXPECT_EQ(found->unit, own.unit);
        EXPECT_FALSE(found->meaning.empty()) << own.key;
        ++statistics;
      }
    EXPECT_GT(statistics, 0u);
  }
}

TEST(StatisticsList, HasEveryDerivedFigureByItsPath) {
  std::set<std::string> names;
  for (const stats::FieldInfo& field : list_statistics()) names.insert(field.key);
  for (const char* group : {gpu::kHeadline, gpu::kCtas, gpu::kRates, gpu::kReadTime, gpu::kLanes})
    for (const gpu::Derived& one : gpu::derived_figures(group))
      EXPECT_TRUE(names.contains(*group ? std::string(group) + "." + std::string(one.name)
                                        : std::string(one.name)))
          << one.name;
}

}  // namespace
}  // namespace heddle::lab
