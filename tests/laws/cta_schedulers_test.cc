// Laws of CTA schedulers: none changes what a program computes or how many thread instructions it
// executes; the number of threads changes no statistic; and where two coincide by their rules, all
// statistics are equal.
#include <gtest/gtest.h>

#include <numeric>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/results_json.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws {
namespace {

// The CTAs of a row read the same rows of a, those of a column the same rows of b. Warps wait at a
// barrier, and CTAs end at different times.
constexpr const char* kTile = R"(
.visible .entry tile(.param .u64 a, .param .u64 b, .param .u64 sums)
{
  .reg .pred %p<3>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ctaid.y;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %ntid.x;
  shl.b32 %r6, %r3, 9;
  add.u32 %r6, %r6, %r1;
  mul.wide.u32 %rd4, %r6, 4;
  add.s64 %rd4, %rd1, %rd4;
  shl.b32 %r7, %r2, 9;
  add.u32 %r7, %r7, %r1;
  mul.wide.u32 %rd5, %r7, 4;
  add.s64 %rd5, %rd2, %rd5;
  mov.u32 %r8, 0;
  add.u32 %r9, %r2, %r3;
  and.b32 %r9, %r9, 3;
  add.u32 %r9, %r9, 4;
LOOP:
  ld.global.u32 %r10, [%rd4];
  ld.global.u32 %r11, [%rd5];
  mad.lo.u32 %r8, %r10, %r11, %r8;
  add.s64 %rd4, %rd4, 256;
  add.s64 %rd5, %rd5, 256;
  sub.u32 %r9, %r9, 1;
  setp.ne.u32 %p1, %r9, 0;
  @%p1 bra LOOP;
  bar.sync 0;
  mad.lo.u32 %r12, %r3, %r4, %r2;
  mad.lo.u32 %r12, %r12, %r5, %r1;
  mul.wide.u32 %rd6, %r12, 4;
  add.s64 %rd6, %rd3, %rd6;
  st.global.u32 [%rd6], %r8;
  ret;
}
)";

struct CtaOutcome {
  nlohmann::json results;
  std::string memory;
  std::uint64_t thread_instructions = 0;
};

CtaOutcome simulate_tile(const std::string& cta_scheduler, std::uint32_t threads = 1,
                         bool sharing = false, std::uint64_t limit_cycles = 0) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.cta_scheduler = cta_scheduler;
  spec.threads = threads;
  spec.share_always = true;
  spec.watch.cta_sharing = sharing;
  spec.timed.limit_cycles = limit_cycles;
  DeviceBench bench(spec);
  std::vector<std::uint32_t> numbers(512 * 32);
  std::iota(numbers.begin(), numbers.end(), 1u);
  constexpr Dim3 kGrid{13, 11}, kBlock{64};
  const auto a = bench.copy(numbers), b = bench.copy(numbers),
             sums = bench.zeros<std::uint32_t>(kGrid.count() * kBlock.x);
  bench.run(kTile, "tile", kGrid, kBlock, a, b, sums);
  CtaOutcome outcome;
  outcome.results = nlohmann::json::parse(gpu::results_text(bench.device));
  outcome.memory = bench.memory();
  const gpu::KernelResult& result = bench.device.results().front();
  outcome.thread_instructions = result.thread_instructions + result.untimed_thread_instructions;
  return outcome;
}

nlohmann::json without_policy(nlohmann::json results) {
  results["totals"].erase("policy");
  results["kernels"][0].erase("policy");
  return results;
}

TEST(CtaSchedulerLaws, NoneChangesTheOutputOrTheThreadInstructions) {
  const CtaOutcome rr = simulate_tile("rr");
  for (const auto& policy : gpu::list_cta_policies()) {
    const CtaOutcome other = simulate_tile(policy.name);
    EXPECT_TRUE(other.memory == rr.memory) << policy.name;
    EXPECT_EQ(other.thread_instructions, rr.thread_instructions) << policy.name;
  }
}

TEST(CtaSchedulerLaws, EveryOneGivesTheSameResultsForEveryNumberOfThreads) {
  for (const auto& policy : gpu::list_cta_policies()) {
    const CtaOutcome alone = simulate_tile(policy.name, 1, true);
    check_recorded("tile, gtx480, " + policy.name, alone.results.dump());
    for (const std::uint32_t threads : {2u, 3u, 8u}) {
      const CtaOutcome shared = simulate_tile(policy.name, threads, true);
      EXPECT_EQ(alone.results, shared.results) << policy.name << ", " << threads << " threads";
      EXPECT_TRUE(alone.memory == shared.memory) << policy.name;
    }
  }
}

TEST(CtaSchedulerLaws, ALimitedLaunchComputesTheSame) {
  const CtaOutcome whole = simulate_tile("rr");
  for (const auto& policy : gpu::list_cta_policies()) {
    const CtaOutcome limited = simulate_tile(policy.name, 1, false, 900);
    EXPECT_TRUE(limited.memory == whole.memory) << policy.name;
    EXPECT_EQ(limited.thread_instructions, whole.thread_instructions) << policy.name;
  }
}

TEST(CtaSchedulerLaws, MappedWithoutADirectionEqualsRoundRobin) {
  EXPECT_EQ(without_policy(simulate_tile("mapped:direction=register").results),
            without_policy(simulate_tile("rr").results));
}

TEST(CtaSchedulerLaws, CountingSharedLinesChangesNothingElse) {
  CtaOutcome counted = simulate_tile("rr", 1, true);
  const auto sharing = counted.results["totals"]["cta_sharing"];
  EXPECT_GT(sharing["resident_cta"].get<std::uint64_t>(), 0u);
  EXPECT_EQ(sharing["hits"].get<std::uint64_t>(),
            counted.results["totals"]["l1d"]["hits"].get<std::uint64_t>());
  counted.results["totals"].erase("cta_sharing");
  counted.results["kernels"][0].erase("cta_sharing");
  EXPECT_EQ(counted.results, simulate_tile("rr").results);
}

// Rows of CTAs share rows of a: on one SM the distance is the whole row.
TEST(CtaSchedulerLaws, MappingAlongARowLetsItsCtasShareLines) {
  const auto sharing =
      simulate_tile("mapped:direction=x", 1, true).results["totals"]["cta_sharing"];
  EXPECT_GT(sharing["same_row"].get<std::uint64_t>(), 0u);
  EXPECT_GE(sharing["distance_x"].get<std::uint64_t>(), 1u);
  EXPECT_GE(sharing["hits"].get<std::uint64_t>(), sharing["own_cta"].get<std::uint64_t>() +
                                                      sharing["resident_cta"].get<std::uint64_t>() +
                                                      sharing["earlier_cta"].get<std::uint64_t>());
}

}  // namespace
}  // namespace heddle::laws
