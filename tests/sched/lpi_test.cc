#include <gtest/gtest.h>

#include "sched/orders/lpi.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using Ages = std::vector<std::uint32_t>;

}  // namespace

TEST(Lpi, InsertsBlockedWarpsIntoTheNearestGaps) {
  EXPECT_EQ(locality_queue(Ages{0, 2, 5, 7}, Ages{1, 3, 4}), (Ages{0, 1, 2, 3, 5, 4, 7}));
}

TEST(Lpi, InsertsASecondWarpIntoAGapOnlyWhenAllGapsAreTaken) {
  EXPECT_EQ(locality_queue(Ages{5}, Ages{1, 2, 3}), (Ages{1, 3, 5, 2}));
  EXPECT_EQ(locality_queue(Ages{}, Ages{1, 2}), (Ages{1, 2}));
}

}  // namespace heddle::sched
