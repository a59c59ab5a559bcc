// Deferred steps of blocked warps have the same effect as steps made one by one.
#include "sched/orders/active_set.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace heddle::sched {
namespace {

using Moves = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
Moves by_kernel(const ActiveSet& set) {
  Moves moves;
  set.statistics().for_each(
      [&](int, const ActiveSetStatistics& s) { moves.emplace_back(s.demotions, s.promotions); });
  return moves;
}

}  // namespace

// Of four empty slots, two are active. A step exchanges them for the pending ones.
TEST(ActiveSet, AKernelMayBeginWithStepsInWhichEverySlotIsEmpty) {
  for (const std::uint32_t steps : {0u, 1u, 2u}) {
    PolicyContext four_slots;
    four_slots.warp_slots = 4;
    four_slots.cycles_before_ctas = steps;
    ActiveSet set({2, false, {}}, four_slots);
    set.begin_kernel();
    EXPECT_EQ(set.first_of(WarpMask::first(4)), WarpSlot(steps == 1 ? 2 : 0));
  }
}

TEST(ActiveSet, DeferredStepsEqualStepsMadeOneByOne) {
  std::mt19937 random(7);
  for (const bool eligible : {false, true}) {
    PolicyContext eleven_slots;
    eleven_slots.warp_slots = 11;
    ActiveSet deferred({4, eligible, {}}, eleven_slots), made({4, eligible, {}}, eleven_slots);
    for (int w = 0; w < 11; ++w)
      deferred.launch(WarpSlot(w), w % 3), made.launch(WarpSlot(w), w % 3);
    std::uint64_t steps_all_blocked = 0;
    for (int round = 0; round < 2000; ++round) {
      sm::IssueView view;
      view.live = WarpMask::first(11);
      const bool all = random() % 2;
      for (int w = 0; w < 11; ++w) view.reads_loaded.assign(WarpSlot(w), all || random() % 3);
      view.waits_for_long = view.reads_loaded;
      const std::uint64_t cycles = 1 + random() % 40;
      steps_all_blocked += all ? cycles : 0;
      deferred.steps(view, cycles);
      if (round % 3) deferred.steps(view, 5);
      for (std::uint64_t i = 0; i < cycles + (round % 3 ? 5 : 0); ++i) made.step(view);
      ASSERT_EQ(by_kernel(deferred), by_kernel(made));
      if (round % 5) continue;
      view.reads_loaded = view.waits_for_long = {};
      deferred.step(view), made.step(view);
      const WarpSlot first = made.first_of(WarpMask::first(11));
      ASSERT_EQ(deferred.first_of(WarpMask::first(11)), first);
      deferred.rotate_past(first), made.rotate_past(first);
    }
    EXPECT_GT(steps_all_blocked, 1000u);
    EXPECT_GT(made.statistics().sum().demotions, eligible ? 1000u : 4000u);
  }
}

}  // namespace heddle::sched
