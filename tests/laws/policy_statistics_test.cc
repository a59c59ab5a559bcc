// Statistics of policies while several kernels run: each counts for the kernel that it concerns,
// and those of the kernels add up to the GPU's.
#include <gtest/gtest.h>

#include <map>

#include "config/config.h"
#include "sched/catalogue.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

using Counters = std::map<std::string, std::uint64_t>;

config::RunSpec spec_of(const std::string& share, const std::string& scheduler,
                        const std::string& cta_scheduler = "rr") {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.share = share;
  spec.scheduler = scheduler;
  spec.cta_scheduler = cta_scheduler;
  spec.watch.interval = 400;
  return spec;
}

// Barriers and shared memory beside irregular loads, and a third kernel that starts later with the
// number of the one that has ended.
void run_kernels(DeviceBench& bench) {
  constexpr int kCount = 12000;
  const std::vector<float> values(kCount, 0.5f);
  const auto in = bench.copy(values), sums = bench.zeros<float>(60),
             out = bench.zeros<float>(kCount);
  bench.begin(reference_text("reduce"), "reduce", {40, 1, 1}, {256, 1, 1}, in, sums, kCount);
  bench.begin(reference_text("vecadd"), "vecadd", {47, 1, 1}, {256, 1, 1}, in, in, out, kCount);
  bench.device.advance();
  bench.begin(reference_text("reduce"), "reduce", {20, 1, 1}, {256, 1, 1}, in, sums, kCount / 2);
  bench.finish();
}

Counters sum_of_kernels(const DeviceBench& bench) {
  sm::PolicyReport sum;
  for (const gpu::KernelResult& k : bench.device.results()) sum.add(k.policy);
  return {sum.counters().begin(), sum.counters().end()};
}
// Rows are of the whole GPU. Kernels that overlap have some rows in common.
Counters sum_of_rows(const DeviceBench& bench) {
  std::map<Cycle, const gpu::SeriesRow*> rows;
  for (const gpu::KernelResult& k : bench.device.results())
    for (const gpu::SeriesRow& row : k.series) rows[row.from] = &row;
  sm::PolicyReport sum;
  for (const auto& [from, row] : rows) sum.add(row->policy);
  return {sum.counters().begin(), sum.counters().end()};
}

std::uint64_t sum_of(const gpu::KernelResult& kernel, const std::string& prefix) {
  std::uint64_t sum = 0;
  for (const auto& [name, value] : kernel.policy.counters())
    if (name.starts_with(prefix)) sum += value;
  return sum;
}

}  // namespace

TEST(PolicyStatistics, ThoseOfTheKernelsAddUpToTheGpus) {
  std::vector<std::string> policies{"K0=lpi,K1=gto", "K0=ipaws,K1=two-level", "ipaws:greedy=ccws"};
  for (const auto& policy : sched::list_policies())
    if (sched::parse_policy(policy.name)->missing_input().empty()) policies.push_back(policy.name);
  for (const std::string& policy : policies) {
    for (const char* const share : {"even", "leftover"}) {
      DeviceBench bench(spec_of(share, policy));
      run_kernels(bench);
      EXPECT_EQ(sum_of_kernels(bench), sum_of_rows(bench)) << policy << ", " << share;
    }
  }
  for (const std::string& share : share_policies()) {
    DeviceBench bench(spec_of(share, "mascar", "dyncta"));
    run_kernels(bench);
    EXPECT_EQ(sum_of_kernels(bench), sum_of_rows(bench)) << share;
  }
}

// Counters that count every issue of a kernel, or every slot in which it issues.
TEST(PolicyStatistics, EventsOfAWarpCountForItsKernel) {
  const auto each_kernel = [](const char* policy, auto&& check) {
    DeviceBench bench(spec_of("even", policy));
    run_kernels(bench);
    ASSERT_EQ(bench.device.results().size(), 3u);
    for (const gpu::KernelResult& k : bench.device.results()) check(k);
  };
  const auto issued_slots = [](const gpu::KernelResult& k) {
    return k.sm.slots[static_cast<std::size_t>(sm::SlotUse::issued)];
  };
  each_kernel("lpi", [&](const auto& k) { EXPECT_EQ(sum_of(k, "lpi.picks"), issued_slots(k)); });
  each_kernel("cawa", [&](const auto& k) { EXPECT_EQ(sum_of(k, "cawa."), issued_slots(k)); });
  each_kernel("llos", [](const auto& k) { EXPECT_EQ(sum_of(k, "llos."), k.sm.warp_instructions); });
  each_kernel("ipaws", [](const auto& k) {
    EXPECT_EQ(sum_of(k, "ipaws.phase_instructions"), k.sm.warp_instructions);
  });
  each_kernel("victim-tags+gto", [](const auto& k) {
    EXPECT_LE(sum_of(k, "victim-tags.misses"), k.sm.l1d.accesses);
    EXPECT_GT(sum_of(k, "gto.switches"), 0u);
    EXPECT_LE(sum_of(k, "gto.switches"), k.sm.warp_instructions);
  });
}

}  // namespace heddle::laws
