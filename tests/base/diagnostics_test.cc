#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/bounded_queue.h"

namespace heddle {

TEST(Diagnostics, AViolationOutsideAComponentNamesOnlyThePlace) {
  EXPECT_DEATH(check_invariant(false, "an MSHR was lost"),
               "^heddle: internal error: an MSHR was lost \\(.*diagnostics_test.cc:[0-9]+, .*\\)");
}

TEST(Diagnostics, AViolationNamesComponentAndCycle) {
  Cycle clock{1023};
  const ComponentScope scope("SM", 3, clock);
  ++clock;
  EXPECT_DEATH(check_invariant(false, "an MSHR was lost"),
               "heddle: internal error: SM 3, cycle 1024: an MSHR was lost \\(");
}

TEST(Diagnostics, ComponentScopesNestAndBelongToTheirThread) {
  const Cycle outer_clock{5}, inner_clock{7};
  const ComponentScope outer("memory system", ComponentScope::kNoIndex, outer_clock);
  {
    const ComponentScope inner("memory partition", 2, inner_clock);
    EXPECT_EQ(ComponentScope::describe_current(), "memory partition 2, cycle 7: ");
    std::thread([] { EXPECT_EQ(ComponentScope::describe_current(), ""); }).join();
  }
  EXPECT_EQ(ComponentScope::describe_current(), "memory system, cycle 5: ");
}

TEST(Diagnostics, PlacesAreCutToTheSourceTree) {
  EXPECT_DEATH(BoundedQueue<int>(1).pop(),
               "an element was popped from an empty queue \\(src/base/bounded_queue.h:");
}

TEST(DidYouMean, FollowsAMessageWithTheNearestNames) {
  EXPECT_EQ(did_you_mean("lr", {"gto", "srr", "lrr"}), "; did you mean lrr, srr?");
  EXPECT_EQ(did_you_mean("completely-else", {"gto", "lrr"}), "");
  EXPECT_EQ(did_you_mean("lr", {"lrr", "lrr", "srr", "lrr", "grr"}),
            "; did you mean lrr, srr, grr?");
}

}  // namespace heddle
