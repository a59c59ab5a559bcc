#include "sm/count/standstill.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(Standstill, AnSmWithoutCtasStandsStillFromTheLastStartUntilTheNextKernel) {
  Standstill s;
  EXPECT_EQ(s.kernel_began(Cycle{100}), 100u);
  s.last_cta_starts(Cycle{120}, false);
  EXPECT_EQ(s.kernel_began(Cycle{150}), 30u);
}

TEST(Standstill, AnSmThatOutlivesTheLastStartRunsUntilItsOwnCtasHaveEnded) {
  Standstill s;
  s.kernel_began(Cycle{0});
  s.without_ctas(Cycle{10});  // others are left to start
  s.last_cta_starts(Cycle{20}, true);
  s.without_ctas(Cycle{40});
  EXPECT_EQ(s.kernel_began(Cycle{50}), 10u);
}

TEST(Standstill, NoSmStandsStillWhileAKernelHasCtasLeftToStart) {
  Standstill s;
  s.kernel_began(Cycle{0});
  s.kernel_began(Cycle{5});
  s.last_cta_starts(Cycle{10}, false);
  EXPECT_EQ(s.kernel_began(Cycle{30}), 0u);
  s.last_cta_starts(Cycle{35}, false);
  s.last_cta_starts(Cycle{40}, false);
  EXPECT_EQ(s.kernel_began(Cycle{41}), 1u);
}

}  // namespace
}  // namespace heddle::sm
