#include "gpu/engine/wave_sampling.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::kernel_of;

constexpr std::uint32_t kWave = 12;  // CTAs of 256 threads on two SMs

KernelResult result_of(EngineBench& bench, std::uint32_t ctas, bool sampled) {
  if (sampled) bench.engine().wave_sampling().enable(false);
  bench.begin(ctas, 256);
  return bench.finish().at(0).result;
}

// Adds 1 to a word after a loop. before: what each thread does first.
std::string adds_one(std::uint64_t address, const std::string& before = "") {
  return ".reg .b64 %rd<3>;\n.reg .b32 %r<5>;\n.reg .pred %p<3>;\n" + before +
         "mov.u32 %r1, 64;\nLOOP:\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\n"
         "mov.u64 %rd1, " +
         std::to_string(address) + ";\nred.global.add.u32 [%rd1], 1;\nret;\n";
}

std::uint64_t first_address() {
  exec::GlobalMemory memory(1 << 20);  // every memory begins at one address
  return memory.allocate(8, "word").value;
}

}  // namespace

TEST(WaveSampling, TheWavesThatAgreeStandForTheOthers) {
  EngineBench all, some;
  const KernelResult whole = result_of(all, 30 * kWave + 5, false);
  const KernelResult part = result_of(some, 30 * kWave + 5, true);
  EXPECT_TRUE(whole.steady.empty());
  ASSERT_EQ(part.steady.size(), 1u);
  EXPECT_STREQ(part.simulated(), kSampled);
  EXPECT_EQ(part.ctas.count + part.steady[0].skipped_ctas, 30 * kWave + 5);
  EXPECT_EQ(part.steady[0].skipped_ctas % kWave, 0u);
  EXPECT_GE(part.steady[0].skipped_ctas, 20 * kWave);
  EXPECT_EQ(part.warp_instructions + part.untimed_warp_instructions, whole.warp_instructions);
  const KernelResult& steady = part.steady[0].part;
  const double estimate =
      static_cast<double>(part.cycles) + static_cast<double>(part.untimed_warp_instructions) *
                                             static_cast<double>(steady.cycles) /
                                             static_cast<double>(steady.warp_instructions);
  EXPECT_NEAR(estimate / static_cast<double>(whole.cycles), 1, 0.01);
}

TEST(WaveSampling, AShortLaunchIsTimedWhole) {
  EngineBench bench;
  EXPECT_TRUE(result_of(bench, 5 * kWave, true).steady.empty());
}

TEST(WaveSampling, WhatIsNotTimedIsComputed) {
  EngineBench bench(kernel_of(adds_one(first_address())));
  const Address sum = bench.memory.allocate(8, "word");
  ASSERT_FALSE(result_of(bench, 30 * kWave, true).steady.empty());
  std::uint32_t total = 0;
  std::memcpy(&total, bench.memory.host(sum), sizeof total);
  EXPECT_EQ(total, 30 * kWave * 256);
}

// CTA 1 waits for the last CTA, which would not be timed.
TEST(WaveSampling, ACtaThatWaitsForALaterOneEndsTheSampling) {
  const std::uint64_t word = first_address();
  EngineBench bench(kernel_of(adds_one(
      word, "mov.u32 %r2, %ctaid.x;\nmov.u64 %rd2, " + std::to_string(word + 4) +
                ";\nsetp.eq.u32 %p2, %r2, " + std::to_string(30 * kWave - 1) +
                ";\n@%p2 st.global.u32 [%rd2], 1;\nsetp.ne.u32 %p2, %r2, 1;\n@%p2 bra DONE;\n"
                "WAIT:\nld.global.cg.u32 %r3, [%rd2];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra WAIT;\n"
                "DONE:\n")));
  const Address sum = bench.memory.allocate(8, "word");
  std::memset(bench.memory.host(sum), 0, 8);
  const KernelResult result = result_of(bench, 30 * kWave, true);
  EXPECT_TRUE(result.steady.empty());
  EXPECT_EQ(result.ctas.count, 30 * kWave);
  std::uint32_t total = 0;
  std::memcpy(&total, bench.memory.host(sum), sizeof total);
  EXPECT_EQ(total, 30 * kWave * 256);
}

TEST(WaveSampling, KernelsWhoseCtasMayCommunicateAreTimedWhole) {
  EXPECT_FALSE(may_communicate(kernel_of(adds_one(4096))));
  const std::string declared = ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nmov.u64 %rd1, 4096;\n";
  EXPECT_TRUE(may_communicate(kernel_of(declared + "atom.global.add.u32 %r1, [%rd1], 1;\nret;\n")));
  EXPECT_TRUE(may_communicate(kernel_of(declared + "ld.volatile.global.u32 %r1, [%rd1];\nret;\n")));
  EXPECT_FALSE(may_communicate(kernel_of(declared + "ld.global.u32 %r1, [%rd1];\nret;\n")));
}

// Of two programs that share each SM: the launches' cycles with what was left out.
std::vector<double> cycles_of_two(bool sampled, std::vector<KernelResult>* results = nullptr) {
  EngineBench bench;
  bench.programs = 2;
  bench.shares.prepare = [](test::ScriptedShares& shares) {
    shares.limit = [](int, int) { return 3; };
  };
  bench.engine().set_programs({0, 1});
  if (sampled) bench.engine().wave_sampling().enable(true);
  bench.engine().begin(bench.launch(40 * kWave, 256, 0));
  bench.engine().begin(bench.launch(90 * kWave, 256, 1));
  std::vector<double> cycles(2);
  for (const QueuedKernel& k : bench.finish()) {
    double& sum = cycles[program_of(k)] = static_cast<double>(k.result.cycles);
    double skipped = 0;
    for (const SteadyWaves& steady : k.result.steady)
      skipped += static_cast<double>(steady.skipped_ctas);
    for (const SteadyWaves& steady : k.result.steady)
      sum += static_cast<double>(k.result.untimed_warp_instructions) *
             static_cast<double>(steady.skipped_ctas) / skipped *
             static_cast<double>(steady.part.cycles) /
             static_cast<double>(steady.part.warp_instructions);
    if (results) results->push_back(k.result);
  }
  return cycles;
}

// The shorter launch sets how many CTAs both omit. What then runs alone is timed: its program's
// neighbour might launch again.
TEST(WaveSampling, LaunchesOfTwoProgramsOmitCtasForTheSameTime) {
  std::vector<KernelResult> results;
  const std::vector<double> whole = cycles_of_two(false), estimates = cycles_of_two(true, &results);
  ASSERT_EQ(results.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(results[i].steady.size(), 1u);
    EXPECT_NEAR(estimates[i] / whole[i], 1, 0.01);
    EXPECT_GE(results[i].steady[0].skipped_ctas, 20 * kWave);
  }
  EXPECT_NEAR(static_cast<double>(results[0].steady[0].skipped_ctas),
              static_cast<double>(results[1].steady[0].skipped_ctas), kWave);
}

// After the first program has ended, the other one omits CTAs again.
TEST(WaveSampling, ALaunchOmitsCtasAgainBesideOthers) {
  EngineBench bench;
  bench.programs = 2;
  bench.shares.prepare = [](test::ScriptedShares& shares) {
    shares.limit = [](int, int) { return 3; };
  };
  bench.engine().set_programs({0, 1});
  bench.engine().wave_sampling().enable(true);
  bench.engine().begin(bench.launch(40 * kWave, 256, 0));
  bench.engine().begin(bench.launch(120 * kWave, 256, 1));
  ASSERT_EQ(program_of(bench.engine().advance({}, {}).at(0)), 0u);
  bench.engine().set_programs({1});
  const KernelResult result = bench.finish().at(0).result;
  ASSERT_EQ(result.steady.size(), 2u);
  EXPECT_EQ(result.ctas.count + result.steady[0].skipped_ctas + result.steady[1].skipped_ctas,
            120 * kWave);
}

// A program that has ended once launches again and again. A wave of the other one lasts at least a
// launch of it.
struct BesideShortLaunches {
  double cycles = 0;  // with what was left out
  KernelResult result;
  std::uint64_t launches = 0;  // that ended beside it
};
// times: the other program's launches. Returns each.
std::vector<BesideShortLaunches> run_beside_short_launches(bool sampled, bool repeating,
                                                           std::size_t times = 1) {
  EngineBench bench;
  bench.programs = 2;
  bench.shares.prepare = [](test::ScriptedShares& shares) {
    shares.limit = [](int, int) { return 3; };
  };
  Engine& engine = bench.engine();
  engine.set_programs({0, 1});
  if (repeating) engine.wave_sampling().set_repeating(0);
  if (sampled) engine.wave_sampling().enable(true);
  engine.begin(bench.launch(2 * kWave, 256, 0));
  engine.begin(bench.launch(120 * kWave, 256, 1));
  std::vector<BesideShortLaunches> all(1);
  for (;;) {
    for (const QueuedKernel& k : engine.advance({}, {})) {
      BesideShortLaunches& ran = all.back();
      if (program_of(k) == 0) {
        ++ran.launches;
        engine.begin(bench.launch(2 * kWave, 256, 0));
        continue;
      }
      ran.result = k.result;
      ran.cycles = static_cast<double>(k.result.cycles);
      for (const SteadyWaves& steady : k.result.steady)
        ran.cycles += static_cast<double>(k.result.untimed_warp_instructions) *
                      static_cast<double>(steady.part.cycles) /
                      static_cast<double>(steady.part.warp_instructions);
      if (all.size() == times) return all;
      all.emplace_back();
      engine.begin(bench.launch(120 * kWave, 256, 1));
    }
  }
}

TEST(WaveSampling, AProgramThatRepeatsOmitsNothingAndLetsTheOtherOmit) {
  const BesideShortLaunches whole = run_beside_short_launches(false, true).at(0),
                            sampled = run_beside_short_launches(true, true).at(0);
  ASSERT_EQ(sampled.result.steady.size(), 1u);
  EXPECT_GE(sampled.result.steady[0].skipped_ctas, 30 * kWave);
  EXPECT_EQ(sampled.result.ctas.count + sampled.result.steady[0].skipped_ctas, 120 * kWave);
  EXPECT_NEAR(sampled.cycles / whole.cycles, 1, 0.02);
  EXPECT_LT(sampled.launches, whole.launches);
}

TEST(WaveSampling, BesideShortLaunchesOfAProgramThatHasNotEndedNothingIsOmitted) {
  EXPECT_TRUE(run_beside_short_launches(true, false).at(0).result.steady.empty());
}

TEST(WaveSampling, WavesOfALaunchStandForThoseOfTheNextLaunchThatIsAlike) {
  const auto whole = run_beside_short_launches(false, true, 3),
             sampled = run_beside_short_launches(true, true, 3);
  const KernelResult& first = sampled[0].result;
  ASSERT_EQ(first.steady.size(), 1u);
  for (std::size_t i = 1; i < 3; ++i) {
    const KernelResult& later = sampled[i].result;
    ASSERT_EQ(later.steady.size(), 1u);
    EXPECT_LT(later.ctas.count, first.ctas.count / 2);
    EXPECT_EQ(later.ctas.count + later.steady[0].skipped_ctas, 120 * kWave);
    EXPECT_GT(later.steady[0].part.ctas.count, first.steady[0].part.ctas.count);
    EXPECT_NEAR(sampled[i].cycles / whole[i].cycles, 1, 0.02);
  }
}

// A sampled run of one program chooses the launches that are timed, and measures how they differ.
TEST(WaveSampling, OnlyACoRunCarriesWavesFromLaunchToLaunch) {
  std::uint64_t ctas[2];
  for (const bool across : {false, true}) {
    EngineBench bench;
    bench.engine().wave_sampling().enable(across);
    for (int i = 0; i < 2; ++i) {
      bench.begin(120 * kWave, 256);
      ctas[across] = bench.finish().at(0).result.ctas.count;
    }
  }
  EXPECT_LT(ctas[true], ctas[false] / 2);
}

TEST(WaveSampling, BesideAProgramWithoutALaunchNothingIsOmitted) {
  EngineBench bench;
  bench.programs = 2;
  bench.engine().set_programs({0, 1});
  EXPECT_TRUE(result_of(bench, 30 * kWave, true).steady.empty());
}

}  // namespace heddle::gpu
