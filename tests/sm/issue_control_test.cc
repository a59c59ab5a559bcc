#include "sm/warp/issue_control.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

constexpr WarpSlot kWarp{5};

isa::ControlWord word(std::uint8_t stall, bool yield = false) {
  isa::ControlWord w;
  w.stall_cycles = stall;
  w.yield = yield;
  return w;
}
void advance(IssueControl& control, std::uint64_t cycle) { control.advance(Cycle{cycle}); }
// The cycle in which a warp that issued the word in cycle 100 may issue again.
std::uint64_t next_issue(const isa::ControlWord& w) {
  IssueControl control;
  control.issue(kWarp, w, Cycle{100});
  std::uint64_t cycle = 101;
  for (advance(control, cycle); control.stalled(kWarp); advance(control, ++cycle)) {}
  return cycle;
}

TEST(IssueControl, AStallCounterCountsTheCyclesToTheNextIssue) {
  EXPECT_EQ(next_issue(word(1)), 101u);
  EXPECT_EQ(next_issue(word(4)), 104u);
  EXPECT_EQ(next_issue(word(15)), 115u);
}

TEST(IssueControl, TheNextEndOfAStallOrRiseOfACounterIsKnown) {
  IssueControl control;
  EXPECT_EQ(control.next_change(Cycle{100}), Cycle::never());
  control.issue(kWarp, word(9), Cycle{100});
  isa::ControlWord load = word(4);
  load.write_barrier = 0;
  control.issue(WarpSlot{7}, load, Cycle{101});
  EXPECT_EQ(control.next_change(Cycle{102}), Cycle{103});
  EXPECT_EQ(control.advance(Cycle{103}).raised, WarpMask::only(WarpSlot{7}));
  EXPECT_EQ(control.next_change(Cycle{104}), Cycle{105});
  EXPECT_EQ(control.advance(Cycle{105}).released, WarpMask::only(WarpSlot{7}));
  EXPECT_EQ(control.next_change(Cycle{106}), Cycle{109});
  control.start(kWarp);  // another warp, which does not stall
  EXPECT_TRUE(control.advance(Cycle{109}).released.none());
}

TEST(IssueControl, AYieldGivesAwayTheNextCycle) {
  EXPECT_EQ(next_issue(word(1, true)), 102u);
  EXPECT_EQ(next_issue(word(6, true)), 106u);
  EXPECT_EQ(next_issue(word(0, true)), 146u);
  EXPECT_EQ(next_issue(word(0)), 101u);
}

TEST(IssueControl, ACounterIsVisibleTwoCyclesAfterTheIssue) {
  IssueControl control;
  isa::ControlWord producer = word(1), consumer = word(1);
  producer.write_barrier = 3;
  consumer.wait_mask = 1 << 3;
  control.issue(kWarp, producer, Cycle{100});
  advance(control, 101);
  EXPECT_FALSE(control.waits(kWarp, consumer));
  advance(control, 102);
  EXPECT_TRUE(control.waits(kWarp, consumer));
  control.lower(kWarp, 3);
  EXPECT_FALSE(control.waits(kWarp, consumer));
}

TEST(IssueControl, AThresholdAllowsSoManyInFlight) {
  IssueControl control;
  isa::ControlWord producer = word(1), depbar = word(1);
  producer.write_barrier = 0;
  depbar.threshold_counter = 0;
  depbar.threshold = 1;
  for (std::uint64_t cycle = 100; cycle < 102; ++cycle) {
    advance(control, cycle);
    control.issue(kWarp, producer, Cycle{cycle});
  }
  advance(control, 102), advance(control, 103);
  EXPECT_TRUE(control.waits(kWarp, depbar));
  control.lower(kWarp, 0);
  EXPECT_FALSE(control.waits(kWarp, depbar));
}

TEST(IssueControl, AFullCounterStopsItsNextProducer) {
  IssueControl control;
  isa::ControlWord producer = word(1);
  producer.write_barrier = 2;
  std::uint64_t cycle = 0;
  for (; cycle < 63; ++cycle) {
    advance(control, cycle);
    EXPECT_FALSE(control.waits(kWarp, producer));
    control.issue(kWarp, producer, Cycle{cycle});
  }
  advance(control, cycle), advance(control, cycle + 1);
  EXPECT_TRUE(control.waits(kWarp, producer));
}

TEST(IssueControl, AnotherWarpOfTheSlotDoesNotInheritAStall) {
  IssueControl control;
  control.issue(kWarp, word(10), Cycle{100});
  control.start(kWarp);
  EXPECT_FALSE(control.stalled(kWarp));
  control.issue(kWarp, word(12), Cycle{103});
  for (std::uint64_t cycle = 104; cycle < 115; ++cycle) {
    advance(control, cycle);
    EXPECT_TRUE(control.stalled(kWarp)) << cycle;
  }
  advance(control, 115);
  EXPECT_FALSE(control.stalled(kWarp));
}

}  // namespace
}  // namespace heddle::sm
