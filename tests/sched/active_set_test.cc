// Deferred steps of blocked warps have the same effect as steps made one by one.
#include "sched/orders/active_set.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle::sched {

TEST(ActiveSet, DeferredStepsEqualStepsMadeOneByOne) {
  std::mt19937 random(7);
  for (const bool eligible : {false, true}) {
    ActiveSet deferred({4, eligible, {}}), made({4, eligible, {}});
    for (int w = 0; w < 11; ++w) deferred.launch(WarpSlot(w)), made.launch(WarpSlot(w));
    std::uint64_t steps_all_blocked = 0;
    for (int round = 0; round < 2000; ++round) {
      sm::IssueView view;
      const bool all = random() % 2;
      for (int w = 0; w < 11; ++w) view.waits_for_long.assign(WarpSlot(w), all || random() % 3);
      const std::uint64_t cycles = 1 + random() % 40;
      steps_all_blocked += all ? cycles : 0;
      deferred.steps(view, cycles);
      if (round % 3) deferred.steps(view, 5);
      for (std::uint64_t i = 0; i < cycles + (round % 3 ? 5 : 0); ++i) made.step(view);
      ASSERT_EQ(deferred.statistics().demotions, made.statistics().demotions);
      ASSERT_EQ(deferred.statistics().promotions, made.statistics().promotions);
      if (round % 5) continue;
      view.waits_for_long = {};
      deferred.step(view), made.step(view);
      const WarpSlot first = made.first_of(WarpMask::first(11));
      ASSERT_EQ(deferred.first_of(WarpMask::first(11)), first);
      deferred.rotate_past(first), made.rotate_past(first);
    }
    EXPECT_GT(steps_all_blocked, 1000u);
    EXPECT_GT(made.statistics().demotions, eligible ? 1000u : 4000u);
  }
}

}  // namespace heddle::sched
