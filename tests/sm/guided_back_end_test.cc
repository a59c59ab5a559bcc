#include "sm/issue/guided_back_end.h"

#include <gtest/gtest.h>

#include <random>

#include "sm/warp/latency_law.h"
#include "tests/sm/guided_bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

constexpr Pc kWarm = 24;  // instructions before those that a test looks at

// Fills the instruction cache and the buffer first.
std::vector<isa::Instruction> warmed(const std::vector<isa::Instruction>& code) {
  std::vector<isa::Instruction> all(kWarm, make(OpClass::fp_add));
  all.insert(all.end(), code.begin(), code.end());
  all.push_back(exit());
  return all;
}
// Cycles between the issues of code[from] and code[to].
std::uint64_t gap(const std::vector<isa::Instruction>& code, Pc from, Pc to) {
  Bench bench(warmed(code), {}, guided());
  bench.run();
  EXPECT_EQ(bench.stats().control_violations, 0u);
  return bench.source.gap(kWarm + from, kWarm + to);
}

TEST(GuidedBackEnd, OneWarpIssuesInEveryCycle) {
  const isa::Instruction fma = make(OpClass::fp_fma, {1}, {2});
  EXPECT_EQ(gap(std::vector(12, make(OpClass::fp_fma, {1, 2}, {})), 0, 11), 11u);
  EXPECT_EQ(gap({fma, make(OpClass::fp_fma, {3}, {4})}, 0, 1), 1u);
}

// The lines that a miss prefetches displace the line that missed.
TEST(GuidedBackEnd, FetchesThroughAnL0CacheThatIsSmallerThanWhatItPrefetches) {
  config::GpuSpec g = guided();
  g.sm.guided.l0i_bytes = 512;
  g.sm.guided.prefetched_lines = 8;
  Bench bench(warmed(std::vector(100, make(OpClass::fp_add))), {}, g);
  bench.run();
  EXPECT_GT(bench.source.gap(0, kWarm + 99), 100u);
}

TEST(GuidedBackEnd, AUnitOf16LanesAcceptsAnInstructionInTwoCycles) {
  EXPECT_EQ(gap(std::vector(4, make(OpClass::int_add, {1}, {})), 0, 3), 6u);
}

TEST(GuidedBackEnd, DependentInstructionsIssueAfterTheLatency) {
  EXPECT_EQ(gap({make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_fma, {2}, {3})}, 0, 1), 4u);
  EXPECT_EQ(gap({make(OpClass::dp_fma, {1}, {2}), make(OpClass::dp_fma, {2}, {3})}, 0, 1), 8u);
  EXPECT_EQ(gap({make(OpClass::sfu, {1}, {2}), make(OpClass::fp_add, {2}, {3})}, 0, 1), 23u);
}

TEST(GuidedBackEnd, SixReadsOfOneBankFillTwoWindows) {
  // Three reads of bank 1 per instruction: one instruction in three cycles.
  const isa::Instruction fma = make(OpClass::fp_fma, {1, 3, 5}, {});
  const isa::Instruction other = make(OpClass::fp_fma, {7, 9, 11}, {});
  EXPECT_GE(gap({fma, other, fma, other, fma, other, fma, other}, 0, 7), 15u);
  Bench bench(warmed({fma, other, fma, other}), {}, guided());
  bench.run();
  EXPECT_GT(bench.stats().bank_conflicts, 0u);
}

TEST(GuidedBackEnd, TheReuseCacheSavesReads) {
  const isa::Instruction fma = make(OpClass::fp_fma, {1, 3, 5}, {});
  Bench bench(warmed(std::vector(8, fma)), {}, guided());
  bench.run();
  EXPECT_EQ(bench.source.gap(kWarm, kWarm + 7), 7u);
  EXPECT_EQ(bench.stats().reuse_hits, 21u);
}

TEST(GuidedBackEnd, MemoryInstructionsFillTheQueueThenIssueAtTheAddressInterval) {
  std::vector<isa::Instruction> loads;
  for (std::uint16_t k = 0; k < 12; ++k)
    loads.push_back(memory(OpClass::load, Space::shared, {1}, {static_cast<std::uint16_t>(k + 2)}));
  EXPECT_EQ(gap(loads, 0, 3), 3u);
  EXPECT_EQ(gap(loads, 8, 11), 12u);
}

TEST(GuidedBackEnd, SeveralSubCoresShareTheMemoryInterval) {
  std::vector<isa::Instruction> loads;
  for (std::uint16_t k = 0; k < 24; ++k)
    loads.push_back(memory(OpClass::load, Space::shared, {1}, {static_cast<std::uint16_t>(k + 2)}));
  config::GpuSpec gpu = guided(4);
  gpu.sm.guided.memory_interval = 2;
  Bench bench(warmed(loads), {}, gpu);
  bench.run(4);
  // Instructions of four sub-cores in turn.
  EXPECT_NEAR(static_cast<double>(bench.source.gap(kWarm + 16, kWarm + 23)), 7 * 4 * 2, 3);
}

TEST(GuidedBackEnd, AConflictInSharedMemoryTakesTwoCycles) {
  const auto load_to_use = [](std::uint64_t words) {
    Bench bench(
        warmed({memory(OpClass::load, Space::shared, {1}, {2}), make(OpClass::fp_add, {2}, {3})}),
        [&](WarpSlot, exec::Step& s) {
          for (std::uint64_t lane = 0; lane < kWarpSize; ++lane)
            s.addresses[lane] = 4 * words * lane;
        },
        guided());
    bench.run();
    return bench.source.gap(kWarm, kWarm + 1);
  };
  EXPECT_EQ(load_to_use(2), load_to_use(1) + 2);
  EXPECT_EQ(load_to_use(32), load_to_use(1) + 62);
}

// What reads memory waits for all of them.
TEST(GuidedBackEnd, AWarpHasSeveralAtomicsOnTheirWayWhereTheMachineCombinesThem) {
  const auto atomic = [](std::uint16_t to) {
    return memory(OpClass::atomic, Space::global, {1, 2}, {to});
  };
  config::GpuSpec gpu = guided();
  for (const bool combines : {false, true}) {
    gpu.sm.combined_atomics = combines;
    constexpr int kLatency = 300;
    Bench bench(warmed({atomic(3), make(OpClass::fp_add, {4}, {5}), atomic(6),
                        memory(OpClass::load, Space::shared, {1}, {7})}),
                {}, gpu, kLatency);
    bench.run();
    EXPECT_EQ(bench.stats().control_violations, 0u);
    EXPECT_EQ(bench.source.gap(kWarm, kWarm + 1) < 10, combines);
    EXPECT_EQ(bench.source.gap(kWarm + 1, kWarm + 2) < 10, true);
    EXPECT_GT(bench.source.gap(kWarm + 2, kWarm + 3), 200u);
  }
}

// The banks are busy for one cycle for each word, although its latency grows by two.
TEST(GuidedBackEnd, ConflictsInSharedMemoryOverlap) {
  std::vector<isa::Instruction> loads;
  for (std::uint16_t k = 0; k < 24; ++k)
    loads.push_back(memory(OpClass::load, Space::shared, {1}, {static_cast<std::uint16_t>(k + 2)}));
  Bench bench(
      warmed(loads),
      [](WarpSlot, exec::Step& s) {
        for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) s.addresses[lane] = 4 * 8 * lane;
      },
      guided());
  bench.run();
  EXPECT_NEAR(static_cast<double>(bench.source.gap(kWarm + 16, kWarm + 23)), 7 * 8, 3);
}

// Nothing else waits for a result of fixed latency. The second time its instruction waits for read
// ports when the warp ends.
TEST(GuidedBackEnd, AWarpEndsAfterItsLastResult) {
  const auto end = [](OpClass last, bool waits) {
    std::vector<isa::Instruction> code(waits ? 4 : 0, make(OpClass::fp_fma, {1, 3, 5}, {}));
    for (std::size_t k = 1; k < code.size(); k += 2)
      code[k] = make(OpClass::fp_fma, {7, 9, 11}, {});
    code.push_back(make(last, {13, 15, 17}, {2}));
    Bench bench(warmed(code), {}, guided());
    const std::uint64_t last_cycle = bench.run();
    EXPECT_EQ(waits, bench.stats().bank_conflicts > 0);
    return last_cycle - bench.source.gap(0, kWarm + static_cast<Pc>(code.size()) - 1);
  };
  for (const bool waits : {false, true})
    EXPECT_GT(end(OpClass::dp_fma, waits), end(OpClass::fp_fma, waits) + 2);
}

TEST(GuidedBackEnd, StallsOfOneEverywhereBreakTheLawAndEndAllTheSame) {
  const std::vector<isa::Instruction> code =
      warmed({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::fp_add, {2}, {3}),
              make(OpClass::fp_add, {3}, {4})});
  Bench bench(code, {}, guided());
  bench.source.kernel_ref().has_control_words = true;
  bench.run();
  EXPECT_EQ(bench.source.gap(kWarm, kWarm + 2), 2u);
  EXPECT_EQ(bench.stats().control_violations, 2u);
}

std::vector<isa::Instruction> random_code(std::mt19937& random) {
  const auto pick = [&](std::uint32_t n) { return random() % n; };
  const auto reg = [&] { return static_cast<std::uint16_t>(pick(24)); };
  constexpr OpClass kClasses[] = {OpClass::alu,    OpClass::int_mad, OpClass::fp_fma,
                                  OpClass::dp_fma, OpClass::sfu,     OpClass::shuffle};
  constexpr Space kSpaces[] = {Space::global, Space::shared, Space::constant};
  std::vector<isa::Instruction> code;
  for (int n = 0; n < 60; ++n) {
    const std::uint16_t to = reg();
    isa::Instruction i;
    if (pick(4) == 0) {
      const Space space = kSpaces[pick(3)];
      i = space != Space::constant && pick(2)
              ? memory(OpClass::store, space, {reg(), static_cast<std::uint16_t>(24 + pick(2))}, {})
              : memory(OpClass::load, space, {reg()}, {to});
    } else {
      i = make(kClasses[pick(6)], {reg(), static_cast<std::uint16_t>(24 + pick(2))}, {to});
    }
    if (pick(5) == 0) {
      i.guard_register = 30;
      i.reads[i.read_count++] = 30;
    }
    code.push_back(i);
    if (pick(9) == 0) code.push_back(make(OpClass::alu, {reg()}, {30}));
    if (pick(12) == 0) {
      isa::Instruction b = make(OpClass::branch, {30});
      b.guard_register = 30;
      b.target = static_cast<Pc>(pick(static_cast<std::uint32_t>(code.size())));
      code.push_back(b);
    }
  }
  code.push_back(exit());
  return code;
}

// They have a proof, and a run that does not know it counts nothing. So it is with a damaged word
// where there is a proof.
TEST(GuidedBackEnd, ComputedWordsKeepTheLawInRandomPrograms) {
  int proofs = 0, violating = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const std::vector<isa::Instruction> code = random_code(random);
    const Script script(code);
    std::vector<InstructionTiming> timing = timing_of(script.kernel(), guided(2).sm);
    EXPECT_EQ(timing.front().proven, ProvenLaw::all) << "seed " << seed;
    for (InstructionTiming& t : timing) t.proven = ProvenLaw::nothing;
    std::uint64_t ends[2];
    for (int k = 0; k < 4; ++k) {
      bool holds = true;
      if (k >= 2) {  // damaged
        isa::ControlWord& c = timing[random() % timing.size()].control;
        c.wait_mask = 0;
        c.stall_cycles = 1;
        holds = prove_law(script.kernel(), timing, guided(2).sm.guided.predicate_latency) ==
                ProvenLaw::all;
        proofs += holds;
      }
      // Every branch is taken the first two times that a warp reaches it.
      std::map<std::pair<int, Pc>, int> visits;
      Bench bench(
          code,
          [&](WarpSlot w, exec::Step& s) {
            const Pc target = code[s.pc].target;
            if (target != kNoPc && visits[{w.index, s.pc}]++ < 2) s.next_pc = target;
          },
          guided(2));
      bench.timing = timing;
      const std::uint64_t end = bench.run(5, 3, k == 0 ? 1 : 7);
      if (k < 2) ends[k] = end;
      if (holds) EXPECT_EQ(bench.stats().control_violations, 0u) << "seed " << seed;
      violating += bench.stats().control_violations > 0;
      bench.stats().check_conservation();
    }
    EXPECT_NEAR(static_cast<double>(ends[0]), static_cast<double>(ends[1]), 30) << seed;
  }
  EXPECT_GT(proofs, 10);
  EXPECT_GT(violating, 10);
}

}  // namespace
}  // namespace heddle::sm::test
