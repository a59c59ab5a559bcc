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

std::vector<Wave> waves(std::initializer_list<std::uint64_t> cycles) {
  std::vector<Wave> list;
  for (const std::uint64_t one : cycles) list.push_back({one, 1000, 100, 50});
  return list;
}

KernelResult result_of(EngineBench& bench, std::uint32_t ctas, bool sampled) {
  if (sampled) bench.engine().sample_waves();
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

TEST(AgreeingWaves, AreAtLeastThreeAfterTheFirst) {
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1000}), 5), 0u);
  EXPECT_EQ(agreeing_waves(waves({3000, 1000, 1000, 1000}), 5), 3u);
}

TEST(AgreeingWaves, DoNotVaryMuch) {
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1100, 1000}), 5), 0u);
  EXPECT_EQ(agreeing_waves(waves({1000, 1100, 1000, 1001, 999, 1000, 1000}), 5), 5u);
}

// They change by 1.5 % from wave to wave.
TEST(AgreeingWaves, DoNotDrift) {
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1015, 1030, 1045, 1060, 1075}), 30), 0u);
}

// Every second wave is 30 % longer: eight waves in four parts agree, which single waves do not.
TEST(AgreeingWaves, AreComparedInFourParts) {
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1300, 1000, 1300, 1000, 1300, 1000, 1300}), 20), 8u);
  const std::vector<Wave> parts = parts_of(waves({1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].cycles, 1u);
  EXPECT_EQ(parts[1].cycles, 5u);
  EXPECT_EQ(parts[2].cycles, 4u);
  EXPECT_EQ(parts[3].cycles, 11u);
}

TEST(AgreeingWaves, StandForTenTimesTheirNumber) {
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1000, 1000}), 30), 3u);
  EXPECT_EQ(agreeing_waves(waves({1000, 1000, 1000, 1000}), 31), 0u);
}

TEST(AgreeingWaves, AgreeInDramAccessesToo) {
  std::vector<Wave> list = waves({1000, 1000, 1000, 1000});
  list[2].dram_writes = 100;
  EXPECT_EQ(agreeing_waves(list, 5), 0u);
}

TEST(WaveSampling, TheWavesThatAgreeStandForTheOthers) {
  EngineBench all, some;
  const KernelResult whole = result_of(all, 30 * kWave + 5, false);
  const KernelResult part = result_of(some, 30 * kWave + 5, true);
  EXPECT_FALSE(whole.steady);
  ASSERT_TRUE(part.steady);
  EXPECT_STREQ(part.simulated(), kSampled);
  EXPECT_EQ(part.ctas.count, (30 - part.steady->skipped) * kWave + 5);
  EXPECT_GE(part.steady->skipped, 20u);
  EXPECT_EQ(part.warp_instructions + part.untimed_warp_instructions, whole.warp_instructions);
  const KernelResult& steady = part.steady->part;
  const double estimate =
      static_cast<double>(part.cycles) + static_cast<double>(part.untimed_warp_instructions) *
                                             static_cast<double>(steady.cycles) /
                                             static_cast<double>(steady.warp_instructions);
  EXPECT_NEAR(estimate / static_cast<double>(whole.cycles), 1, 0.01);
}

TEST(WaveSampling, AShortLaunchIsTimedWhole) {
  EngineBench bench;
  EXPECT_FALSE(result_of(bench, 5 * kWave, true).steady);
}

TEST(WaveSampling, WhatIsNotTimedIsComputed) {
  EngineBench bench(kernel_of(adds_one(first_address())));
  const Address sum = bench.memory.allocate(8, "word");
  ASSERT_TRUE(result_of(bench, 30 * kWave, true).steady);
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
  EXPECT_FALSE(result.steady);
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

}  // namespace heddle::gpu
