#include <gtest/gtest.h>

#include "sched/limiters/footprint_limiter.h"
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
// The cache holds `lines` lines. The kernel has loops at 10 and 100.
Footprints with_warps(const FootprintRules& rules, int count) {
  Footprints f{rules};
  isa::Kernel kernel;
  kernel.loops.push_back({100, isa::Loop::kNone, 1, {}, {}});
  kernel.loops.push_back({kLoop, isa::Loop::kNone, 1, {}, {}});
  f.begin_kernel(kernel);
  for (int w = 0; w < count; ++w) f.launch(warp(w), static_cast<std::uint32_t>(w));
  return f;
}
Footprints with_warps(double lines, int count, bool sticky = true) {
  FootprintRules rules;
  rules.lines = rules.capacity = lines;
  rules.sticky = sticky;
  return with_warps(rules, count);
}

// A loop of two loads at 11 and 12.
struct SpmvLoop {
  isa::Kernel kernel;
  LoopLocality loops;
  explicit SpmvLoop(const LearningOptions& options = {}) : loops(kLineBytes, options) {
    kernel.name = "spmv";
    kernel.instructions.resize(20);
    kernel.loops.push_back({kLoop, isa::Loop::kNone, 1, {13}, {{10, 14}}});
    for (std::size_t pc = 10; pc < 14; ++pc) kernel.instructions[pc].loop = 0;
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

TEST(Footprint, ATableSpillsUnlessItsEntriesAreLimited) {
  LoadTable unbounded, limited{2};
  for (Pc pc = 0; pc < 40; ++pc) {
    EXPECT_NE(unbounded.insert({pc, kLoop, false, pc, 0}), nullptr);
    EXPECT_EQ(limited.insert({pc, kLoop, false, pc, 0}) != nullptr, pc < 2);
  }
  EXPECT_EQ(unbounded.predict(kLoop, 32), 80u);
  EXPECT_EQ(limited.predict(kLoop, 32), 4u);
}

TEST(Footprint, FollowsAClassificationThatChanges) {
  LoadTable table;
  LoadClass* const load = table.insert({1, kLoop, false, 0, 0});
  EXPECT_EQ(table.predict(kLoop, 32), 2u);
  table.set_diverged(*load, true);
  EXPECT_EQ(table.predict(kLoop, 32), 32u);
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

TEST(Daws, DoesNotThrottleALoopWhoseFootprintExceedsTheCache) {
  FootprintRules rules;
  rules.lines = 64;
  rules.capacity = 100;
  Footprints f = with_warps(rules, 4);
  enter(f, 0, 40);
  enter(f, 1, 40);
  enter(f, 2, 101);
  EXPECT_EQ(f.footprint(warp(2)), 0u);
  EXPECT_TRUE(may(f, 2));        // although the older warps fill the cache
  EXPECT_FALSE(may(f, 1));       // in another loop
  EXPECT_FALSE(may(f, 3, 200));  // outside loops
}

TEST(Daws, OneWarpAtATimeLoadsWhenAFootprintExceedsTheShareButNotTheCache) {
  FootprintRules rules;
  rules.lines = 64;
  rules.capacity = 100;
  Footprints f = with_warps(rules, 2);
  enter(f, 0, 65);
  enter(f, 1, 65);
  EXPECT_TRUE(may(f, 0));
  EXPECT_FALSE(may(f, 1));
  f.end_outermost_loop(warp(0));
  EXPECT_TRUE(may(f, 1));
}

TEST(Daws, OversizedFootprintsAreComparedWithTheCapacityOrTheShare) {
  FootprintOptions options;
  EXPECT_EQ(options.rules(100).capacity, 100);
  EXPECT_EQ(options.rules(100).lines, 60);
  options.oversized = Oversized::effective;
  EXPECT_EQ(options.rules(100).capacity, 60);
}

TEST(Daws, AWarpAtABarrierHasNoFootprint) {
  Footprints f = with_warps(40, 2, false);
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

TEST(Daws, ALoadOutsideLoopsCountsForTheNextLoopInProgramOrder) {
  // Only the loop at 100 has classified loads.
  struct SecondLoop final : LoopPredictor {
    std::uint32_t predict(Pc loop, int) const override { return loop == 100 ? 32 : 0; }
    Pc loop_after(Pc) const override { return 100; }
  } const second;
  for (const ClosestLoop closest : {ClosestLoop::program_order, ClosestLoop::classified}) {
    FootprintRules rules;
    rules.lines = rules.capacity = 40;
    rules.closest = closest;
    rules.unpredicted = Unpredicted::pass;
    Footprints f = with_warps(rules, 2);
    f.begin_loop(warp(0), 100, 32, second);
    const bool first_loop = closest == ClosestLoop::program_order;
    EXPECT_EQ(f.may_load(warp(1), 3, 32, second), first_loop);
    EXPECT_EQ(f.footprint(warp(1)), first_loop ? 0u : 32u);
    EXPECT_FALSE(f.may_load(warp(1), 50, 32, second));  // after the loop at 10
  }
}

TEST(Daws, ABarrierEndsAnAdmission) {
  Footprints f = with_warps(40, 2);
  enter(f, 1, 32);
  EXPECT_TRUE(may(f, 1));
  f.enter_barrier(warp(1));
  f.pass_barrier(warp(1));
  enter(f, 0, 32);
  EXPECT_TRUE(may(f, 0));
  EXPECT_FALSE(may(f, 1));
}

TEST(Daws, AnotherClassificationEndsAnAdmissionButMoreLanesDoNot) {
  Footprints f = with_warps(40, 3);
  for (int w = 0; w < 3; ++w) enter(f, w, 2);
  EXPECT_TRUE(may(f, 2));
  for (int w = 0; w < 3; ++w) enter(f, w, 32);  // its load diverges
  EXPECT_TRUE(may(f, 0));
  EXPECT_FALSE(may(f, 1));
  EXPECT_FALSE(may(f, 2));

  Footprints nested = with_warps(40, 2);
  Fixed lanes;
  lanes.per_lane = true;
  nested.begin_loop(warp(1), kLoop, 8, lanes);
  nested.begin_loop(warp(0), kLoop, 32, lanes);
  EXPECT_TRUE(may(nested, 0));
  EXPECT_TRUE(may(nested, 1));
  nested.begin_loop(warp(1), kLoop, 32, lanes);  // the outer loop's next iteration
  EXPECT_TRUE(may(nested, 1));
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
    FootprintRules rules;
    rules.lines = rules.capacity = 40;
    rules.unpredicted = unpredicted;
    Footprints f = with_warps(rules, 4);
    enter(f, 1, 32);
    enter(f, 2, 32);
    EXPECT_TRUE(may(f, 0, 200));  // older than all warps inside loops
    EXPECT_FALSE(may(f, 2));
    EXPECT_EQ(may(f, 3, 200), unpredicted == Unpredicted::pass);
  }
}

TEST(Daws, AWarpThatExitsItsLoopsOrEndsIsNotAdmitted) {
  FootprintRules rules;
  rules.lines = rules.capacity = 40;
  rules.unpredicted = Unpredicted::by_age;
  Footprints f = with_warps(rules, 3);
  enter(f, 2, 32);
  EXPECT_TRUE(may(f, 0, 200));
  EXPECT_EQ(f.admitted(), ready(0, 1, 2));
  f.end_outermost_loop(warp(2));
  f.exit(warp(0));
  EXPECT_EQ(f.admitted(), ready(1));
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
  for (const LocalityEvidence evidence : {LocalityEvidence::loads, LocalityEvidence::accesses}) {
    options.evidence = evidence;
    SpmvLoop spmv{options};
    spmv.loops.coalesced({warp(0), 11, true, 3, 32, true});
    for (std::uint64_t i = 0; i < 3; ++i)
      spmv.loops.accessed({warp(0), 11, LineAddress{i * kLineBytes}, true,
                           i == 0 ? sm::L1Outcome::hit : sm::L1Outcome::miss, warp(0), false,
                           Cycle{}});
    EXPECT_EQ(spmv.loops.locality(kLoop), evidence == LocalityEvidence::loads ? 1 : -1);
  }
}

TEST(DawsLearning, KeepsTheTablesOfAKernelForItsNextLaunch) {
  LearningOptions options;
  for (const bool keeps : {true, false}) {
    options.keeps = keeps;
    SpmvLoop spmv{options};
    for (int i = 0; i < 3; ++i) spmv.load(11, 0, 32);
    EXPECT_EQ(spmv.loops.predict(kLoop, 32), 32u);
    isa::Kernel other;
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

// A row that is not aligned: its half-warps make three accesses to two lines.
TEST(DawsLearning, DivergenceCountsLinesOrAccesses) {
  for (const DivergenceOf divergence : {DivergenceOf::lines, DivergenceOf::accesses}) {
    LearningOptions options;
    options.divergence = divergence;
    SpmvLoop spmv{options};
    for (int i = 0; i < 3; ++i) {
      spmv.loops.coalesced({warp(0), 11, true, 3, 32, true});
      for (const std::uint64_t line : {0, 0, 1})
        spmv.loops.accessed({warp(0), 11, LineAddress{line * kLineBytes}, true, sm::L1Outcome::hit,
                             warp(0), false, Cycle{}});
    }
    EXPECT_EQ(spmv.loops.predict(kLoop, 32), divergence == DivergenceOf::lines ? 2u : 32u);
  }
}

TEST(DawsLearning, AWarpSamplesOnlyIfItEntersTheLoop) {
  for (const SamplingFrom sampling : {SamplingFrom::entry, SamplingFrom::any_trip}) {
    LearningOptions options;
    options.sampling = sampling;
    SpmvLoop spmv{options};
    const auto load = [&](int w) {
      spmv.loops.coalesced({warp(w), 11, true, 1, 32, true});
      spmv.loops.accessed(
          {warp(w), 11, LineAddress{0}, true, sm::L1Outcome::hit, warp(w), false, Cycle{}});
    };
    spmv.loops.begin_loop(warp(1), kLoop, 32);  // warp 0 samples
    spmv.loops.end_loop(warp(0), kLoop);
    spmv.loops.begin_loop(warp(1), kLoop, 32);  // its second iteration
    load(1);
    EXPECT_EQ(spmv.loops.locality(kLoop), sampling == SamplingFrom::entry ? 0 : 1);
    spmv.loops.end_loop(warp(1), kLoop);
    spmv.loops.begin_loop(warp(1), kLoop, 32);
    load(1);
    EXPECT_EQ(spmv.loops.locality(kLoop), sampling == SamplingFrom::entry ? 1 : 2);
  }
}

TEST(DawsLearning, TheFirstSamplingWarpNeedsThreeLanesAndTheNextTwo) {
  SpmvLoop spmv;
  constexpr Pc kOther = 12;
  const auto samples = [&](int w, int lanes) {
    spmv.kernel.loops[0].header = kOther;
    spmv.loops.begin_loop(warp(w), kOther, lanes);
    const std::int32_t before = spmv.loops.locality(kOther);
    spmv.loops.coalesced({warp(w), 13, true, 1, lanes, true});
    spmv.loops.accessed(
        {warp(w), 13, LineAddress{0}, true, sm::L1Outcome::hit, warp(w), false, Cycle{}});
    const bool learnt = spmv.loops.locality(kOther) > before;
    spmv.loops.end_loop(warp(w), kOther);
    return learnt;
  };
  EXPECT_FALSE(samples(1, 2));
  EXPECT_TRUE(samples(2, 3));
  EXPECT_FALSE(samples(3, 1));
  EXPECT_TRUE(samples(1, 2));
}

TEST(DawsLearning, OneWarpAtATimeSamplesALoop) {
  SpmvLoop spmv;
  spmv.loops.begin_loop(warp(1), kLoop, 32);
  spmv.loops.coalesced({warp(1), 11, true, 1, 32, true});
  spmv.loops.accessed(
      {warp(1), 11, LineAddress{0}, true, sm::L1Outcome::hit, warp(1), false, Cycle{}});
  EXPECT_EQ(spmv.loops.locality(kLoop), 0);
  spmv.loops.end_loop(warp(0), kLoop);
  spmv.loops.begin_loop(warp(3), kLoop, 1);  // too few lanes to learn from
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
