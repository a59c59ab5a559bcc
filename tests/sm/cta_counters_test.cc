#include "sm/warp/cta_counters.h"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/sm/cta_bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

TEST(CtaCounters, IssuesAreCountedPerCta) {
  Bench bench(independent(100));
  bench.sm.count({.issues = true});
  bench.before_window = [&](std::uint64_t now) {
    if (now == 150) {
      std::uint64_t sum = 0;
      for (const auto& cta : bench.sm.resident_ctas()) sum += cta.issued;
      EXPECT_EQ(sum, bench.source.issues.size());
    }
  };
  bench.run(3, 6, 1, 2);
  ASSERT_EQ(bench.finished.size(), 6u);
  for (const auto& cta : bench.finished) EXPECT_EQ(cta.issued, 3u * 101);
}

TEST(CtaCounters, NothingIsCountedUnlessAsked) {
  Bench bench(independent(100));
  bench.run(3, 2);
  EXPECT_EQ(bench.finished[0].issued, 0u);
  EXPECT_EQ(bench.sm.take_warp_states().cycles, 0u);
}

auto numbers(const WarpStates& s) {
  return std::make_tuple(s.cycles, s.idle_cycles, s.memory_cycles, s.active_warps, s.waiting_warps,
                         s.excess_memory_warps, s.excess_alu_warps);
}

TEST(CtaCounters, AWarpThatWaitsForItsLoadMakesMemoryCycles) {
  Bench bench(
      {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()}, {},
      gtx480(), 500);
  bench.sm.count({.states = true});
  bench.run();
  const WarpStates states = bench.sm.take_warp_states();
  // The load waits at least 500 cycles; nothing else does.
  const std::uint64_t wait = bench.source.gap(0, 1) - 1;
  EXPECT_GE(wait, 500u);
  EXPECT_EQ(states.memory_cycles, wait);
  EXPECT_EQ(states.waiting_warps, wait);
  EXPECT_EQ(states.cycles, bench.stats().cycles);
  EXPECT_EQ(states.excess_memory_warps + states.excess_alu_warps, 0u);
}

TEST(CtaCounters, ReadyWarpsThatDoNotIssueAreExcessWarps) {
  // A barrier releases ten warps at once; two schedulers issue one instruction each and cycle.
  const auto run = [](const isa::Instruction& last) {
    Bench bench({make(OpClass::barrier), last, exit()}, {}, perfect_fetch());
    bench.source.kernel_ref().instructions[0].barrier = isa::BarrierOp::sync;
    bench.sm.count({.states = true});
    bench.run(10);
    return bench.sm.take_warp_states();
  };
  const WarpStates alu = run(make(OpClass::alu, {1}, {2}));
  EXPECT_GE(alu.excess_alu_warps, 2u * (4 + 3 + 2 + 1));
  EXPECT_EQ(alu.excess_memory_warps, 0u);
  const WarpStates load = run(memory(OpClass::load, Space::global, {1}, {2}));
  EXPECT_GE(load.excess_memory_warps, 2u * (4 + 3 + 2 + 1));
  EXPECT_LE(load.excess_memory_warps + load.waiting_warps, load.active_warps);
}

TEST(CtaCounters, ABarrierIsNoWaitForMemory) {
  // Warp 1 waits at a barrier while warp 0 divides.
  std::vector<isa::Instruction> code;
  for (int i = 0; i < 4; ++i) code.push_back(make(OpClass::int_div, {1}, {1}));
  code.push_back(make(OpClass::barrier));
  code.back().barrier = isa::BarrierOp::sync;
  code.push_back(exit());
  Bench bench(code, [](WarpSlot w, exec::Step& s) {
    if (w.index == 1 && s.pc == 0) s.next_pc = 4;
  });
  bench.sm.count({.states = true});
  bench.run(2);
  EXPECT_EQ(bench.sm.take_warp_states().memory_cycles, 0u);
}

// An SM skips no cycle when a policy subscribes to every cycle.
class NeverSkips final : public RoundRobin {
 public:
  EventSet subscribed_events() const override { return Event::cycle | Event::issue; }
};

TEST(CtaCounters, SkippedCyclesAreCounted) {
  const auto run = [](bool skips) {
    Bench bench(loads_and_barriers(8), spread_addresses, gtx480(), 700,
                [&](int) -> std::unique_ptr<WarpScheduler> {
                  if (skips) return std::make_unique<RoundRobin>();
                  return std::make_unique<NeverSkips>();
                });
    bench.sm.count({.issues = true, .states = true});
    bench.before_window = [&](std::uint64_t now) {
      if (now == 520) bench.sm.set_paused(1, true);
      if (now == 2600) bench.sm.set_paused(1, false);
    };
    const std::uint64_t end = bench.run(3, 6, 40, 3);
    return std::make_tuple(end, numbers(bench.sm.take_warp_states()),
                           slots(bench.stats(), SlotUse::throttled));
  };
  EXPECT_EQ(run(true), run(false));
}

}  // namespace
}  // namespace heddle::sm::test
