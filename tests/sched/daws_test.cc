#include <gtest/gtest.h>

#include "sched/limiters/loop_locality.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Predicts a fixed number of lines, or one per lane.
struct Fixed final : LoopPredictor {
  std::uint32_t lines = 0;
  bool per_lane = false;
  std::uint32_t predict(Pc, int lanes) const override {
    return per_lane ? static_cast<std::uint32_t>(lanes) : lines;
  }
  Pc loop_after(Pc) const override { return 100; }
};

constexpr Pc kLoop = 10;

void enter(Footprints& f, int w, std::uint32_t lines, Pc loop = kLoop) {
  Fixed p;
  p.lines = lines;
  f.begin_loop(warp(w), loop, 32, p);
}
bool may(Footprints& f, int w, Pc pc = kLoop + 1, std::uint32_t expected = 0) {
  Fixed p;
  p.lines = expected;
  return f.may_load(warp(w), pc, 32, p);
}
Footprints with_warps(double lines, int count, bool sticky = false) {
  Footprints f{lines, sticky};
  for (int w = 0; w < count; ++w) f.launch(warp(w), static_cast<std::uint32_t>(w));
  return f;
}

// A loop of two loads at 11 and 12.
struct SpmvLoop {
  ptx::Kernel kernel;
  LoopLocality loops;
  explicit SpmvLoop(const LearningOptions& options = {}) : loops(kLineBytes, options) {
    kernel.name = "spmv";
    kernel.code.resize(20);
    kernel.loops.push_back({kLoop, ptx::Loop::kNone, 1, {13}, {{10, 14}}});
    for (std::size_t pc = 10; pc < 14; ++pc) kernel.code[pc].loop = 0;
    loops.begin_kernel(&kernel);
    loops.begin_loop(warp(0), kLoop, 32);
  }
  // A load of warp 0 from `accesses` lines, starting with line `first`.
  void load(Pc pc, std::uint64_t first, int accesses, sm::L1Outcome outcome = sm::L1Outcome::hit,
            int owner = 0) {
    loops.coalesced({warp(0), pc, true, accesses, 32, true});
    for (int i = 0; i < accesses; ++i)
      loops.accessed({warp(0), pc,
                      LineAddress{(first + static_cast<std::uint64_t>(i)) * kLineBytes}, true,
                      outcome, warp(owner), false, Cycle{}});
  }
};

}  // namespace

TEST(Footprint, CountsEveryGroupOnceByItsDivergenceAndTheActiveLanes) {
  LoadTable table{32};
  table.insert({1, kLoop, true, 0, 0});
  table.insert({2, kLoop, true, 1, 0});
  EXPECT_EQ(table.predict(kLoop, 32), 64u);
  EXPECT_EQ(table.predict(kLoop, 1), 2u);
  EXPECT_EQ(table.predict(kLoop + 1, 32), 0u);
  table.merge_groups(0, 1);
  EXPECT_EQ(table.predict(kLoop, 32), 32u);
}

TEST(Footprint, AMixedGroupCountsAsDiverged) {
  LoadTable table{32};
  table.insert({1, kLoop, false, 0, 0});
  EXPECT_EQ(table.predict(kLoop, 10), 2u);
  table.insert({2, kLoop, true, 0, 0});
  EXPECT_EQ(table.predict(kLoop, 10), 10u);
}

TEST(Daws, AdmitsTheOldestWarpsThatFitTogether) {
  Footprints f = with_warps(64, 3);
  enter(f, 0, 32);
  enter(f, 1, 16);
  enter(f, 2, 32);
  EXPECT_TRUE(may(f, 0));
  EXPECT_TRUE(may(f, 1));
  EXPECT_FALSE(may(f, 2));  // 80 lines
  enter(f, 0, 16);          // half of its lanes have exited the loop
  EXPECT_TRUE(may(f, 2));   // 64 lines: allowed
}

TEST(Daws, ScalesPredictionsWithActiveLanes) {
  Footprints f = with_warps(4, 2);
  Fixed lanes;
  lanes.per_lane = true;
  f.begin_loop(warp(0), kLoop, 4, lanes);
  f.begin_loop(warp(1), kLoop, 4, lanes);
  EXPECT_FALSE(f.may_load(warp(1), kLoop + 1, 4, lanes));
  f.begin_loop(warp(0), kLoop, 1, lanes);
  EXPECT_FALSE(f.may_load(warp(1), kLoop + 1, 4, lanes));
  f.begin_loop(warp(1), kLoop, 3, lanes);
  EXPECT_TRUE(f.may_load(warp(1), kLoop + 1, 3, lanes));
}

TEST(Daws, DoesNotThrottleAFootprintLargerThanTheCache) {
  Footprints f = with_warps(64, 2);
  enter(f, 0, 65);
  EXPECT_EQ(f.footprint(warp(0)), 0u);
  EXPECT_TRUE(may(f, 0));
}

TEST(Daws, AWarpAtABarrierHasNoFootprint) {
  Footprints f = with_warps(40, 2);
  enter(f, 0, 32);
  enter(f, 1, 32);
  EXPECT_FALSE(may(f, 1));
  f.enter_barrier(warp(0));
  EXPECT_TRUE(may(f, 1));
  f.pass_barrier(warp(0));
  EXPECT_FALSE(may(f, 1));
}

TEST(Daws, AnInnerLoopWithoutLocalityKeepsTheOuterPrediction) {
  Footprints f = with_warps(64, 1);
  enter(f, 0, 20);
  enter(f, 0, 0, kLoop + 5);
  EXPECT_EQ(f.footprint(warp(0)), 20u);
  enter(f, 0, 8, kLoop + 5);
  EXPECT_EQ(f.footprint(warp(0)), 8u);
  f.end_outermost_loop(warp(0));
  EXPECT_EQ(f.footprint(warp(0)), 0u);
}

TEST(Daws, ALoadBeforeALoopCountsForThatLoop) {
  Footprints f = with_warps(40, 2);
  EXPECT_TRUE(may(f, 1, 3, 32));  // no warp is inside a loop
  enter(f, 0, 32);
  EXPECT_FALSE(may(f, 1, 3, 32));
  EXPECT_EQ(f.footprint(warp(1)), 32u);
  f.end_outermost_loop(warp(0));
  EXPECT_EQ(f.footprint(warp(1)), 0u);  // expectations end with the last prediction
  EXPECT_TRUE(may(f, 1, 3, 32));
}

TEST(Daws, StickyWarpsStayAdmittedWhenOlderWarpsEnterLoops) {
  for (const bool sticky : {false, true}) {
    Footprints f = with_warps(40, 2, sticky);
    enter(f, 1, 32);
    EXPECT_TRUE(may(f, 1));
    enter(f, 0, 32);
    EXPECT_EQ(may(f, 1), sticky);
    EXPECT_EQ(may(f, 0), !sticky);
  }
}

TEST(Daws, UnpredictedLoadsPassOrAreAdmittedByAge) {
  for (const Unpredicted unpredicted : {Unpredicted::pass, Unpredicted::by_age}) {
    Footprints f{40, false, unpredicted};
    for (int w = 0; w < 4; ++w) f.launch(warp(w), static_cast<std::uint32_t>(w));
    enter(f, 1, 32);
    enter(f, 2, 32);
    EXPECT_TRUE(may(f, 0, 200));  // older than all warps inside loops
    EXPECT_FALSE(may(f, 2));
    EXPECT_EQ(may(f, 3, 200), unpredicted == Unpredicted::pass);
  }
}

TEST(DawsLearning, ALoopThatReusesBecomesLocalAndItsDivergedLoadsCount) {
  SpmvLoop spmv;
  EXPECT_EQ(spmv.loops.predict(kLoop, 32), 0u);
  for (int i = 0; i < 3; ++i) {
    spmv.load(11, 0, 32);
    spmv.load(12, 100, 32);
    spmv.loops.begin_loop(warp(0), kLoop, 32);
  }
  EXPECT_EQ(spmv.loops.locality(kLoop), 6);
  EXPECT_EQ(spmv.loops.predict(kLoop, 32), 64u);
  EXPECT_EQ(spmv.loops.predict(kLoop, 1), 2u);
}

TEST(DawsLearning, ALoopWithoutReuseStaysUnpredicted) {
  SpmvLoop spmv;
  for (std::uint64_t i = 0; i < 4; ++i) spmv.load(11, i * 32, 32, sm::L1Outcome::miss);
  EXPECT_EQ(spmv.loops.locality(kLoop), -4);
  EXPECT_EQ(spmv.loops.predict(kLoop, 32), 0u);
}

TEST(DawsLearning, HitsOnOtherWarpsLinesAreNotLocality) {
  SpmvLoop spmv;
  spmv.load(11, 0, 4, sm::L1Outcome::hit, 3);
  EXPECT_EQ(spmv.loops.locality(kLoop), -1);
}

TEST(DawsLearning, AMissOnALostLineIsLocality) {
  SpmvLoop spmv;
  spmv.loops.evicted({LineAddress{5 * kLineBytes}, warp(0), 11});
  spmv.load(11, 5, 1, sm::L1Outcome::miss);
  EXPECT_EQ(spmv.loops.locality(kLoop), 1);
}

TEST(DawsLearning, LoadsThatTouchTheSameLinesInAnIterationAreOneGroup) {
  SpmvLoop spmv;
  for (int i = 0; i < 3; ++i) {
    spmv.load(11, 0, 32);
    spmv.load(12, 0, 32);
    spmv.loops.begin_loop(warp(0), kLoop, 32);
  }
  EXPECT_EQ(spmv.loops.predict(kLoop, 32), 32u);
}

TEST(DawsLearning, TextureFetchesBetweenLoadsDoNotStopLearning) {
  SpmvLoop spmv;
  for (int i = 0; i < 3; ++i) {
    spmv.load(11, 0, 32);
    spmv.loops.coalesced(
        {warp(0), 12, true, 32, 32, false});  // it does not access the L1 data cache
  }
  EXPECT_EQ(spmv.loops.locality(kLoop), 3);
}

TEST(DawsLearning, LearnsFromALoadWhoseAccessesAnotherLoadOvertakes) {
  SpmvLoop spmv;
  spmv.loops.coalesced({warp(0), 11, true, 2, 32, true});
  spmv.loops.coalesced({warp(0), 12, true, 1, 32, true});
  const auto hit = [&](Pc pc, std::uint64_t line) {
    spmv.loops.accessed({warp(0), pc, LineAddress{line * kLineBytes}, true, sm::L1Outcome::hit,
                         warp(0), false, Cycle{}});
  };
  hit(11, 0);
  hit(12, 4);  // another bank
  EXPECT_EQ(spmv.loops.locality(kLoop), 1);
  hit(11, 1);
  EXPECT_EQ(spmv.loops.locality(kLoop), 2);
}

TEST(DawsLearning, CountsLoadsOrAccesses) {
  LearningOptions options;
  for (const Evidence evidence : {Evidence::loads, Evidence::accesses}) {
    options.evidence = evidence;
    SpmvLoop spmv{options};
    spmv.loops.coalesced({warp(0), 11, true, 3, 32, true});
    for (std::uint64_t i = 0; i < 3; ++i)
      spmv.loops.accessed({warp(0), 11, LineAddress{i * kLineBytes}, true,
                           i == 0 ? sm::L1Outcome::hit : sm::L1Outcome::miss, warp(0), false,
                           Cycle{}});
    EXPECT_EQ(spmv.loops.locality(kLoop), evidence == Evidence::loads ? 1 : -1);
  }
}

TEST(DawsLearning, KeepsTheTablesOfAKernelForItsNextLaunch) {
  LearningOptions options;
  for (const bool keeps : {true, false}) {
    options.keeps = keeps;
    SpmvLoop spmv{options};
    for (int i = 0; i < 3; ++i) spmv.load(11, 0, 32);
    EXPECT_EQ(spmv.loops.predict(kLoop, 32), 32u);
    ptx::Kernel other;
    other.name = "other";
    spmv.loops.begin_kernel(&other);
    EXPECT_EQ(spmv.loops.predict(kLoop, 32), 0u);
    spmv.loops.begin_kernel(&spmv.kernel);
    EXPECT_EQ(spmv.loops.predict(kLoop, 32), keeps ? 32u : 0u);
    spmv.loops.begin_loop(warp(1), kLoop, 32);  // no warp samples yet
    spmv.loops.coalesced({warp(1), 11, true, 1, 32, true});
    spmv.loops.accessed(
        {warp(1), 11, LineAddress{0}, true, sm::L1Outcome::hit, warp(1), false, Cycle{}});
    EXPECT_EQ(spmv.loops.locality(kLoop), keeps ? 4 : 1);
  }
}

TEST(DawsLearning, OneWarpAtATimeSamplesALoop) {
  SpmvLoop spmv;
  spmv.loops.begin_loop(warp(1), kLoop, 32);
  spmv.loops.coalesced({warp(1), 11, true, 1, 32, true});
  spmv.loops.accessed(
      {warp(1), 11, LineAddress{0}, true, sm::L1Outcome::hit, warp(1), false, Cycle{}});
  EXPECT_EQ(spmv.loops.locality(kLoop), 0);
  spmv.loops.end_loop(warp(0), kLoop);
  spmv.loops.begin_loop(warp(1), kLoop, 2);  // too few lanes to learn from
  spmv.loops.begin_loop(warp(2), kLoop, 3);
  spmv.loops.coalesced({warp(2), 11, true, 1, 3, true});
  spmv.loops.accessed(
      {warp(2), 11, LineAddress{0}, true, sm::L1Outcome::hit, warp(2), false, Cycle{}});
  EXPECT_EQ(spmv.loops.locality(kLoop), 1);
}

TEST(Daws, WithoutClassifiedLoadsIsGreedyThenOldest) {
  IssueBench daws{"daws", warps(5)}, gto{"gto", warps(5)};
  daws.loads(warps(5));
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(daws.issue(set), gto.issue(set));
}

}  // namespace heddle::sched
