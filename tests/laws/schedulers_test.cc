// Laws between policies: where two policies coincide by their rules, all statistics are equal; and
// every policy computes the same results for every number of threads.
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "gpu/results_json.h"
#include "sched/catalogue.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws {
namespace {

// Warps count to different numbers and access no memory.
constexpr const char* kCount = R"(
.visible .entry count()
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  mad.lo.u32 %r2, %r2, 7, 5;
  and.b32 %r2, %r2, 31;
  or.b32 %r2, %r2, 1;
LOOP:
  mad.lo.u32 %r3, %r1, %r2, %r3;
  mul.lo.u32 %r4, %r3, %r3;
  xor.b32 %r1, %r4, %r1;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra LOOP;
  ret;
}
)";

// Threads of a warp read rows of different lengths, wait at a barrier, and read each other's sums
// from shared memory.
constexpr const char* kWalk = R"(
.visible .entry walk(.param .u64 rows, .param .u64 sums)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 partial[640];
  ld.param.u64 %rd1, [rows];
  ld.param.u64 %rd2, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.lo.u32 %r5, %r4, 40503;
  and.b32 %r5, %r5, 7;
  mul.wide.u32 %rd3, %r4, 32;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r6, 0;
LOOP:
  ld.global.u32 %r7, [%rd4];
  add.u32 %r6, %r6, %r7;
  add.s64 %rd4, %rd4, 4;
  sub.u32 %r5, %r5, 1;
  setp.gt.s32 %p1, %r5, 0;
  @%p1 bra LOOP;
  and.b32 %r8, %r1, 1;
  setp.eq.u32 %p2, %r8, 0;
  @%p2 bra EVEN;
  mul.lo.u32 %r6, %r6, 3;
EVEN:
  mov.u32 %r9, partial;
  shl.b32 %r10, %r1, 2;
  add.u32 %r11, %r9, %r10;
  st.shared.u32 [%r11], %r6;
  bar.sync 0;
  sub.u32 %r12, %r3, 1;
  sub.u32 %r12, %r12, %r1;
  shl.b32 %r12, %r12, 2;
  add.u32 %r13, %r9, %r12;
  ld.shared.u32 %r14, [%r13];
  add.u32 %r6, %r6, %r14;
  bar.sync 0;
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd6, %rd2, %rd5;
  st.global.u32 [%rd6], %r6;
  ret;
}
)";

struct Variant {
  std::string gpu = "gtx480";
  std::vector<std::string> changes{};
  std::uint32_t threads = 1;
};

struct Outcome {
  std::string results, memory;
};

template <class Program>
Outcome simulate(const Variant& machine, const std::string& scheduler, const Program& program) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu(machine.gpu, machine.changes);
  spec.scheduler = scheduler;
  spec.threads = machine.threads;
  spec.share_always = true;
  DeviceBench bench(spec);
  program(bench);
  return {gpu::results_text(bench.device), bench.memory()};
}

void count(DeviceBench& bench, std::uint32_t ctas, std::uint32_t warps) {
  bench.run(kCount, "count", {ctas, 1, 1}, {32 * warps, 1, 1});
}

// CTAs of five warps.
void walk(DeviceBench& bench, std::uint32_t ctas) {
  std::vector<std::uint32_t> rows(std::size_t{ctas} * 160 * 8 + 8);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<std::uint32_t>(i * 2654435761u >> 8);
  const auto in = bench.copy(rows), out = bench.zeros<std::uint32_t>(std::size_t{ctas} * 160);
  bench.run(kWalk, "walk", {ctas, 1, 1}, {160, 1, 1}, in, out);
}

// Removes the policy's own statistics.
std::string without_policy(const std::string& text) {
  auto results = nlohmann::json::parse(text);
  results["totals"].erase("policy");
  for (auto& kernel : results["kernels"]) kernel.erase("policy");
  return results.dump();
}

std::string walk_results(const std::string& scheduler, std::uint32_t ctas = 60,
                         const Variant& machine = {}) {
  return without_policy(
      simulate(machine, scheduler, [&](DeviceBench& b) { walk(b, ctas); }).results);
}

std::uint64_t throttled(const std::string& results) {
  return nlohmann::json::parse(results)["totals"]["slots"]["throttled"];
}

std::vector<std::string> every_policy() {
  std::vector<std::string> names;
  for (const auto& info : sched::list_policies()) names.push_back(info.name);
  for (const char* more : {"swl:warps=1",
                           "swl:warps=1,barrier=before_last",
                           "swl:warps=1,barrier=lifts",
                           "ccws+lrr",
                           "ccws:cap=at_hit,merged=no,cutoff_lags=no",
                           "daws:sticky=no",
                           "daws:unpredicted=pass",
                           "daws:oversized=effective,closest=classified",
                           "daws:lanes=all",
                           "victim-tags+ccws",
                           "owl:ctas=2,switch_on=any_stall",
                           "ipaws:greedy=ccws",
                           "ipaws:greedy=mascar,count_by=cta",
                           "ipaws:decide=sm,recover=no",
                           "adapt-local:period=200",
                           "two-level:max_active=1",
                           "ipaws:greedy=mascar_lrr",
                           "two-level:demoted=not_ready,promote_only_eligible=yes",
                           "llos:guides=long_operations",
                           "lfws:greedy=previous_cycle",
                           "ps:group=1",
                           "ps:group=2,mode=prioritize,patience=0",
                           "ps:group=3,members=rank+lrr",
                           "ps:group=2,patience=500+swl:warps=8",
                           "ps:group=2+ccws"})
    names.push_back(more);
  return names;
}

TEST(SchedulerLaws, LfwsWithoutLongOperationsEqualsGto) {
  const auto run = [](const char* policy) {
    return without_policy(simulate({}, policy, [](DeviceBench& b) { count(b, 100, 5); }).results);
  };
  EXPECT_EQ(run("lfws"), run("gto"));
  EXPECT_NE(run("lfws"), run("lrr"));
}

TEST(SchedulerLaws, LpiThatInsertsBlockedWarpsEqualsOldestFirst) {
  EXPECT_EQ(walk_results("lpi:inserted=blocked"), walk_results("oldest"));
  EXPECT_NE(walk_results("lpi"), walk_results("oldest"));
}

TEST(SchedulerLaws, LpiWithoutLongOperationsEqualsOldestFirst) {
  const auto run = [](const char* policy) {
    return without_policy(simulate({}, policy, [](DeviceBench& b) { count(b, 100, 5); }).results);
  };
  EXPECT_EQ(run("lpi"), run("oldest"));
}

TEST(SchedulerLaws, AStaticLimitOfAllWarpsEqualsItsOrder) {
  EXPECT_EQ(walk_results("swl:warps=48"), walk_results("gto"));
  EXPECT_EQ(walk_results("swl:warps=48+lrr"), walk_results("lrr"));
  EXPECT_NE(walk_results("swl:warps=5"), walk_results("gto"));
}

TEST(SchedulerLaws, AGroupOfAllWarpsEqualsItsOrder) {
  EXPECT_EQ(walk_results("ps:group=1048576"), walk_results("gto"));
  EXPECT_EQ(walk_results("ps:group=48,members=rank+lrr"), walk_results("lrr"));
  EXPECT_EQ(walk_results("ps:groups=pragmas"), walk_results("gto"));  // no loop is marked
  EXPECT_NE(walk_results("ps:group=2"), walk_results("gto"));
  EXPECT_NE(walk_results("ps:group=2,mode=prioritize"), walk_results("gto"));
}

TEST(SchedulerLaws, CcwsWithoutLostLocalityScoresEqualsGto) {
  const Variant small{"gtx480", {"sm.l1d.size=4KiB", "sm.l1d.set_index=linear"}};
  EXPECT_EQ(walk_results("ccws:k_throttle=0", 60, small), walk_results("gto", 60, small));
  EXPECT_NE(walk_results("ccws", 60, small), walk_results("gto", 60, small));
}

TEST(SchedulerLaws, DawsWithoutClassifiedLoadsEqualsGto) {
  EXPECT_EQ(walk_results("daws-profiled"), walk_results("gto"));
  EXPECT_EQ(walk_results("daws:k_assoc=0,oversized=effective"),
            walk_results("gto"));  // no prediction fits, so none counts
  EXPECT_NE(walk_results("daws"), walk_results("gto"));
}

TEST(SchedulerLaws, KawsWithOneCtaPerSmEqualsOldestFirst) {
  EXPECT_EQ(walk_results("kaws", 15), walk_results("oldest", 15));
  EXPECT_NE(walk_results("kaws", 60), walk_results("oldest", 60));
}

TEST(SchedulerLaws, CtasStartOnASingleSmInRowMajorOrder) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", {"clusters=1", "sms_per_cluster=1"});
  spec.watch.details = true;
  DeviceBench bench(spec);
  bench.run(kCount, "count", {5, 3, 2}, {512, 1, 1});
  const auto& ctas = bench.device.results().back().details->ctas;
  ASSERT_EQ(ctas.size(), 30u);
  for (std::size_t i = 1; i < ctas.size(); ++i) {
    EXPECT_EQ(ctas[i].cta, ctas[i - 1].cta + 1);
    EXPECT_GT(ctas[i].start, ctas[i - 1].start);
  }
}

TEST(SchedulerLaws, TheTimeOfTheLastDispatchedCtaIsThatOfTheGridsLastCta) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", {"clusters=3"});
  spec.watch.details = true;
  DeviceBench bench(spec);
  walk(bench, 40);
  const gpu::KernelResult& result = bench.device.results().back();
  const auto& ctas = result.details->ctas;
  const auto last =
      std::find_if(ctas.begin(), ctas.end(), [](const auto& c) { return c.cta == 39; });
  ASSERT_NE(last, ctas.end());
  EXPECT_EQ(result.ctas.last_dispatched_cycles, last->end - last->start);
  EXPECT_NE(result.ctas.last_dispatched_cycles, 0u);
}

nlohmann::json walk_with_first_warp(bool first_warp, std::uint32_t threads) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", {"clusters=3"});
  spec.watch.first_warp = first_warp;
  spec.threads = threads;
  spec.share_always = threads > 1;
  DeviceBench bench(spec);
  walk(bench, 40);
  return nlohmann::json::parse(gpu::results_text(bench.device));
}

TEST(SchedulerLaws, CountingUntilTheFirstWarpEndsChangesNothingElse) {
  auto with = walk_with_first_warp(true, 1);
  EXPECT_EQ(with, walk_with_first_warp(true, 3));
  const auto first = with["totals"]["first_warp"], whole = with["totals"]["l1d"];
  EXPECT_EQ(first["launches"], with["totals"]["launches"]);
  EXPECT_GT(first["cycles"], 0);
  EXPECT_LT(first["cycles"], with["totals"]["cycles"]);
  EXPECT_GT(first["l1d"]["accesses"], 0);
  EXPECT_LT(first["l1d"]["accesses"], whole["accesses"]);
  EXPECT_GT(first["l2"]["accesses"], 0);
  EXPECT_LT(first["l2"]["accesses"], with["totals"]["l2"]["accesses"]);
  with["totals"].erase("first_warp");
  for (auto& kernel : with["kernels"]) kernel.erase("first_warp");
  EXPECT_EQ(with, walk_with_first_warp(false, 1));
}

TEST(SchedulerLaws, TwoLevelWithAllWarpsActiveEqualsRoundRobinWithoutDemotions) {
  const auto run = [](const char* policy) {
    return without_policy(simulate({}, policy, [](DeviceBench& b) { count(b, 15, 13); }).results);
  };
  EXPECT_EQ(run("two-level:max_active=64"), run("lrr"));
  EXPECT_NE(run("two-level:max_active=2"), run("lrr"));
}

TEST(SchedulerLaws, MascarWithMissStatusForAllKeepsEqualPriority) {
  const Variant wide{"gtx480", {"sm.l1d.mshr_entries=65536", "sm.l1d.miss_queue=65536"}};
  EXPECT_EQ(throttled(walk_results("mascar", 60, wide)), 0u);
  EXPECT_EQ(walk_results("mascar", 60, wide), walk_results("mascar:sat_margin=1", 60, wide));
  EXPECT_NE(walk_results("mascar"), walk_results("mascar:sat_margin=200"));
}

TEST(SchedulerLaws, EveryPolicyComputesTheSameResultsForEveryNumberOfThreads) {
  const auto program = [](DeviceBench& b) { walk(b, 8); };
  const std::string expected = simulate({}, "lrr", program).memory;
  for (const std::string& policy : every_policy()) {
    const Outcome alone = simulate({}, policy, program);
    check_recorded("walk, gtx480, " + policy, alone.results);
    EXPECT_TRUE(alone.memory == expected) << policy;
    for (const std::uint32_t threads : {2u, 3u}) {
      const Outcome shared = simulate({"gtx480", {}, threads}, policy, program);
      EXPECT_EQ(shared.results, alone.results) << policy << " with " << threads << " threads";
      EXPECT_TRUE(shared.memory == expected) << policy << " with " << threads << " threads";
    }
    EXPECT_TRUE(simulate({"qv100", {"clusters=4"}}, policy, program).memory == expected)
        << policy << " with four schedulers per SM";
  }
}

}  // namespace
}  // namespace heddle::laws
