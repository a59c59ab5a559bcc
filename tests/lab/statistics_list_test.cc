#include "lab/statistics_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/share/catalogue.h"

namespace heddle::lab {

TEST(StatisticsList, HasTheStatisticsOfEveryKindOfPolicyWithUnitAndMeaning) {
  const auto list = list_statistics();
  for (const std::string key : {"policy.ccws.vetoed_loads", "policy.dyncta.epochs",
                                "policy.smk.profile_cycles", "policy.warped-slicer.sliced"}) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& field) { return field.key == key; });
    ASSERT_NE(found, list.end()) << key;
    EXPECT_FALSE(found->unit.empty()) << key;
    EXPECT_FALSE(found->meaning.empty()) << key;
  }
}

}  // namespace heddle::lab
