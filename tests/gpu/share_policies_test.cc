// What each share policy decides for kernels with known needs.
#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "gpu/share/catalogue.h"

namespace heddle::gpu {
namespace {

ShareContext context_of(int sms) {
  ShareContext context;
  context.sms = sms;
  context.sm.registers = 32768;
  context.sm.shared_bytes = 49152;
  context.sm.max_threads = 1536;
  context.sm.max_ctas = 8;
  context.sm.schedulers = 2;
  return context;
}

std::unique_ptr<ShareScheduler> build(const std::string& text, int sms = 4) {
  return parse_share_policy(text)->build(context_of(sms));
}

sm::PolicyReport::Values counters(const ShareScheduler& policy) {
  sm::PolicyReport report(sm::PolicyReport::Contents::counters);
  policy.report_statistics(report);
  return report.counters();
}

// CTAs of `warps` warps with so many registers and bytes of shared memory.
SharedKernel kernel(int number, int warps, std::uint64_t registers, std::uint64_t shared,
                    int most_ctas) {
  SharedKernel kernel{
      number, static_cast<std::uint64_t>(number) + 1, {warps, registers, shared}, most_ctas};
  kernel.name = "kernel" + std::to_string(number);
  return kernel;
}

}  // namespace

TEST(SharePolicies, LeftoverLimitsNothing) {
  const auto policy = build("leftover");
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6)};
  policy->kernels_changed(both, Cycle{});
  EXPECT_EQ(policy->most_ctas(1, 3), ShareScheduler::kNoLimit);
}

TEST(SharePolicies, ExclusiveNeedsSmsOfOneKernelAndLimitsNothing) {
  const auto policy = build("exclusive");
  EXPECT_TRUE(policy->needs().exclusive_sms);
  EXPECT_FALSE(build("leftover")->needs().exclusive_sms);
  EXPECT_EQ(policy->most_ctas(1, 3), ShareScheduler::kNoLimit);
}

TEST(SharePolicies, SpatialGivesEachKernelItsSms) {
  const auto policy = build("spatial", 5);
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6)};
  policy->kernels_changed(both, Cycle{});
  for (int sm = 0; sm < 5; ++sm) {
    EXPECT_EQ(policy->most_ctas(0, sm), sm < 2 ? ShareScheduler::kNoLimit : 0) << sm;
    EXPECT_EQ(policy->most_ctas(1, sm), sm < 2 ? 0 : ShareScheduler::kNoLimit) << sm;
  }
  policy->kernels_changed(std::span(both).first(1), Cycle{10});
  EXPECT_EQ(policy->most_ctas(0, 4), ShareScheduler::kNoLimit);
}

TEST(SharePolicies, SpatialTakesTheNumberOfSmsOfTheFirstKernel) {
  const auto policy = build("spatial:first=1", 4);
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6)};
  policy->kernels_changed(both, Cycle{});
  EXPECT_EQ(policy->most_ctas(0, 1), 0);
  EXPECT_EQ(policy->most_ctas(1, 1), ShareScheduler::kNoLimit);
}

// Program 0 has two kernels, program 1 has one: a quarter, a quarter and a half.
TEST(SharePolicies, SpatialGivesProgramsEqualParts) {
  const auto policy = build("spatial", 8);
  const std::uint32_t present[] = {0, 1};
  policy->programs_changed(present, Cycle{});
  SharedKernel kernels[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6),
                            kernel(2, 8, 4096, 0, 6)};
  kernels[1].program = 1;
  policy->kernels_changed(kernels, Cycle{});
  const int owner[] = {0, 0, 2, 2, 1, 1, 1, 1};
  for (int sm = 0; sm < 8; ++sm)
    for (int number = 0; number < 3; ++number)
      EXPECT_EQ(policy->most_ctas(number, sm), owner[sm] == number ? ShareScheduler::kNoLimit : 0)
          << sm << ' ' << number;
}

TEST(SharePolicies, AProgramKeepsItsPartBetweenItsKernels) {
  const auto spatial = build("spatial", 4), even = build("even", 4);
  const std::uint32_t present[] = {0, 1};
  SharedKernel only = kernel(1, 8, 4096, 0, 6);
  only.program = 1;
  for (const auto& policy : {spatial.get(), even.get()}) {
    policy->programs_changed(present, Cycle{});
    policy->kernels_changed(std::span(&only, 1), Cycle{});
  }
  EXPECT_EQ(spatial->most_ctas(1, 1), 0);
  EXPECT_EQ(spatial->most_ctas(1, 2), ShareScheduler::kNoLimit);
  EXPECT_EQ(even->most_ctas(1, 0), 3);  // warps: 24 / 8
  for (const auto& policy : {spatial.get(), even.get()}) {
    policy->programs_changed(std::span(present).last(1), Cycle{10});
    policy->kernels_changed(std::span(&only, 1), Cycle{10});
    EXPECT_EQ(policy->most_ctas(1, 0), ShareScheduler::kNoLimit);
  }
}

TEST(SharePolicies, EvenHalvesEveryResource) {
  const auto policy = build("even");
  // Half an SM: 16384 registers, 24576 bytes, 24 warps, 4 CTAs.
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 2, 1024, 10000, 4)};
  policy->kernels_changed(both, Cycle{});
  EXPECT_EQ(policy->most_ctas(0, 0), 3);  // warps: 24 / 8
  EXPECT_EQ(policy->most_ctas(1, 0), 2);  // shared memory: 24576 / 10000
  policy->kernels_changed(std::span(both).first(1), Cycle{10});
  EXPECT_EQ(policy->most_ctas(0, 0), ShareScheduler::kNoLimit);
}

TEST(SharePolicies, SmkEqualizesDominantShares) {
  const auto policy = build("smk:quota=none");
  // Shares of a CTA: kernel 0 16/48 of the warps, kernel 1 1/8 of the registers and CTA slots.
  // Kernel 0 gets one CTA (0.33), kernel 1 three (0.38), kernel 0 a second one (0.67), kernel 1 two
  // more; then kernel 0 needs 16 warps of 48 - 32 - 10.
  const SharedKernel both[] = {kernel(0, 16, 4096, 0, 3), kernel(1, 2, 4096, 0, 8)};
  policy->kernels_changed(both, Cycle{});
  EXPECT_EQ(policy->most_ctas(0, 0), 2);
  EXPECT_EQ(policy->most_ctas(1, 0), 6);
  EXPECT_EQ(policy->quota(0, 0), ShareScheduler::kNoQuota);
}

TEST(SharePolicies, SmkQuotasFollowTheRatesAlone) {
  const auto policy = build("smk:epoch=1000,profile=2000", 2);
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6)};
  policy->kernels_changed(both, Cycle{});
  EXPECT_EQ(policy->most_ctas(0, 1), 0);  // profile: one kernel on each SM
  EXPECT_EQ(policy->quota(0, 0), ShareScheduler::kNoQuota);
  const SharedEpoch epoch[] = {
      {0, 0, 6, 800, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 1, 6, 200, 0}};
  policy->on_epoch(epoch, Cycle{1000});
  policy->on_epoch(epoch, Cycle{2000});
  EXPECT_GT(policy->most_ctas(0, 1), 0);
  EXPECT_EQ(policy->quota(0, 0), 400u);  // 0.8 a cycle, half of 1000 cycles
  EXPECT_EQ(policy->quota(1, 0), 100u);
}

// A profile that ends early is not kept.
TEST(SharePolicies, SmkMeasuresAKernelOnce) {
  for (const bool reuse : {true, false}) {
    const auto policy = build(reuse ? "smk:profile=2000" : "smk:profile=2000,reuse=no", 2);
    const SharedKernel both[] = {kernel(0, 8, 4096, 0, 6), kernel(1, 8, 4096, 0, 6)};
    policy->kernels_changed(both, Cycle{});
    const SharedEpoch epoch[] = {
        {0, 0, 6, 800, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 1, 6, 200, 0}};
    policy->on_epoch(epoch, Cycle{1000});
    policy->kernels_changed(std::span(both).first(1), Cycle{1500});
    policy->kernels_changed(both, Cycle{1600});
    EXPECT_EQ(policy->most_ctas(0, 1), 0) << "a profile";
    policy->on_epoch(epoch, Cycle{2600});
    policy->on_epoch(epoch, Cycle{3600});
    policy->kernels_changed(std::span(both).first(1), Cycle{4000});
    policy->kernels_changed(both, Cycle{4100});
    EXPECT_EQ(policy->most_ctas(0, 1) > 0, reuse) << "divided SMs, or a profile";
    EXPECT_EQ(policy->quota(0, 0), reuse ? 400u : ShareScheduler::kNoQuota);
    EXPECT_EQ(policy->quota(1, 0), reuse ? 100u : ShareScheduler::kNoQuota);
  }
}

TEST(SharePolicies, WarpedSlicerLooksTenTimesInASample) {
  EXPECT_EQ(build("warped-slicer:sample=5000")->needs().epoch_cycles, 500U);
  EXPECT_EQ(build("warped-slicer:sample=500")->needs().epoch_cycles, 100U);
}

TEST(SharePolicies, WarpedSlicerFillsTheKernelThatLosesMost) {
  const auto policy = build("warped-slicer:warmup=0,sample=1000", 8);
  // Each kernel is profiled with 1, 2, 3 and 4 CTAs. Kernel 0 scales; kernel 1 is saturated by two
  // CTAs.
  const SharedKernel both[] = {kernel(0, 8, 4096, 0, 4), kernel(1, 8, 4096, 0, 4)};
  policy->kernels_changed(both, Cycle{});
  for (int sm = 0; sm < 4; ++sm) {
    EXPECT_EQ(policy->most_ctas(0, sm), sm + 1);
    EXPECT_EQ(policy->most_ctas(1, sm), 0);
    EXPECT_EQ(policy->most_ctas(1, sm + 4), sm + 1);
  }
  std::vector<SharedEpoch> epochs;
  for (int sm = 0; sm < 4; ++sm)
    epochs.push_back({0, sm, sm + 1, static_cast<std::uint64_t>(100 * (sm + 1)), 0});
  for (int sm = 0; sm < 4; ++sm) epochs.push_back({1, sm + 4, sm + 1, sm == 0 ? 150u : 200u, 0});
  policy->on_epoch(epochs, Cycle{1000});
  EXPECT_EQ(policy->most_ctas(0, 7), 4);  // of the SM's six places for 8 warps
  EXPECT_EQ(policy->most_ctas(1, 7), 2);
  EXPECT_EQ(counters(*policy), (sm::PolicyReport::Values{{"warped-slicer.profiles", 1},
                                                         {"warped-slicer.profile_cycles", 1000},
                                                         {"warped-slicer.sliced", 1},
                                                         {"warped-slicer.spatial", 0}}));
}

TEST(SharePolicies, WarpedSlicerDividesTheSmsWhenAKernelWouldLoseTooMuch) {
  const auto policy = build("warped-slicer:warmup=0,sample=1000,loss=10", 8);
  const SharedKernel both[] = {kernel(0, 12, 4096, 0, 4), kernel(1, 12, 4096, 0, 4)};
  policy->kernels_changed(both, Cycle{});
  std::vector<SharedEpoch> epochs;
  for (int sm = 0; sm < 8; ++sm)
    epochs.push_back({sm / 4, sm, 1, static_cast<std::uint64_t>(100 * (sm % 4 + 1)), 0});
  policy->on_epoch(epochs, Cycle{1000});
  EXPECT_EQ(policy->most_ctas(0, 7), 0);
  EXPECT_EQ(policy->most_ctas(1, 7), ShareScheduler::kNoLimit);
}

// Kernel 0 is bound by bandwidth: its SMs issue in proportion to their CTAs, and lose 90 % of the
// slots while the DRAM is always busy. If all SMs had one CTA, each would have 2.5 times the
// bandwidth (2.5 CTAs on average), so one CTA performs 1 + 0.9 * 1.5 times as well.
TEST(SharePolicies, WarpedSlicerScalesToTheBandwidthOfEqualSms) {
  for (const bool scaling : {true, false}) {
    const std::string text = "warped-slicer:warmup=0,sample=1000,loss=100";
    const auto policy = build(scaling ? text + ",scaling=yes" : text, 8);
    EXPECT_EQ(policy->needs().memory, scaling);
    SharedKernel both[] = {kernel(0, 8, 4096, 0, 4), kernel(1, 8, 4096, 0, 4)};
    policy->kernels_changed(both, Cycle{});
    std::vector<SharedEpoch> epochs;
    for (int sm = 0; sm < 8; ++sm) {
      SharedEpoch e{sm / 4, sm, sm % 4 + 1, static_cast<std::uint64_t>(100 * (sm % 4 + 1)), 0};
      e.issue_slots = 1000;
      e.lost_slots = sm < 4 ? 900 : 0;
      e.dram_busy_percent = 100;
      epochs.push_back(e);
    }
    policy->on_epoch(epochs, Cycle{1000});
    // Relative to four CTAs, kernel 0 performs as 0.89, 0.92, 0.96, 1, not 0.25, 0.5, 0.75, 1.
    EXPECT_EQ(policy->most_ctas(0, 0), scaling ? 2 : 3);
    EXPECT_EQ(policy->most_ctas(1, 0), scaling ? 4 : 3);
    policy->kernels_changed(std::span(both).first(1), Cycle{2000});
    policy->kernels_changed(both, Cycle{3000});
    EXPECT_EQ(policy->most_ctas(1, 0), scaling ? 4 : 3) << "the profile is kept";
  }
}

TEST(SharePolicies, UnknownNamesAreRefused) {
  EXPECT_THROW(parse_share_policy("spatail"), UserError);
  EXPECT_THROW(parse_share_policy("spatial:last=3"), UserError);
  EXPECT_EQ(parse_share_policy("spatial:first=0")->text(), "spatial");
}

}  // namespace heddle::gpu
