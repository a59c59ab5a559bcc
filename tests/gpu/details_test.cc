// The details of a run add up to its totals and describe what happened.
#include "gpu/kernel_details.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "gpu/observe/details_json.h"
#include "gpu/observe/line_history.h"
#include "gpu/observe/sm_details.h"
#include "gpu/observe/timeline_recorder.h"
#include "stats/flatten.h"
#include "tests/sm/bench.h"

namespace heddle::gpu {
namespace {

using isa::OpClass;
using isa::Space;
using sm::test::Bench;

// Observes the bench's SM.
class Watch final : public sm::SmObserver {
 public:
  explicit Watch(Bench& bench, TimeWindow window = {Cycle{0}, Cycle{1000000}})
      : details(0, bench.spec, true),
        recorder(0, bench.spec, window, timeline, first_state(timeline), kFirstUnit,
                 timeline.add_name("CTA")) {
    details.begin_kernel(bench.source.kernel(), Cycle{0});
    bench.sm.observe(this);
  }
  void cta_started(Cycle, std::uint64_t cta, WarpMask warps, int) override {
    details.warps_started(warps);
    recorder.cta_started(cta, warps);
  }
  void cta_finished(Cycle started, Cycle now, std::uint64_t cta, int) override {
    details.cta_finished(started, now, cta);
    recorder.cta_finished(started, now, cta);
  }
  void issued(const Issued& what) override {
    details.issued(what);
    recorder.issued(what);
  }
  void slots_lost(const LostSlots& lost) override { details.slots_lost(lost); }
  void l1d_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                    const mem::Access& access) override {
    details.l1d_accessed(warp, pc, address, load, access);
  }
  void passed(const Passed& what) override { recorder.passed(what); }

  KernelDetails all(const isa::Kernel& kernel) {
    KernelDetails result;
    result.instructions.assign(kernel.instructions.size(), {});
    result.loops.assign(kernel.loops.size(), {});
    details.add_to(result);
    return result;
  }

  static constexpr std::uint32_t kFirstUnit = 100;  // its names are not used
  stats::Timeline timeline;
  SmDetails details;
  SmTimeline recorder;

 private:
  static std::uint32_t first_state(stats::Timeline& timeline) {
    for (std::size_t i = 0; i < kWarpStates; ++i) timeline.add_name("state");
    return 0;
  }
};

std::vector<isa::Instruction> load_use_barrier() {
  isa::Instruction barrier = sm::test::make(OpClass::barrier);
  barrier.barrier = isa::BarrierOp::sync;
  return {sm::test::memory(OpClass::load, Space::global, {1}, {2}),
          sm::test::make(OpClass::int_add, {2}, {3}), barrier,
          sm::test::memory(OpClass::store, Space::global, {1, 3}, {}), sm::test::exit()};
}

std::uint64_t sum(const KindCounts& counts) { return stats::total(counts); }

TEST(Details, SlotsOfSchedulersAndInstructionsAddUpToTheTotals) {
  Bench bench(load_use_barrier());
  Watch watch(bench);
  bench.run(4, 2);
  const KernelDetails all = watch.all(bench.source.kernel());
  KernelDetails::Slots by_scheduler{}, by_instruction = all.unattributed;
  for (const auto& slots : all.slots.at(0))
    for (std::size_t i = 0; i < slots.size(); ++i) by_scheduler[i] += slots[i];
  for (const InstructionDetail& instruction : all.instructions)
    for (std::size_t i = 0; i < by_instruction.size(); ++i)
      by_instruction[i] += instruction.slots[i];
  EXPECT_EQ(by_scheduler, bench.stats().slots);
  EXPECT_EQ(by_instruction, bench.stats().slots);
  EXPECT_EQ(std::accumulate(all.issued.at(0).begin(), all.issued.at(0).end(), std::uint64_t{0}),
            bench.stats().warp_instructions);
}

TEST(Details, OperandStallsAreAttributedToTheLoad) {
  Bench bench(load_use_barrier());
  Watch watch(bench);
  bench.run(2, 1);
  const KernelDetails all = watch.all(bench.source.kernel());
  const auto scoreboard = static_cast<std::size_t>(sm::SlotUse::scoreboard);
  EXPECT_GT(all.instructions[0].slots[scoreboard], 100u);
  EXPECT_LT(all.instructions[1].slots[scoreboard], 20u);  // the store waits for the sum
}

TEST(Details, CacheAccessesEqualThoseOfTheCache) {
  Bench bench(load_use_barrier());
  Watch watch(bench);
  bench.run(4, 2);
  const KernelDetails all = watch.all(bench.source.kernel());
  const mem::CacheStats& l1d = bench.stats().l1d;
  const CacheDetail& detail = all.l1d.at(0);
  EXPECT_EQ(sum(detail.reads) + sum(detail.writes), l1d.accesses);
  EXPECT_EQ(sum(detail.writes), l1d.write_accesses);
  EXPECT_EQ(detail.reads[0] + detail.writes[0], l1d.hits_same_warp);
  EXPECT_EQ(misses(detail.reads) + misses(detail.writes), l1d.misses);
  EXPECT_EQ(sum(all.instructions[0].l1d), sum(detail.reads));
  EXPECT_EQ(all.instructions[0].executions, 8u);
  EXPECT_EQ(all.instructions[0].active_lanes, 8u * 32);
  EXPECT_EQ(all.ctas.size(), 2u);
}

// Warp 0 loads one line with 32 lanes; warp 1 loads four lines with four lanes.
TEST(Details, LoadsAreCountedByLanesAndAccesses) {
  Bench bench({sm::test::memory(OpClass::load, Space::global, {1}, {2}),
               sm::test::memory(OpClass::store, Space::global, {1, 2}, {}), sm::test::exit()},
              [](WarpSlot warp, exec::Step& step) {
                if (step.pc == 2) return;
                if (warp.index == 1) step.executed = LaneMask::first(4);
                for (std::size_t lane = 0; lane < kWarpSize; ++lane)
                  step.addresses[lane] = 0x10000 + lane * (warp.index == 1 ? 128 : 4);
              });
  Watch watch(bench);
  bench.run(2, 1);
  const KernelDetails all = watch.all(bench.source.kernel());
  EXPECT_EQ(all.load_shapes.at(0), (LoadShapes{{{4, 4}, 1}, {{32, 1}, 1}}));
  EXPECT_TRUE(all.load_shapes.at(1).empty());  // a store
}

// The loads of a warp read the words of a line, one per iteration.
TEST(Details, HitsInLoopsAreAttributedToTheIterationBefore) {
  isa::Instruction load = sm::test::memory(OpClass::load, Space::global, {1}, {2});
  load.loop = 0;
  load.loop_header = true;
  isa::Instruction use = sm::test::make(OpClass::int_add, {2}, {1});
  isa::Instruction branch = sm::test::make(OpClass::branch);
  use.loop = branch.loop = 0;
  int trips = 0;
  Bench bench({load, use, branch, sm::test::exit()}, [&](WarpSlot, exec::Step& step) {
    if (step.pc == 2 && ++trips < 8) step.next_pc = 0;
  });
  isa::Loop loop;
  loop.header = 0;
  loop.ranges = {{0, 3}};
  bench.source.kernel_ref().loops = {loop};
  Watch watch(bench);
  bench.run(1, 1);
  const LoopDetail detail = watch.all(bench.source.kernel()).loops.at(0);
  EXPECT_EQ(detail.trips, 8u);
  EXPECT_EQ(detail.misses, 1u);
  EXPECT_EQ(detail.hits_last_trip, 7u);
  EXPECT_EQ(detail.accesses,
            detail.misses + detail.hits_this_trip + detail.hits_last_trip + detail.hits_other);
  EXPECT_EQ(detail.reused_last_trip, 7u);
  EXPECT_EQ(detail.reused_this_trip + detail.reused_earlier, 0u);
}

// A warp reads a line before its loop, and the same line once in the loop.
TEST(Details, LinesReadBeforeTheLoopAreReusedEarlier) {
  const isa::Instruction before = sm::test::memory(OpClass::load, Space::global, {1}, {2});
  const isa::Instruction wait = sm::test::make(OpClass::int_add, {2}, {1});
  isa::Instruction load = sm::test::memory(OpClass::load, Space::global, {1}, {3});
  load.loop = 0;
  load.loop_header = true;
  Bench bench({before, wait, load, sm::test::exit()});
  isa::Loop loop;
  loop.header = 2;
  loop.ranges = {{2, 3}};
  bench.source.kernel_ref().loops = {loop};
  Watch watch(bench);
  bench.run(1, 1);
  const LoopDetail detail = watch.all(bench.source.kernel()).loops.at(0);
  EXPECT_EQ(detail.accesses, 1u);
  EXPECT_EQ(detail.hits_other, 1u);
  EXPECT_EQ(detail.reused_earlier, 1u);
}

// One launch of a kernel with five loads; the last is outside of loops.
KernelResult launch_with_loads() {
  auto details = std::make_shared<KernelDetails>();
  details->load_shapes = {{{{32, 1}, 5}, {{32, 2}, 1}},    // converged
                          {{{30, 30}, 9}, {{30, 20}, 1}},  // diverged in 90 %
                          {{{30, 30}, 8}, {{30, 20}, 2}},  // between
                          {{{8, 1}, 4}, {{2, 2}, 4}},      // converged, at most eight lanes
                          {{{32, 32}, 1}}};
  details->places.resize(5);
  for (Pc pc = 0; pc < 4; ++pc) details->places[pc].loop = 0;
  details->loops.resize(2);
  details->loops[0].reused_last_trip = 3;
  details->loops[1].reused_last_trip = 4;
  KernelResult result;
  result.name = "walk";
  result.details = details;
  return result;
}

nlohmann::ordered_json totals_of(const std::vector<KernelResult>& launches) {
  DetailsTotals totals;
  for (const KernelResult& launch : launches) totals.add(launch);
  return totals.json();
}

TEST(Details, TotalsSumLoopsAndClassifyTheLoadsInLoops) {
  const auto totals = totals_of({launch_with_loads()});
  EXPECT_EQ(totals["loops"]["reused_last_trip"], 7u);
  const auto& loads = totals["load_divergence"];
  EXPECT_EQ(loads["loads"], 4u);
  EXPECT_EQ(loads["converged"], 2u);
  EXPECT_EQ(loads["diverged"], 1u);
  EXPECT_EQ(loads["between"], 1u);
  EXPECT_EQ(loads["narrow"], 1u);
}

TEST(Details, TotalsCountALoadOnceForAllLaunchesOfItsKernel) {
  const auto totals = totals_of({launch_with_loads(), launch_with_loads()});
  EXPECT_EQ(totals["load_divergence"]["loads"], 4u);
  EXPECT_EQ(totals["loops"]["reused_last_trip"], 14u);
  EXPECT_TRUE(totals_of({KernelResult{}}).empty());
}

TEST(LineHistory, DistinguishesColdMissesFromEvictedLines) {
  config::CacheSpec spec;
  spec.size_bytes = 256;
  spec.ways = 1;
  LineHistory history(spec);
  const mem::Requester one{0, WarpSlot(1)}, two{0, WarpSlot(2)};
  mem::Access miss;
  miss.outcome = mem::Outcome::miss;
  mem::Access hit;
  hit.outcome = mem::Outcome::hit;
  hit.owner = {one};
  EXPECT_EQ(history.classify(Address{0}, one, false, miss), AccessKind::miss_cold);
  EXPECT_EQ(history.classify(Address{64}, two, false, hit), AccessKind::hit_other_warp);
  EXPECT_EQ(history.classify(Address{64}, one, false, hit), AccessKind::hit_same_warp);
  EXPECT_EQ(history.classify(Address{0}, one, false, miss), AccessKind::miss_same_warp);
  EXPECT_EQ(history.classify(Address{0}, two, false, miss), AccessKind::miss_other_warp);
  EXPECT_EQ(history.classify(Address{0}, two, false, miss), AccessKind::miss_same_warp);
}

TEST(IssueIntervals, DoublesItsIntervalToKeepItsLength) {
  IssueIntervals pattern;
  for (std::uint64_t cycle = 0; cycle < 100000; ++cycle)
    pattern.add(Cycle{cycle}, WarpSlot(static_cast<int>(cycle % 3)));
  EXPECT_LE(pattern.rows.size(), IssueIntervals::kMaxRows);
  std::uint64_t total = 0;
  for (const auto& row : pattern.rows)
    total += std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  EXPECT_EQ(total, 100000u);
  EXPECT_GE(pattern.interval * IssueIntervals::kMaxRows, 100000u);
}

TEST(SmTimeline, HasOneIssueSlicePerInstructionWithoutOverlap) {
  Bench bench(load_use_barrier());
  Watch watch(bench);
  bench.run(4, 2);
  watch.recorder.finish(Cycle{1000000});
  const auto& slices = watch.recorder.record().slices;
  std::map<std::uint32_t, std::uint64_t> end_of_track;
  std::uint64_t issues = 0;
  for (const stats::Timeline::Slice& s : slices) {
    EXPECT_LT(s.from, s.to);
    EXPECT_GE(s.from, end_of_track[s.track]);
    end_of_track[s.track] = s.to;
    if (s.name == static_cast<std::uint32_t>(WarpState::issue)) {
      ++issues;
      EXPECT_EQ(s.to - s.from, stats::Timeline::kUnitsPerCycle);
    }
  }
  EXPECT_EQ(issues, bench.stats().warp_instructions);
}

// Issues nothing before cycle 500.
class IssuesFromCycle500 final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    return view.now < Cycle{500} ? WarpSlot() : view.issuable.lowest();
  }
  Cycle wake_at(Cycle) const override { return Cycle{500}; }
};

TEST(SmTimeline, SeparatesVetoedWarpsFromThoseThatWereNotChosen) {
  Bench bench(load_use_barrier(), {}, sm::test::gtx480(), 100,
              [](int) { return std::make_unique<IssuesFromCycle500>(); });
  Watch watch(bench);
  bench.run(4, 1);
  watch.recorder.finish(Cycle{1000000});
  const std::uint64_t start = 500 * stats::Timeline::kUnitsPerCycle;
  std::uint64_t vetoed = 0, not_chosen = 0;
  for (const stats::Timeline::Slice& s : watch.recorder.record().slices) {
    if (s.name == static_cast<std::uint32_t>(WarpState::vetoed)) {
      ++vetoed;
      EXPECT_EQ(s.to, start);
    }
    if (s.name == static_cast<std::uint32_t>(WarpState::not_chosen)) {
      ++not_chosen;
      EXPECT_GE(s.from, start);
    }
  }
  EXPECT_EQ(vetoed, 4u);
  EXPECT_GT(not_chosen, 0u);
}

// In load_use_barrier() the addition, instruction 1, reads what the load, instruction 0, writes.
TEST(SmTimeline, NamesTheInstructionThatWritesThePendingOperand) {
  Bench bench(load_use_barrier());
  Watch watch(bench);
  const std::uint32_t places = 500;
  watch.recorder.begin_kernel(places);
  bench.run(1, 1);
  watch.recorder.finish(Cycle{1000000});
  std::uint64_t waits = 0;
  for (const stats::Timeline::Slice& s : watch.recorder.record().slices) {
    if (s.name == static_cast<std::uint32_t>(WarpState::scoreboard) && s.detail == places + 1) {
      ++waits;
      EXPECT_EQ(s.cause, places);
    }
    if (s.name == static_cast<std::uint32_t>(WarpState::issue))
      EXPECT_EQ(s.cause, stats::Timeline::kNone);
  }
  EXPECT_EQ(waits, 1u);
}

TEST(SmTimeline, NamesTheUnitWhoseLatchIsFull) {
  const isa::Instruction load = sm::test::memory(OpClass::load, Space::global, {1}, {});
  Bench bench({load, load, load, load, sm::test::exit()});
  Watch watch(bench);
  bench.run(8, 1);
  watch.recorder.finish(Cycle{1000000});
  std::uint64_t waits = 0;
  for (const stats::Timeline::Slice& s : watch.recorder.record().slices) {
    const bool is_load = s.detail < 4;
    if (s.name != static_cast<std::uint32_t>(WarpState::pipeline) || !is_load) continue;
    ++waits;
    EXPECT_EQ(s.cause, Watch::kFirstUnit + static_cast<std::uint32_t>(index(sm::UnitClass::mem)));
  }
  EXPECT_GT(waits, 0u);
}

TEST(SmTimeline, EndsAtItsWindow) {
  Bench bench(load_use_barrier());
  Watch watch(bench, {Cycle{20}, Cycle{60}});
  bench.run(4, 2);
  watch.recorder.finish(Cycle{1000000});
  ASSERT_FALSE(watch.recorder.record().slices.empty());
  for (const stats::Timeline::Slice& s : watch.recorder.record().slices) {
    EXPECT_GE(s.from, 20 * stats::Timeline::kUnitsPerCycle);
    EXPECT_LE(s.to, 60 * stats::Timeline::kUnitsPerCycle);
  }
}

TEST(SmTimeline, HasNoCtaThatIsOutsideOfItsWindow) {
  Bench bench(load_use_barrier());
  Watch watch(bench, {Cycle{100000}, Cycle{200000}});
  bench.run(4, 2);
  watch.recorder.finish(Cycle{1000000});
  EXPECT_TRUE(watch.recorder.record().slices.empty());
  EXPECT_TRUE(watch.recorder.record().ctas.empty());
}

TEST(Flatten, NamesEveryNumberOnce) {
  std::set<std::string> names;
  std::size_t count = 0;
  stats::flatten(sm::SmStats{}, [&](const std::string& name, std::uint64_t) {
    names.insert(name);
    ++count;
  });
  EXPECT_EQ(names.size(), count);
  EXPECT_TRUE(names.contains("l1d.hits"));
  EXPECT_TRUE(names.contains("slots.idle"));
  EXPECT_TRUE(names.contains("active_lanes.32"));
}

}  // namespace
}  // namespace heddle::gpu
