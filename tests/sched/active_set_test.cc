// Turns of blocked warps that are only counted leave the set as turns that are made.
#include "sched/orders/active_set.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle::sched {

TEST(ActiveSet, CountedTurnsComeOutAsMadeOnes) {
  std::mt19937 random(7);
  for (const bool eligible : {false, true}) {
    ActiveSet counted({4, eligible}), made({4, eligible});
    for (int w = 0; w < 11; ++w) counted.launch(WarpSlot(w)), made.launch(WarpSlot(w));
    std::uint64_t turns_of_all = 0;
    for (int round = 0; round < 2000; ++round) {
      sm::IssueView view;
      const bool all = random() % 2;
      for (int w = 0; w < 11; ++w) view.waits_for_long.assign(WarpSlot(w), all || random() % 3);
      const std::uint64_t cycles = 1 + random() % 40;
      turns_of_all += all ? cycles : 0;
      counted.steps(view, cycles);
      if (round % 3) counted.steps(view, 5);
      for (std::uint64_t i = 0; i < cycles + (round % 3 ? 5 : 0); ++i) made.step(view);
      ASSERT_EQ(counted.statistics().demotions, made.statistics().demotions);
      ASSERT_EQ(counted.statistics().promotions, made.statistics().promotions);
      if (round % 5) continue;
      view.waits_for_long = {};
      counted.step(view), made.step(view);
      const WarpSlot first = made.first_of(WarpMask::first(11));
      ASSERT_EQ(counted.first_of(WarpMask::first(11)), first);
      counted.rotate_behind(first), made.rotate_behind(first);
    }
    EXPECT_GT(turns_of_all, 1000u);
    EXPECT_GT(made.statistics().demotions, eligible ? 1000u : 4000u);
  }
}

}  // namespace heddle::sched
