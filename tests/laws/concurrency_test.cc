// Kernels that run at once: what they compute does not depend on how they share the GPU, they do
// not disturb each other's statistics, and one kernel at a time behaves as if there were no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "energy/energy.h"
#include "gpu/result_sum.h"
#include "gpu/results_json.h"
#include "sched/catalogue.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws {
namespace {

// `count` dependent multiplications and additions per thread, then an atomic addition.
constexpr const char* kCompute = R"(
.visible .entry compute(.param .u64 sum, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [sum];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
LOOP:
  mad.lo.u32 %r2, %r2, 3, 1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  atom.global.add.u32 %r3, [%rd1], 1;
  ret;
}
)";

config::RunSpec concurrent_spec(const std::string& share, const std::string& scheduler = "gto",
                                const std::string& gpu = "gtx480") {
  config::RunSpec spec;
  spec.gpu = config::load_gpu(gpu);
  spec.scheduler = scheduler;
  spec.share = share;
  return spec;
}

// Three kernels of different shapes: barriers and shared memory, irregular loads, atomics.
void three_kernels(DeviceBench& bench, bool at_once) {
  constexpr int kCount = 12000;
  const std::vector<float> values(kCount, 0.5f);
  const auto in = bench.copy(values), sums = bench.zeros<float>(60),
             out = bench.zeros<float>(kCount);
  const auto counter = bench.zeros<std::uint32_t>(1);
  const auto wait = [&] {
    if (!at_once) bench.finish();
  };
  bench.begin(reference_text("reduce"), "reduce", {40, 1, 1}, {256, 1, 1}, in, sums, kCount);
  wait();
  bench.begin(reference_text("vecadd"), "vecadd", {47, 1, 1}, {256, 1, 1}, in, in, out, kCount);
  wait();
  bench.begin(kCompute, "compute", {33, 1, 1}, {96, 1, 1}, counter, 40u);
  bench.finish();
}

std::uint64_t cycles_of_two(const std::string& share, bool at_once, std::uint32_t ctas) {
  DeviceBench bench(concurrent_spec(share));
  const auto first = bench.zeros<std::uint32_t>(1), second = bench.zeros<std::uint32_t>(1);
  bench.begin(kCompute, "compute", {ctas, 1, 1}, {128, 1, 1}, first, 300u);
  if (!at_once) bench.finish();
  bench.begin(kCompute, "compute", {ctas, 1, 1}, {128, 1, 1}, second, 200u);
  bench.finish();
  return bench.device.now().value;
}

std::uint64_t cycles_of_one(std::uint32_t ctas, std::uint32_t count) {
  DeviceBench bench(concurrent_spec("leftover"));
  bench.run(kCompute, "compute", {ctas, 1, 1}, {128, 1, 1}, bench.zeros<std::uint32_t>(1), count);
  return bench.device.now().value;
}

// The cycles of each launch one by one.
std::uint64_t active_cycles(const std::vector<gpu::KernelResult>& launches) {
  std::vector<bool> active;
  for (const gpu::KernelResult& k : launches) {
    const auto start = static_cast<std::ptrdiff_t>(k.start.value);
    active.resize(std::max(active.size(), k.start.value + k.cycles));
    std::fill_n(active.begin() + start, k.cycles, true);
  }
  return static_cast<std::uint64_t>(std::count(active.begin(), active.end(), true));
}

std::uint64_t added_up(const std::vector<gpu::KernelResult>& launches,
                       std::uint64_t gpu::KernelResult::* figure) {
  std::uint64_t sum = 0;
  for (const gpu::KernelResult& k : launches) sum += k.*figure;
  return sum;
}

// Launches of random sizes; the host waits at random, so some overlap and others do not.
void random_launches(DeviceBench& bench, std::uint32_t seed) {
  std::mt19937 generator(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
  const auto sum = bench.zeros<std::uint32_t>(1);
  for (int i = 0; i < 12; ++i) {
    bench.begin(kCompute, "compute", {1 + below(20), 1, 1}, {32 * (1 + below(4)), 1, 1}, sum,
                1 + below(150));
    if (below(3) == 0) bench.finish();
    if (below(5) == 0)
      while (bench.device.busy() && bench.device.advance().launches.empty()) {}
  }
  bench.finish();
}

}  // namespace

TEST(Concurrency, TheTotalOfARunIsTheCyclesInWhichALaunchIsActive) {
  for (const std::string& share : share_policies()) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      config::RunSpec spec = concurrent_spec(share);
      spec.gpu.concurrent_kernels = 1 + seed * 3;
      DeviceBench bench(spec);
      random_launches(bench, seed);
      const auto& launches = bench.device.results();
      const gpu::KernelResult total = gpu::sum_of(bench.device.results());
      EXPECT_EQ(total.cycles, active_cycles(launches)) << share << ' ' << seed;
      EXPECT_LT(total.cycles, added_up(launches, &gpu::KernelResult::cycles)) << share;
      EXPECT_LE(total.cycles, bench.device.now().value);
      for (const gpu::KernelResult& k : launches) EXPECT_GE(total.cycles, k.cycles);
      // Each SM has an issue slot per cycle and scheduler, however many kernels it runs.
      EXPECT_EQ(total.sm.scheduler_cycles, total.sm.cycles * spec.gpu.sm.schedulers) << share;
      EXPECT_LE(total.sm.cycles, total.cycles * spec.gpu.sms());
      EXPECT_LE(total.sm.cycles_without_issue, total.sm.cycles);
    }
  }
}

TEST(Concurrency, TheTotalOfLaunchesInTurnIsTheirSum) {
  config::RunSpec spec = concurrent_spec("leftover");
  spec.gpu.concurrent_kernels = 1;
  DeviceBench bench(spec);
  random_launches(bench, 1);
  const gpu::KernelResult total = gpu::sum_of(bench.device.results());
  EXPECT_EQ(total.cycles, added_up(bench.device.results(), &gpu::KernelResult::cycles));
  std::uint64_t sm_cycles = 0, without_issue = 0;
  for (const gpu::KernelResult& k : bench.device.results()) {
    sm_cycles += k.sm.cycles;
    without_issue += k.sm.cycles_without_issue;
  }
  EXPECT_EQ(total.sm.cycles, sm_cycles);
  EXPECT_EQ(total.sm.cycles_without_issue, without_issue);
}

TEST(Concurrency, RatesOfTheTotalAreOverElapsedCycles) {
  DeviceBench bench(concurrent_spec("leftover"));
  three_kernels(bench, true);
  const gpu::KernelResult total = gpu::sum_of(bench.device.results());
  const nlohmann::ordered_json json = gpu::results_json(bench.device);
  const auto& totals = json["totals"];
  const auto elapsed = static_cast<double>(active_cycles(bench.device.results()));
  EXPECT_EQ(totals["cycles"], active_cycles(bench.device.results()));
  EXPECT_DOUBLE_EQ(totals["ipc"], static_cast<double>(total.thread_instructions) / elapsed);
  EXPECT_DOUBLE_EQ(
      totals["rates"]["resident_warps"],
      static_cast<double>(total.sm.resident_warp_cycles) / static_cast<double>(total.sm.cycles));
  const config::GpuSpec& gpu = bench.device.spec();
  const energy::Share leakage = energy::shares(gpu, total).back();
  ASSERT_EQ(leakage.name, "static");
  EXPECT_DOUBLE_EQ(leakage.nanojoules,
                   gpu.energy.static_power * elapsed / (gpu.clocks.core_mhz * 1e6) * 1e9);
}

TEST(Concurrency, ALimitOfCyclesCountsElapsedOnes) {
  for (std::uint64_t limit = 500; limit <= 6500; limit += 1000) {
    config::RunSpec spec = concurrent_spec("leftover");
    spec.timed.limit_cycles = limit;
    DeviceBench bench(spec);
    const auto sum = bench.zeros<std::uint32_t>(1);
    // One long launch; short ones begin and end while it runs.
    bench.begin(kCompute, "compute", {1, 1, 1}, {32, 1, 1}, sum, 2000u);
    for (int i = 0; i < 6; ++i) {
      const auto last = bench.begin(kCompute, "compute", {1, 1, 1}, {32, 1, 1}, sum, 20u);
      for (bool ended = false; !ended;)
        for (const std::uint64_t launch : bench.device.advance().launches) ended |= launch == last;
    }
    bench.finish();
    EXPECT_GE(gpu::sum_of(bench.device.results()).cycles, limit);
    EXPECT_LT(gpu::sum_of(bench.device.results()).cycles, limit + 200) << limit;
  }
}

TEST(Concurrency, TwoKernelsOfHalfTheSmsTakeTheTimeOfTheLonger) {
  const std::uint64_t longer = cycles_of_one(7, 300), shorter = cycles_of_one(7, 200);
  const std::uint64_t at_once = cycles_of_two("spatial", true, 7),
                      in_turn = cycles_of_two("spatial", false, 7);
  EXPECT_LT(at_once, longer + longer / 20);
  EXPECT_GE(at_once, longer);
  EXPECT_GT(in_turn, longer + shorter * 9 / 10);
}

// On 15 SMs: with 15 CTAs each, the second kernel waits for the SMs of the first.
TEST(Concurrency, ExclusiveSmsHoldCtasOfOneKernel) {
  const std::uint64_t longer = cycles_of_one(7, 300), shorter = cycles_of_one(7, 200);
  EXPECT_LT(cycles_of_two("exclusive", true, 7), longer + longer / 20);
  EXPECT_LT(cycles_of_two("leftover", true, 15), longer + shorter / 2);
  EXPECT_GT(cycles_of_two("exclusive", true, 15), longer + shorter * 9 / 10);
}

TEST(Concurrency, OutputDoesNotDependOnTheSharePolicy) {
  DeviceBench alone(concurrent_spec("leftover"));
  three_kernels(alone, false);
  for (const std::string& share : share_policies()) {
    DeviceBench bench(concurrent_spec(share));
    three_kernels(bench, true);
    EXPECT_TRUE(bench.memory() == alone.memory()) << share;
  }
}

TEST(Concurrency, EveryKernelExecutesTheInstructionsThatItExecutesAlone) {
  DeviceBench alone(concurrent_spec("leftover"));
  three_kernels(alone, false);
  for (const std::string& share : share_policies()) {
    DeviceBench bench(concurrent_spec(share));
    three_kernels(bench, true);
    ASSERT_EQ(bench.device.results().size(), 3u) << share;
    for (const gpu::KernelResult& k : bench.device.results()) {
      const auto& all = alone.device.results();
      const auto same = std::find_if(all.begin(), all.end(),
                                     [&](const auto& other) { return other.name == k.name; });
      ASSERT_NE(same, all.end());
      EXPECT_EQ(k.sm.warp_instructions, same->sm.warp_instructions) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.active_lanes, same->sm.active_lanes) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.loads, same->sm.loads) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.stores, same->sm.stores) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.coalesced_accesses, same->sm.coalesced_accesses) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.l1d.accesses, same->sm.l1d.accesses) << share << ' ' << k.name;
      EXPECT_EQ(k.sm.barriers, same->sm.barriers) << share << ' ' << k.name;
      EXPECT_EQ(k.ctas.count, same->ctas.count) << share << ' ' << k.name;
    }
  }
}

TEST(Concurrency, KernelsOverlapAndEndSooner) {
  DeviceBench alone(concurrent_spec("leftover")), at_once(concurrent_spec("leftover"));
  three_kernels(alone, false);
  three_kernels(at_once, true);
  EXPECT_LT(at_once.device.now(), alone.device.now());
  EXPECT_EQ(at_once.device.results()[0].start, at_once.device.results()[1].start);
}

TEST(Concurrency, OneConcurrentKernelRunsThemInTurn) {
  config::RunSpec spec = concurrent_spec("leftover");
  spec.gpu.concurrent_kernels = 1;
  DeviceBench queued(spec), waited(spec);
  three_kernels(queued, true);
  three_kernels(waited, false);
  EXPECT_EQ(gpu::results_text(queued.device), gpu::results_text(waited.device));
}

TEST(Concurrency, TheSharePolicyDoesNotMatterForOneKernelAtATime) {
  DeviceBench leftover(concurrent_spec("leftover"));
  three_kernels(leftover, false);
  for (const std::string& share : share_policies()) {
    DeviceBench bench(concurrent_spec(share));
    three_kernels(bench, false);
    EXPECT_EQ(bench.device.now(), leftover.device.now()) << share;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(bench.device.results()[i].cycles, leftover.device.results()[i].cycles) << share;
      EXPECT_EQ(bench.device.results()[i].sm.slots, leftover.device.results()[i].sm.slots) << share;
    }
  }
}

TEST(Concurrency, TheNumberOfThreadsChangesNothing) {
  for (const std::string& share : share_policies()) {
    std::string first;
    for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
      config::RunSpec spec = concurrent_spec(share);
      spec.threads = threads;
      spec.share_always = true;
      DeviceBench bench(spec);
      three_kernels(bench, true);
      if (threads == 1) check_recorded("three kernels, " + share, gpu::results_text(bench.device));
      const std::string now = gpu::results_text(bench.device) + bench.memory();
      if (first.empty()) first = now;
      EXPECT_TRUE(now == first) << share << ", " << threads << " threads";
    }
  }
}

TEST(Concurrency, EveryWarpSchedulerCompletesKernelsThatOverlap) {
  DeviceBench alone(concurrent_spec("leftover"));
  three_kernels(alone, false);
  for (const auto& policy : sched::list_policies()) {
    const auto parsed = sched::parse_policy(policy.name);
    if (!parsed->missing_input().empty()) continue;
    DeviceBench bench(concurrent_spec("even", policy.name));
    three_kernels(bench, true);
    EXPECT_TRUE(bench.memory() == alone.memory()) << policy.name;
  }
}

TEST(Concurrency, MoreKernelsThanTheHardwareTakesRunInTheirOrder) {
  config::RunSpec spec = concurrent_spec("leftover");
  spec.gpu.concurrent_kernels = 4;
  DeviceBench bench(spec);
  const auto counter = bench.zeros<std::uint32_t>(1);
  std::vector<std::uint64_t> numbers, ended;
  for (std::uint32_t i = 0; i < 20; ++i)
    numbers.push_back(bench.begin(kCompute, "compute", {2, 1, 1}, {64, 1, 1}, counter, 50u));
  while (bench.device.busy())
    for (const std::uint64_t launch : bench.device.advance().launches) ended.push_back(launch);
  std::sort(ended.begin(), ended.end());
  EXPECT_EQ(ended, numbers);
  std::map<std::uint64_t, Cycle> starts;
  for (const gpu::KernelResult& k : bench.device.results()) starts[k.launch] = k.start;
  for (std::uint64_t number = 2; number <= numbers.size(); ++number)
    EXPECT_LE(starts.at(number - 1), starts.at(number));
  std::uint32_t sum = 0;
  std::memcpy(&sum, bench.memory().data(), sizeof sum);
  EXPECT_EQ(sum, 20u * 2 * 64);
}

TEST(Concurrency, AHigherPriorityStartsFirst) {
  config::RunSpec spec = concurrent_spec("leftover");
  spec.gpu.concurrent_kernels = 1;
  DeviceBench bench(spec);
  const auto counter = bench.zeros<std::uint32_t>(1);
  const auto begin = [&](int priority) {
    return bench.begin_with_priority(priority, kCompute, "compute", {2, 1, 1}, {64, 1, 1}, counter,
                                     50u);
  };
  const std::uint64_t low = begin(0), high = begin(-1);
  EXPECT_EQ(bench.device.advance().launches, std::vector{high});
  EXPECT_EQ(bench.device.advance().launches, std::vector{low});
}

TEST(Concurrency, RequestsThatSmsSendAreThoseThatTheMemoryReceives) {
  for (const std::string& share : share_policies()) {
    DeviceBench bench(concurrent_spec(share));
    three_kernels(bench, true);
    std::uint64_t sent = 0, received = 0, dram = 0, rows = 0;
    for (const gpu::KernelResult& k : bench.device.results()) {
      sent += k.sm.packets_sent;
      received += k.memory.requests;
      dram += k.memory.dram.requests;
      rows += k.memory.dram.row_hits + k.memory.dram.row_misses;
      EXPECT_GT(k.memory.l2.accesses, 0u) << share << ' ' << k.name;
    }
    EXPECT_EQ(sent, received) << share;
    EXPECT_EQ(dram, rows) << share;
  }
}

TEST(Concurrency, OnePolicyForEveryKernelEqualsThePolicy) {
  for (const std::string policy : {"gto", "ipaws", "kaws", "daws", "ps"}) {
    DeviceBench one(concurrent_spec("leftover", policy)),
        each(concurrent_spec("leftover", "K0=" + policy));
    three_kernels(one, false);
    three_kernels(each, false);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(one.device.results()[i].cycles, each.device.results()[i].cycles) << policy;
      EXPECT_EQ(one.device.results()[i].sm.slots, each.device.results()[i].sm.slots) << policy;
    }
  }
}

// pCKE and sCKE of the iPAWS paper: each SM decides for the kernel that it runs; SMs in pairs.
TEST(Concurrency, IpawsDecidesForEveryKernel) {
  DeviceBench alone(concurrent_spec("leftover"));
  three_kernels(alone, false);
  for (const char* const share : {"spatial", "even"}) {
    for (const char* const policy : {"ipaws", "ipaws:decide_shared=pair", "ipaws:decide=sm"}) {
      DeviceBench bench(concurrent_spec(share, policy));
      three_kernels(bench, true);
      EXPECT_TRUE(bench.memory() == alone.memory()) << share << ' ' << policy;
      for (const gpu::KernelResult& k : bench.device.results())
        EXPECT_FALSE(k.policy.records().empty()) << share << ' ' << policy << ' ' << k.name;
    }
  }
}

// The CTAs of other kernels could keep CTAs of the cooperative launch from starting.
TEST(Concurrency, ACooperativeLaunchRunsAlone) {
  DeviceBench bench(concurrent_spec("leftover"));
  const auto counter = bench.zeros<std::uint32_t>(1);
  bench.begin(kCompute, "compute", {4, 1, 1}, {64, 1, 1}, counter, 100u);
  bench.begin_cooperative(kCompute, "compute", {4, 1, 1}, {64, 1, 1}, counter, 100u);
  bench.begin(kCompute, "compute", {4, 1, 1}, {64, 1, 1}, counter, 100u);
  bench.finish();
  const auto& results = bench.device.results();
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_GE(results[i + 1].start, results[i].start + results[i].cycles) << i;
}

TEST(Concurrency, AdvanceStopsAtTheGivenCycle) {
  DeviceBench bench(concurrent_spec("leftover"));
  EXPECT_TRUE(bench.device.advance(Cycle{1000}).launches.empty());
  EXPECT_EQ(bench.device.now(), Cycle{1000});
  const auto counter = bench.zeros<std::uint32_t>(1);
  bench.begin(kCompute, "compute", {2, 1, 1}, {64, 1, 1}, counter, 5000u);
  EXPECT_TRUE(bench.device.advance(Cycle{1500}).launches.empty());
  EXPECT_GE(bench.device.now(), Cycle{1500});
  EXPECT_LT(bench.device.now(), Cycle{1600});
  bench.finish();
  EXPECT_EQ(bench.device.results().at(0).start, Cycle{1000});
}

// A byte per microsecond and MB/s: a copy of as many bytes takes so many core cycles, at least.
TEST(Concurrency, ACopyAndAKernelOverlap) {
  const auto cycles = [](bool kernel, std::uint64_t bytes) {
    config::RunSpec spec = concurrent_spec("leftover");
    spec.gpu.copy_engines = 1;
    spec.gpu.copy_bandwidth = static_cast<std::uint32_t>(spec.gpu.clocks.core_mhz);
    spec.gpu.copy_latency = 0;
    DeviceBench bench(spec);
    const auto counter = bench.zeros<std::uint32_t>(1);
    if (kernel) bench.begin(kCompute, "compute", {15, 1, 1}, {128, 1, 1}, counter, 300u);
    if (bytes) bench.device.begin_copy({gpu::CopyRequest::Direction::from_device, bytes, false});
    EXPECT_TRUE(bench.device.busy());
    bench.finish();
    return bench.device.now().value;
  };
  const std::uint64_t alone = cycles(true, 0);
  EXPECT_EQ(cycles(false, 12345), 12345u);
  EXPECT_EQ(cycles(true, alone / 2), alone);
  const std::uint64_t longer = cycles(true, 2 * alone);
  EXPECT_GE(longer, 2 * alone);
  EXPECT_LT(longer, 2 * alone + 100);
}

TEST(Concurrency, FunctionalLaunchesRunAtOnce) {
  config::RunSpec spec = concurrent_spec("leftover");
  spec.functional = true;
  DeviceBench bench(spec);
  const auto counter = bench.zeros<std::uint32_t>(1);
  const std::uint64_t launch = bench.begin(kCompute, "compute", {2, 1, 1}, {64, 1, 1}, counter, 5u);
  EXPECT_EQ(bench.device.results().size(), 1u);
  EXPECT_TRUE(bench.device.busy());
  EXPECT_EQ(bench.device.advance().launches, std::vector{launch});
  EXPECT_FALSE(bench.device.busy());
}

TEST(Concurrency, UnifiedMemoryIsDividedForTheKernelsThatShareAnSm) {
  for (const char* gpu : {"qv100", "titanx"}) {
    DeviceBench alone(concurrent_spec("leftover", "gto", gpu)),
        at_once(concurrent_spec("leftover", "gto", gpu));
    three_kernels(alone, false);
    three_kernels(at_once, true);
    EXPECT_TRUE(alone.memory() == at_once.memory()) << gpu;
  }
}

}  // namespace heddle::laws
