// Deferred steps of blocked warps have the same effect as steps made one by one.
#include "sched/orders/active_set.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The queues as two lists, moved in every step.
class PlainQueues {
 public:
  PlainQueues(std::uint32_t max_active, int slots) : max_active_(max_active) {
    for (int w = 0; w < slots; ++w)
      (active_.size() < max_active ? active_ : pending_).push_back(WarpSlot(w));
  }
  void step(WarpMask blocked) {
    std::vector<WarpSlot> stay;
    for (const WarpSlot w : active_) (blocked.test(w) ? pending_ : stay).push_back(w);
    active_ = stay;
    while (active_.size() < max_active_ && !pending_.empty()) {
      active_.push_back(pending_.front());
      pending_.erase(pending_.begin());
    }
  }
  void rotate_past(WarpSlot warp) {
    const auto place = std::find(active_.begin(), active_.end(), warp);
    if (place != active_.end()) std::rotate(active_.begin(), place + 1, active_.end());
  }
  WarpSlot first_of(WarpMask among) const {
    const auto place =
        std::find_if(active_.begin(), active_.end(), [&](WarpSlot w) { return among.test(w); });
    return place == active_.end() ? WarpSlot::none : *place;
  }
  WarpMask active() const {
    WarpMask all;
    for (const WarpSlot w : active_) all.set(w);
    return all;
  }

 private:
  std::size_t max_active_;
  std::vector<WarpSlot> active_, pending_;
};

}  // namespace

TEST(ActiveSet, ChoosesAndRotatesAsQueuesThatMoveInEveryStep) {
  std::mt19937 random(11);
  for (const std::uint32_t max_active : {1u, 4u, 6u, 13u}) {
    PolicyContext where;
    where.warp_slots = 13;
    ActiveSet set({max_active, false, {}}, where);
    PlainQueues plain(max_active, 13);
    for (int w = 0; w < 13; ++w) set.launch(WarpSlot(w), 0);
    sm::IssueView view;
    view.live = WarpMask::first(13);
    std::uint64_t chosen = 0;
    for (int cycle = 0; cycle < 20000; ++cycle) {
      // Most cycles change nothing; a blocked warp is rarely issuable.
      if (random() % 4 == 0) {
        const WarpSlot w(static_cast<int>(random() % 13));
        view.reads_loaded.assign(w, random() % 3 != 0);
      }
      view.issuable = WarpMask(random()) & view.live;
      if (random() % 8) view.issuable &= ~view.reads_loaded;
      set.step(view), plain.step(view.reads_loaded);
      const WarpSlot warp = set.first_of(view.issuable);
      ASSERT_EQ(warp, plain.first_of(view.issuable)) << cycle;
      ASSERT_EQ(set.levels().active_warps, plain.active().count());
      if (!warp) continue;
      ++chosen;
      set.rotate_past(warp), plain.rotate_past(warp);
      if (random() % 16 == 0) {
        ASSERT_EQ(set.examined(view.live), plain.active());
      }
      if (random() % 8) continue;  // a second issue in the same cycle
      const WarpSlot second(static_cast<int>(random() % 13));
      set.rotate_past(second), plain.rotate_past(second);
    }
    EXPECT_GT(chosen, 5000u);
  }
}

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
