// One SM: issue, control flow, barriers and CTA slots.
#include <gtest/gtest.h>

#include <set>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

// Requests a partition of the L1 and keeps what it gets.
class Partitioning final : public RoundRobin, mem::CriticalityJudge {
 public:
  explicit Partitioning(std::vector<mem::CriticalPartition*>& found) : found_(found) {}
  void attach(Mechanisms& machine) override {
    found_.push_back(machine.partition_l1({50, 128}, *this));
  }
  bool is_critical(WarpSlot, std::uint64_t) override { return false; }

 private:
  std::vector<mem::CriticalPartition*>& found_;
};

TEST(Sm, ItsSchedulersShareOnePartitionOfTheL1) {
  std::vector<mem::CriticalPartition*> found;
  Bench b({exit()}, {}, gtx480(), 100, [&](int) { return std::make_unique<Partitioning>(found); });
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0], nullptr);
  EXPECT_EQ(found[0], found[1]);
}

TEST(Sm, RunsAWarpToItsEnd) {
  Bench b({make(OpClass::alu, {}, {1}), make(OpClass::alu, {1}, {2}), exit()});
  b.run();
  EXPECT_EQ(b.stats().warp_instructions, 3u);
  EXPECT_EQ(b.stats().thread_instructions, 96u);
  EXPECT_EQ(b.stats().ctas_finished, 1u);
  EXPECT_EQ(b.stats().scheduler_cycles, 2 * b.stats().cycles);
}

// From issue: allocate a collector (1), read the operand (2), dispatch (3), unit (4); then the
// latency, the result latch and writeback.
TEST(Sm, DependentIssueWaitsForTheLatencyOfItsClass) {
  struct {
    OpClass c;
    std::uint64_t latency;
  } cases[] = {{OpClass::alu, 1},    {OpClass::int_add, 4},   {OpClass::int_max, 13},
               {OpClass::fp_mad, 5}, {OpClass::int_div, 145}, {OpClass::dp_add, 8},
               {OpClass::sfu, 8}};
  for (const auto& c : cases) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    Bench b({make(c.c, {5}, {1}), make(OpClass::alu, {1}, {2}), exit()}, {}, g);
    b.run();
    EXPECT_EQ(b.source.gap(0, 1), 4 + c.latency + 2) << static_cast<int>(c.c);
  }
}

TEST(Sm, IndependentInstructionsIssueInPairs) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({make(OpClass::alu, {}, {1}), make(OpClass::alu, {}, {2}), make(OpClass::alu, {}, {3}),
           exit()},
          {}, g);
  b.run();
  EXPECT_EQ(b.source.gap(0, 1), 1u);
  EXPECT_EQ(b.source.gap(1, 2), 2u);  // two instructions per fetch, and a fetch takes two cycles
}

TEST(Sm, TwoSchedulersIssueInOneCycle) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      std::vector<isa::Instruction>(40, make(OpClass::alu)),
      [](WarpSlot, exec::Step& s) {
        if (s.pc == 39) s.next_pc = kNoPc;
      },
      g);
  b.run(16);
  std::map<std::uint64_t, int> per_cycle;
  for (const auto& i : b.source.issues) ++per_cycle[i.at];
  int max_per_cycle = 0;
  for (const auto& [cycle, n] : per_cycle) max_per_cycle = std::max(max_per_cycle, n);
  EXPECT_EQ(max_per_cycle, 2);
}

struct Pair {
  int first;         // the warp that issued first of two in a cycle
  std::uint64_t at;  // the cycle
};
std::vector<Pair> pairs(const Bench& b) {
  std::vector<Pair> found;
  const auto& issues = b.source.issues;
  for (std::size_t i = 1; i < issues.size(); ++i)
    if (issues[i - 1].at == issues[i].at) found.push_back({issues[i - 1].warp, issues[i].at});
  return found;
}

// Both warps wait for a load, during which the SM skips cycles, and then issue together.
Bench bench_of_pairs(bool rotates) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.first_scheduler_rotates = rotates;
  return Bench({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
                make(OpClass::alu), make(OpClass::alu), make(OpClass::alu), exit()},
               {}, g, 77);
}

// As in GPGPU-Sim 4.x: the scheduler that is first advances with every cycle in which the SM has
// CTAs, also a skipped one, and in no other.
TEST(Sm, TheFirstSchedulerAdvancesWithTheCyclesThatHaveCtas) {
  std::set<std::uint64_t> cycles_without_ctas;
  for (std::uint64_t window = 1; window <= 12; ++window) {
    Bench b = bench_of_pairs(true);
    b.run(2, 3, window, 1);  // one CTA after the other, a warp for each scheduler
    ASSERT_EQ(b.finished.size(), 3u);
    EXPECT_GE(pairs(b).size(), 3u) << "window " << window;
    for (const Pair& p : pairs(b)) {
      std::uint64_t cycles = 0;  // with CTAs, before this one
      for (const FinishedCta& c : b.finished)
        if (p.at >= c.start.value) cycles += std::min(p.at, c.end.value + 1) - c.start.value;
      EXPECT_EQ(static_cast<std::uint64_t>(p.first), cycles % 2) << "cycle " << p.at;
      cycles_without_ctas.insert((p.at - cycles) % 2);
    }
  }
  EXPECT_EQ(cycles_without_ctas.size(), 2u);  // the clock alone gives another order
}

TEST(Sm, WithoutRotationSchedulerZeroIsAlwaysFirst) {
  Bench b = bench_of_pairs(false);
  b.run(2, 3, 7, 1);
  EXPECT_GE(pairs(b).size(), 3u);
  for (const Pair& p : pairs(b)) EXPECT_EQ(p.first, 0) << "cycle " << p.at;
}

// Three instructions issue in three cycles; every other cycle is without an issue, also where the
// SM skips cycles.
// A warp fetches in a cycle and issues two cycles later; the first is that of the slot.
TEST(Sm, TheFirstSlotToFetchIsAParameter) {
  const auto order = [](std::uint32_t first) {
    config::GpuSpec gpu = gtx480();
    gpu.sm.perfect_instruction_cache = true;
    gpu.sm.flow.first_fetch_slot = first;
    Bench bench({exit()}, {}, gpu);
    bench.run(4);
    std::vector<int> warps;
    for (const Script::Issued& i : bench.source.issues) warps.push_back(i.warp);
    return warps;
  };
  EXPECT_EQ(order(0), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(order(1), (std::vector{1, 2, 3, 0}));
}

// Two schedulers have multiplications, and the SP has one latch.
TEST(Sm, AProductMayUseTheSfuWhileTheLatchesOfTheSpAreFull) {
  const auto lanes = [](bool either) {
    config::GpuSpec gpu = gtx480();
    gpu.sm.perfect_instruction_cache = true;
    gpu.sm.issue_latches.sp = 1;
    gpu.sm.products.floats_on_either = either;
    Bench bench({make(OpClass::fp_mul, {}, {1}), make(OpClass::fp_mul, {}, {2}), exit()}, {}, gpu);
    bench.run(8);
    return bench.stats().unit_lanes[static_cast<std::size_t>(index(UnitClass::sfu))];
  };
  EXPECT_EQ(lanes(false), 0u);
  EXPECT_GT(lanes(true), 0u);
}

TEST(Sm, CountsCyclesInWhichNoSchedulerIssues) {
  Bench b({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()});
  b.run(1);
  EXPECT_GT(b.stats().cycles, 100u);
  EXPECT_EQ(b.stats().cycles_without_issue, b.stats().cycles - 3);
  Bench two({make(OpClass::alu, {}, {1}), exit()});
  two.run(2);
  std::set<std::uint64_t> cycles;
  for (const auto& i : two.source.issues) cycles.insert(i.at);
  EXPECT_EQ(two.stats().cycles_without_issue, two.stats().cycles - cycles.size());
}

// A scheduler chooses only while two of its warps can issue. The last instruction of the later of
// two warps always issues without a choice.
TEST(Sm, CountsSlotsInWhichAPolicyHasAChoice) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  const std::vector<isa::Instruction> code = {make(OpClass::sfu), make(OpClass::alu),
                                              make(OpClass::alu), exit()};
  Bench alone(code, {}, g), together(code, {}, g);
  alone.run(2);  // a warp for each of the two schedulers
  EXPECT_EQ(alone.stats().slots_with_choice, 0u);
  together.run(16);
  EXPECT_GT(together.stats().slots_with_choice, 0u);
  EXPECT_LE(together.stats().slots_with_choice, together.stats().warp_instructions - 2);
}

TEST(Sm, AWarpThatCalledTheDeviceRuntimeContinuesWhenCallsAreResumed) {
  const auto call = [](WarpSlot, exec::Step& s) { s.waits_for_call = s.pc == 0; };
  Bench b({make(OpClass::alu, {}, {1}), make(OpClass::alu, {}, {2}), exit()}, call);
  b.before_window = [&](std::uint64_t now) {
    if (now == 500) b.sm.resume_calls();
  };
  b.run(2);
  for (int warp = 0; warp < 2; ++warp) EXPECT_EQ(b.source.at(warp, 1) / 10, 50u) << warp;
}

TEST(Sm, TakenBranchFlushesTheBufferAndFetchesAgain) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  const auto jump = [](WarpSlot, exec::Step& s) {
    if (s.pc == 0) s.next_pc = 3;
  };
  Bench b({make(OpClass::branch), make(OpClass::alu), make(OpClass::alu), exit()}, jump, g);
  b.run();
  EXPECT_EQ(b.stats().buffer_flushes, 1u);
  EXPECT_EQ(b.source.gap(0, 3), 3u);  // flush and fetch, decode, issue
}

TEST(Sm, WithDualIssueABranchFlushesTheBufferInItsCycle) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.max_issue = 2;
  const auto jump = [](WarpSlot, exec::Step& s) {
    if (s.pc == 0) s.next_pc = 3;
  };
  Bench b({make(OpClass::branch), make(OpClass::alu), make(OpClass::alu), exit()}, jump, g);
  b.run();
  EXPECT_EQ(b.stats().buffer_flushes, 1u);
  EXPECT_EQ(b.source.gap(0, 3), 2u);  // fetch, decode, issue
}

TEST(Sm, ABarrierReleasesItsWarpsWhenTheLastArrives) {
  std::vector<isa::Instruction> code{make(OpClass::int_div, {}, {1}), make(OpClass::alu, {1}, {2}),
                                     make(OpClass::barrier), make(OpClass::alu), exit()};
  code[2].barrier = isa::BarrierOp::sync;
  Bench b(code, [](WarpSlot w, exec::Step& s) {
    if (s.pc == 0 && w.index > 0) s.next_pc = 2;
  });
  b.run(8);
  std::uint64_t last_arrival = 0;
  for (int w = 0; w < 8; ++w) last_arrival = std::max(last_arrival, b.source.at(w, 2));
  for (int w = 0; w < 8; ++w) EXPECT_GE(b.source.at(w, 3), last_arrival);
  EXPECT_EQ(b.stats().barriers, 8u);
  EXPECT_GT(slots(b.stats(), SlotUse::barrier), 50u);
}

TEST(Sm, AVetoIsCountedAsThrottled) {
  class Never final : public RoundRobin {
   public:
    WarpSlot pick(const IssueView& v) override {
      return v.now < Cycle{500} ? WarpSlot::none : RoundRobin::pick(v);
    }
    Cycle wake_at(Cycle) const override { return Cycle{500}; }
  };
  const config::GpuSpec g = gtx480();
  Script source({make(OpClass::alu), exit()});
  mem::SmPort port(8, 8);
  config::GpuSpec perfect = g;
  perfect.sm.perfect_instruction_cache = true;
  Sm sm(0, perfect, port, [](int) { return std::make_unique<Never>(); });
  exec::Launch launch;
  launch.kernel = &source.kernel();
  launch.block = {32, 1, 1};
  sm.begin_kernel(launch, source, 1);
  sm.queue_cta(0, Cycle{0});
  sm.run(Cycle{0}, Cycle{1000});
  EXPECT_TRUE(sm.drained());
  EXPECT_GT(slots(sm.stats(), SlotUse::throttled), 490u);
  EXPECT_EQ(source.at(0, 0), 500u);
}

TEST(Sm, ASecondInstructionNeedsAUnitOfAnotherClass) {
  config::GpuSpec g = gtx480();
  g.sm.max_issue = 2;
  g.sm.perfect_instruction_cache = true;
  Bench same({make(OpClass::int_add, {1}, {2}), make(OpClass::int_add, {3}, {4}), exit()}, {}, g);
  same.run();
  EXPECT_GT(same.source.gap(0, 1), 0u);
  Bench other({make(OpClass::int_add, {1}, {2}), make(OpClass::sfu, {3}, {4}), exit()}, {}, g);
  other.run();
  EXPECT_EQ(other.source.gap(0, 1), 0u);
  g.sm.dual_issue_different_units = false;
  Bench allowed({make(OpClass::int_add, {1}, {2}), make(OpClass::int_add, {3}, {4}), exit()}, {},
                g);
  allowed.run();
  EXPECT_EQ(allowed.source.gap(0, 1), 0u);
}

TEST(Sm, CtaSlotsAreReused) {
  Bench b({make(OpClass::alu), exit()});
  b.run(2, 20, 4, 4);
  EXPECT_EQ(b.stats().ctas_started, 20u);
  EXPECT_EQ(b.stats().warps_finished, 40u);
  EXPECT_EQ(b.source.ended, 20);
}

TEST(Sm, AViolationNamesTheSmAndItsCycle) {
  struct BadPolicy final : RoundRobin {
    WarpSlot pick(const IssueView&) override { return WarpSlot(kMaxWarpsPerSm - 1); }
  };
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({exit()}, {}, g, 100, [](int) { return std::make_unique<BadPolicy>(); });
  EXPECT_DEATH(b.run(),
               "internal error: SM 0, cycle [0-9]+: a policy picked a warp that cannot "
               "issue \\(src/sm/issue/issue.cc:");
}

}  // namespace
}  // namespace heddle::sm::test
