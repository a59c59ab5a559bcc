#include "sm/count/standstill.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(Standstill, AnSmWithoutCtasStandsStillFromTheLastStartUntilTheNextKernel) {
  Standstill s;
  EXPECT_EQ(s.kernel_began(0, Cycle{100}), 100u);
  s.last_cta_starts(0, Cycle{120}, false);
  EXPECT_EQ(s.kernel_began(0, Cycle{150}), 30u);
}

TEST(Standstill, AnSmThatOutlivesTheLastStartRunsUntilItsOwnCtasHaveEnded) {
  Standstill s;
  s.kernel_began(0, Cycle{0});
  s.without_ctas(Cycle{10});  // others are left to start
  s.last_cta_starts(0, Cycle{20}, true);
  s.without_ctas(Cycle{40});
  EXPECT_EQ(s.kernel_began(0, Cycle{50}), 10u);
}

TEST(Standstill, NoSmStandsStillWhileAKernelHasCtasLeftToStart) {
  Standstill s;
  s.kernel_began(0, Cycle{0});
  s.kernel_began(1, Cycle{5});
  s.last_cta_starts(0, Cycle{10}, false);
  EXPECT_EQ(s.kernel_began(0, Cycle{30}), 0u);
  s.last_cta_starts(1, Cycle{35}, false);
  s.last_cta_starts(0, Cycle{40}, false);
  EXPECT_EQ(s.kernel_began(0, Cycle{41}), 1u);
}

TEST(Standstill, AnSmStandsStillAfterAKernelThatEndsWithoutALastStart) {
  Standstill s;
  s.kernel_began(0, Cycle{0});
  s.without_ctas(Cycle{10});
  s.last_cta_starts(0, Cycle{12}, false);
  s.last_cta_starts(0, Cycle{15}, false);  // only the first one counts
  EXPECT_EQ(s.kernel_began(0, Cycle{20}), 8u);
}

}  // namespace
}  // namespace heddle::sm
