// The loops of a warp.
#include <gtest/gtest.h>

#include <string>

#include "sm/warp/loop_tracker.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;

// 0; an outer loop 1..8 around an inner one 3..5, and a call at 4; 9; the called function 10..13
// with a loop 11..12.
isa::Kernel loops() {
  isa::Kernel kernel;
  kernel.instructions.assign(14, make(OpClass::alu));
  const auto loop = [&](Pc first, Pc end, std::uint16_t parent) {
    const auto id = static_cast<std::uint16_t>(kernel.loops.size());
    isa::Loop l;
    l.header = first;
    l.parent = parent;
    l.ranges = {{first, end}};
    kernel.loops.push_back(l);
    for (Pc pc = first; pc < end; ++pc) kernel.instructions[pc].loop = id;
    kernel.instructions[first].loop_header = true;
  };
  loop(1, 9, isa::Loop::kNone);
  loop(3, 6, 0);
  loop(11, 13, isa::Loop::kNone);
  kernel.instructions[4].op_class = OpClass::call;
  return kernel;
}

// "+0" when an iteration of loop 0 begins, "-0" when the loop ends.
std::string events_of(const std::vector<Pc>& issued) {
  const isa::Kernel kernel = loops();
  LoopTracker tracker;
  std::string all;
  tracker.start(WarpSlot(3));
  for (const Pc pc : issued)
    tracker.issued(
        WarpSlot(3), kernel, pc, [&](std::uint16_t l) { all += "-" + std::to_string(l); },
        [&](std::uint16_t l) { all += "+" + std::to_string(l); });
  return all;
}

}  // namespace

TEST(LoopTracker, ALoopBeginsWithEveryIterationAndEndsOnce) {
  EXPECT_EQ(events_of({0, 1, 2, 6, 1, 2, 6, 9}), "+0+0-0");
}
TEST(LoopTracker, TheInnerLoopEndsFirst) { EXPECT_EQ(events_of({1, 3, 5, 3, 5, 9}), "+0+1+1-1-0"); }
TEST(LoopTracker, ACallDoesNotEndTheLoopOfTheCaller) {
  EXPECT_EQ(events_of({1, 3, 4, 10, 13, 5, 6}), "+0+1-1");
}
TEST(LoopTracker, TheCalledFunctionsLoopsEndWithItsReturn) {
  EXPECT_EQ(events_of({3, 4, 10, 11, 12, 11, 12, 5, 9}), "+1+2+2-2-1-0");
}
TEST(LoopTracker, AllLoopsEndWithTheWarp) {
  EXPECT_EQ(events_of({1, 3, 4, 11, kNoPc}), "+0+1+2-2-1-0");
}
TEST(LoopTracker, TheNextWarpOfASlotStartsOutsideAllLoops) {
  const isa::Kernel kernel = loops();
  LoopTracker tracker;
  int left = 0;
  const auto count = [&](std::uint16_t) { ++left; };
  const auto nothing = [](std::uint16_t) {};
  tracker.issued(WarpSlot(0), kernel, 4, count, nothing);
  tracker.start(WarpSlot(0));
  tracker.issued(WarpSlot(0), kernel, 9, count, nothing);
  EXPECT_EQ(left, 0);
}

}  // namespace heddle::sm::test
