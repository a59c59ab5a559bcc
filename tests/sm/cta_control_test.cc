// What CTA schedulers do to an SM and read from it: paused CTAs, issue counts, states of warps.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

std::vector<isa::Instruction> independent(int count) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < count; ++i)
    code.push_back(make(OpClass::alu, {}, {static_cast<std::uint16_t>(i % 60 + 1)}));
  code.push_back(exit());
  return code;
}

// Loads whose results are used at once, and barriers.
std::vector<isa::Instruction> loads_and_barriers(int trips) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < trips; ++i) {
    code.push_back(memory(OpClass::load, Space::global, {1}, {2}));
    code.push_back(make(OpClass::alu, {2}, {3}));
    code.push_back(make(OpClass::barrier));
    code.back().barrier = isa::BarrierOp::sync;
  }
  code.push_back(exit());
  return code;
}

void spread_addresses(WarpSlot w, exec::Step& s) {
  for (std::size_t l = 0; l < kWarpSize; ++l)
    s.addresses[l] = 0xC0000000 + (s.pc * 64 + static_cast<unsigned>(w.index)) * 128 + 4 * l;
}

// Without misses of the instruction cache.
config::GpuSpec perfect_fetch() {
  config::GpuSpec gpu = gtx480();
  gpu.sm.perfect_instruction_cache = true;
  return gpu;
}

std::int64_t issues_between(const Bench& bench, int warp, std::uint64_t from, std::uint64_t to) {
  return std::count_if(bench.source.issues.begin(), bench.source.issues.end(),
                       [&](const auto& i) { return i.warp == warp && i.at >= from && i.at < to; });
}

TEST(CtaControl, AWarpOfAPausedCtaDoesNotIssue) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now == 200) bench.sm.set_paused(1, true);
    if (now == 300) bench.sm.set_paused(1, false);
  };
  bench.run(1, 2);
  EXPECT_GT(issues_between(bench, 1, 150, 200), 0);
  EXPECT_EQ(issues_between(bench, 1, 200, 300), 0);
  EXPECT_GT(issues_between(bench, 0, 200, 300), 0);
  EXPECT_GT(issues_between(bench, 1, 300, 350), 0);
}

TEST(CtaControl, ASlotInWhichOnlyAPausedWarpCanIssueIsThrottled) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now == 200) bench.sm.set_paused(1, true);
    if (now == 300) bench.sm.set_paused(1, false);
  };
  bench.run(1, 2);
  // Warp 1 is alone on its scheduler. In the first cycle its unit's latch is still full.
  EXPECT_EQ(slots(bench.stats(), SlotUse::throttled), 99u);
}

TEST(CtaControl, WhenAllCtasArePausedTheOldestResumes) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now != 200) return;
    bench.sm.set_paused(0, true);
    bench.sm.set_paused(1, true);
    const auto ctas = bench.sm.resident_ctas();
    ASSERT_EQ(ctas.size(), 2u);
    EXPECT_FALSE(ctas[0].paused);
    EXPECT_TRUE(ctas[1].paused);
  };
  bench.run(1, 2);
  EXPECT_EQ(bench.source.ended, 2);  // CTA 1 resumed when CTA 0 ended
  EXPECT_EQ(issues_between(bench, 1, 200, bench.finished[0].end.value), 0);
}

TEST(CtaControl, AskingForACtaThatIsNotResidentDoesNothing) {
  Bench bench(independent(50));
  bench.before_window = [&](std::uint64_t) { bench.sm.set_paused(77, true); };
  bench.run(1, 2);
  EXPECT_EQ(slots(bench.stats(), SlotUse::throttled), 0u);
}

// Every few cycles another CTA is paused.
TEST(CtaControl, PausesAtAnyTimeEndNoBarrierInADeadlock) {
  for (const std::uint64_t period : {3u, 17u, 64u, 333u}) {
    Bench bench(loads_and_barriers(6), spread_addresses);
    bench.before_window = [&](std::uint64_t now) {
      if (now % period) return;
      for (std::uint64_t cta = 0; cta < 9; ++cta)
        bench.sm.set_paused(cta, (now / period + cta) % 3 != 0);
    };
    bench.run(4, 9, 1, 3);
    EXPECT_EQ(bench.source.ended, 9);
    EXPECT_EQ(bench.stats().warp_instructions, 9u * 4 * (6 * 3 + 1));
  }
}

TEST(CtaControl, ANewCtaInTheSlotOfAPausedOneIsNotPaused) {
  Bench bench(independent(100));
  bench.before_window = [&](std::uint64_t now) {
    if (now == 40) bench.sm.set_paused(0, true);  // the only one: resumes at once
    if (now == 20) bench.sm.set_paused(1, true);
  };
  bench.run(1, 5, 1, 2);
  EXPECT_EQ(bench.source.ended, 5);
  EXPECT_EQ(bench.sm.resident_ctas().size(), 0u);
}

TEST(CtaControl, IssuesAreCountedPerCta) {
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

TEST(CtaControl, NothingIsCountedUnlessAsked) {
  Bench bench(independent(100));
  bench.run(3, 2);
  EXPECT_EQ(bench.finished[0].issued, 0u);
  EXPECT_EQ(bench.sm.take_warp_states().cycles, 0u);
}

auto numbers(const WarpStates& s) {
  return std::make_tuple(s.cycles, s.idle_cycles, s.memory_cycles, s.active_warps, s.waiting_warps,
                         s.excess_memory_warps, s.excess_alu_warps);
}

TEST(CtaControl, AWarpThatWaitsForItsLoadMakesMemoryCycles) {
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

TEST(CtaControl, ReadyWarpsThatDoNotIssueAreExcessWarps) {
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

TEST(CtaControl, ABarrierIsNoWaitForMemory) {
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

TEST(CtaControl, SkippedCyclesAreCounted) {
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
