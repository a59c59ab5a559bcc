#include "lab/sample/estimate.h"

#include <gtest/gtest.h>

#include "config/config.h"
#include "gpu/results_json.h"
#include "tests/lab/sampled_launch.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

class Estimate : public testing::Test {
 protected:
  static constexpr std::size_t kLaunches = 101;

  Estimate() {
    plan_ = std::make_shared<const SamplePlan>(
        std::vector<LaunchFacts>(kLaunches, LaunchFacts::of(launch(0, 0))));
  }
  // Launch i starts 2,000 cycles after the one before.
  ordered_json launch(std::uint64_t number, std::uint64_t cycles, bool functional = false) const {
    gpu::KernelResult result;
    result.name = "k";
    result.grid = result.block = {1, 1, 1};
    result.functional = functional;
    result.cycles = cycles;
    result.start = Cycle{2000 * number};
    result.warp_instructions = 10;
    result.thread_instructions = 320;
    result.ctas.count = 1;
    result.ctas.longest_cycles = cycles;
    result.memory.dram.reads = 3;
    return gpu::kernel_json(result, gpu_);
  }
  // cycles_of(number): of the launches that the plan times.
  template <class CyclesOf>
  SampleEstimate estimate(CyclesOf cycles_of) const {
    const config::KernelSelection timed(plan_->selection());
    SampleEstimate made(plan_);
    for (std::uint64_t i = 0; i < kLaunches; ++i)
      made.add(launch(i, cycles_of(i), !timed.contains(i + 1, "k")));
    return made;
  }

  config::GpuSpec gpu_ = config::load_gpu("gtx480");
  std::shared_ptr<const SamplePlan> plan_;
};

TEST_F(Estimate, OfEqualLaunchesIsExactButForTheCaches) {
  const SampleEstimate made = estimate([](std::uint64_t) { return 1000; });
  EXPECT_EQ(made.problem(), "");
  const ordered_json totals = made.totals(gpu_), sample = made.sample();
  EXPECT_EQ(totals["cycles"], 1000 * kLaunches);
  EXPECT_EQ(totals["warp_instructions"], 10 * kLaunches);
  EXPECT_EQ(totals["dram"]["reads"], 3 * kLaunches);
  EXPECT_EQ(totals["launches"], kLaunches);
  EXPECT_EQ(totals["ctas"]["longest_cycles"], 1000);  // not that of 25 launches
  const ordered_json& cycles = sample["estimates"][0];
  EXPECT_EQ(cycles["statistic"], "cycles");
  EXPECT_EQ(cycles["value"], 1000.0 * kLaunches);
  // 96 launches are guessed, and the 4 that are counted come after some of them.
  EXPECT_NEAR(cycles["bar"].get<double>(), 0.01 * 100 * 1000, 1e-6);
}

// The first launch is slow and stands for itself. The counted ones of the others take 900, 1000,
// 1000 and 1100 cycles: s = 81.65, 100 launches of which 4 are known: 100 * s * sqrt(0.96 / 4) =
// 4000, times 3.182 of Student's distribution, and 1 % of all cycles but those of the first.
TEST_F(Estimate, TheBarIsThatOfTheVarianceBetweenLaunches) {
  const SampleEstimate made = estimate([](std::uint64_t i) -> std::uint64_t {
    return i == 0 ? 1900 : i == 13 ? 900 : i == 88 ? 1100 : 1000;
  });
  const ordered_json cycles = made.sample()["estimates"][0];
  EXPECT_EQ(cycles["value"], 1900.0 + 100 * 1000);
  EXPECT_NEAR(cycles["bar"].get<double>(), 3.182 * 4000 + 1000, 1);
}

TEST_F(Estimate, WavesOfALaunchStandForThoseThatWereNotTimed) {
  const ordered_json measured = gpu::kernel_json(test::sampled_launch(), gpu_);
  const std::vector<LaunchFacts> one{LaunchFacts::of(measured)};
  SampleEstimate made(std::make_shared<const SamplePlan>(one));
  const ordered_json whole = made.add(measured);
  EXPECT_TRUE(made.guesses());
  EXPECT_EQ(whole["cycles"], 15'000);
  EXPECT_EQ(whole["simulated"], "timed");
  EXPECT_EQ(made.totals(gpu_)["dram"]["reads"], 17);
  EXPECT_EQ(made.totals(gpu_)["warp_instructions"], 1500);
  const ordered_json cycles = made.sample()["estimates"][0];
  EXPECT_EQ(cycles["value"], 15'000);
  EXPECT_NEAR(cycles["bar"].get<double>(), 4.303 * 65.83 + 100, 0.1);
}

// The first of two launches omits waves; the second one, timed whole, may find other caches.
TEST_F(Estimate, TheBarHasAPartOfLaunchesThatAreTimedAfterOmittedWaves) {
  const ordered_json sampled = gpu::kernel_json(test::sampled_launch(), gpu_);
  gpu::KernelResult whole = test::sampled_launch(20'000);
  whole.steady.clear();
  whole.untimed_warp_instructions = whole.untimed_thread_instructions = 0;
  whole.cycles = 30'000;
  const ordered_json later = gpu::kernel_json(whole, gpu_);
  SampleEstimate made(std::make_shared<const SamplePlan>(
      std::vector<LaunchFacts>{LaunchFacts::of(sampled), LaunchFacts::of(later)}));
  made.add(sampled);
  made.add(later);
  EXPECT_NEAR(made.sample()["estimates"][0]["bar"].get<double>(), 4.303 * 65.83 + 100 + 300, 0.1);
}

// Three waves without a write, but the CTAs that warm the L2 write 5 in 100 instructions: for the
// 1,000 instructions that were not timed, 50.
TEST_F(Estimate, TheBarOfWritesReachesWhatTheWarmingOfTheL2Writes) {
  gpu::KernelResult result;
  result.name = "k";
  result.grid = {150, 1, 1};
  result.block = {1, 1, 1};
  result.ctas.count = 50;
  result.warp_instructions = 500;
  result.untimed_warp_instructions = 1000;
  gpu::SteadyWaves steady;
  steady.skipped_ctas = 100;
  steady.waves.assign(3, {1000, 100, 1, 0});
  steady.part.ctas.count = 30;
  steady.part.warp_instructions = 300;
  steady.warming_instructions = 200;
  steady.warming_dram.writes = 10;
  result.steady.push_back(steady);
  const ordered_json measured = gpu::kernel_json(result, gpu_);
  SampleEstimate made(
      std::make_shared<const SamplePlan>(std::vector<LaunchFacts>{LaunchFacts::of(measured)}));
  made.add(measured);
  const ordered_json writes = made.sample()["estimates"][2];
  EXPECT_EQ(writes["value"], 0);
  EXPECT_NEAR(writes["bar"].get<double>(), 50, 1e-6);
}

TEST_F(Estimate, WithoutSkippedWavesOrLaunchesNothingIsGuessed) {
  const std::vector<LaunchFacts> one{LaunchFacts::of(launch(0, 0))};
  SampleEstimate made(std::make_shared<const SamplePlan>(one));
  made.add(launch(0, 1000));
  EXPECT_FALSE(made.guesses());
  EXPECT_EQ(made.totals(gpu_)["cycles"], 1000);
}

TEST_F(Estimate, OtherLaunchesThanPlannedAreAProblem) {
  SampleEstimate few(plan_);
  few.add(launch(0, 1000));
  EXPECT_NE(few.problem(), "");
  SampleEstimate other(plan_);
  ordered_json renamed = launch(0, 1000);
  renamed["name"] = "other";
  EXPECT_TRUE(other.add(renamed).is_null());
  EXPECT_NE(other.problem(), "");
  SampleEstimate last(plan_);
  for (std::uint64_t i = 0; i + 1 < kLaunches; ++i) last.add(launch(i, 1000));
  last.add(renamed);
  EXPECT_NE(last.problem().find("launches other kernels"), std::string::npos);
  EXPECT_EQ(estimate([](std::uint64_t) { return 2000; }).problem(), "");
  const std::string overlap = estimate([](std::uint64_t) { return 2001; }).problem();
  EXPECT_NE(overlap.find("run at once"), std::string::npos);
}

}  // namespace
}  // namespace heddle::lab
