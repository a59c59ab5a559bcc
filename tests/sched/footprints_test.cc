#include "sched/limiters/footprints.h"

#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Every loop needs 32 lines of the 40 that the cache has.
struct SameForAll final : LoopPredictor {
  std::uint32_t predict(Pc, int) const override { return 32; }
  Pc loop_after(Pc) const override { return 100; }
};

TEST(Footprints, AWarpThatPassesTheLoopThatItExpectedHasNoFootprint) {
  FootprintRules rules;
  rules.lines = rules.capacity = 40;
  Footprints footprints{rules};
  isa::Kernel kernel;
  kernel.loops.push_back({100, isa::Loop::kNone, 1, {}, {}});
  footprints.begin_kernel(kernel);
  for (int w : {0, 1}) footprints.launch(warp(w), static_cast<std::uint32_t>(w));
  footprints.begin_loop(warp(0), 100, 32, SameForAll{});
  EXPECT_FALSE(footprints.may_load(warp(1), 3, 32, SameForAll{}));
  footprints.issued(warp(1), 99);
  EXPECT_EQ(footprints.footprint(warp(1)), 32u);
  footprints.issued(warp(1), 101);
  EXPECT_EQ(footprints.footprint(warp(1)), 0u);
}

}  // namespace
}  // namespace heddle::sched
