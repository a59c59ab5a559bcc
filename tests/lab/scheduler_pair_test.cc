#include "lab/scheduler_pair.h"

#include <gtest/gtest.h>

namespace heddle::lab {
namespace {

using Names = std::vector<std::string>;

TEST(SchedulerPair, IsNamedAfterTheWarpSchedulerAloneUnderRoundRobin) {
  EXPECT_EQ((SchedulerPair{"gto", "rr"}.name()), "gto");
  EXPECT_EQ((SchedulerPair{"swl:warps=4+lrr", "mapped:direction=x"}.name()),
            "swl:warps=4+lrr + mapped:direction=x");
}

TEST(SchedulerPair, ItsNameIsReadBack) {
  EXPECT_EQ(SchedulerPair::of("swl+lrr").scheduler, "swl+lrr");
  EXPECT_EQ(SchedulerPair::of("swl+lrr").cta_scheduler, "rr");
  EXPECT_EQ(SchedulerPair::of("swl+lrr + lcs").scheduler, "swl+lrr");
  EXPECT_EQ(SchedulerPair::of("swl+lrr + lcs").cta_scheduler, "lcs");
}

TEST(SchedulerPair, APairExistsForEveryCombination) {
  EXPECT_EQ(pair_names({"gto", "ps"}, {"rr", "mapped"}),
            (Names{"gto", "ps", "gto + mapped", "ps + mapped"}));
  EXPECT_TRUE(differ_in_cta_scheduler({"gto", "gto + mapped"}));
  EXPECT_FALSE(differ_in_cta_scheduler({"gto + mapped", "ps + mapped"}));
}

}  // namespace
}  // namespace heddle::lab
