#include "gpu/engine/hang_detection.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::kernel_of;

std::string fault_of(EngineBench& bench) {
  try {
    bench.finish();
  } catch (const exec::KernelFault& fault) {
    EXPECT_EQ(fault.kind(), exec::KernelFault::Kind::deadlock);
    return fault.what();
  }
  return {};
}

// Never issues, and asks to be asked again in each cycle.
class NeverIssues final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView&) override { return {}; }
  Cycle wake_at(Cycle now) const override { return now; }
};
class NeverIssuesPolicy final : public sched::Policy {
 public:
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const sched::PolicyContext&) const override {
    return std::make_unique<NeverIssues>();
  }

 private:
  std::string text_ = "never";
};

}  // namespace

// The barrier expects two warps, and the CTA has one.
TEST(HangDetection, ABarrierThatNoOtherWarpReachesIsADeadlock) {
  EngineBench bench(kernel_of("  bar.sync 0, 64;\n  ret;\n"));
  bench.begin(1, 32);
  const std::string message = fault_of(bench);
  EXPECT_NE(message.find("deadlock"), std::string::npos) << message;
  EXPECT_NE(message.find("SM 0  warp 0 of CTA 0: pc "), std::string::npos) << message;
  EXPECT_NE(message.find("waits at a barrier"), std::string::npos) << message;
}

TEST(HangDetection, NamesTheWarpsOfEveryKernelThatRuns) {
  EngineBench bench(kernel_of("  bar.sync 0, 64;\n  ret;\n"));
  bench.begin(1, 32);
  bench.begin(1, 32);
  const std::string message = fault_of(bench);
  std::size_t warps = 0;
  for (std::size_t at = message.find("waits at a barrier"); at != std::string::npos;
       at = message.find("waits at a barrier", at + 1))
    ++warps;
  EXPECT_EQ(warps, 2u) << message;
}

TEST(HangDetection, AMachineThatIsAtWorkAndNeverIssuesIsADeadlock) {
  EngineBench bench;
  bench.use(std::make_shared<NeverIssuesPolicy>());
  bench.begin(1, 32);
  const std::string message = fault_of(bench);
  EXPECT_NE(message.find("SM 0  warp 0 of CTA 0: pc 0"), std::string::npos) << message;
  EXPECT_NE(message.find("  policies never, CTA scheduler "), std::string::npos) << message;
  EXPECT_NE(message.find("can issue, but is never chosen"), std::string::npos) << message;
}

TEST(HangDetection, ACtaSchedulerThatStartsNoCtaIsADeadlock) {
  for (const int started : {0, 1}) {
    EngineBench bench;
    bench.ctas.prepare = [&](auto& one) { one.most_at_all = static_cast<std::uint64_t>(started); };
    bench.begin(3, 32);
    const std::string message = fault_of(bench);
    EXPECT_NE(message.find(", CTA scheduler scripted"), std::string::npos) << message;
    EXPECT_NE(message.find(std::to_string(3 - started) +
                           " CTAs of launch 1 have not started, and no CTA is resident"),
              std::string::npos)
        << message;
  }
}

TEST(HangDetection, WarpsThatMeetAtTheirBarrierAreNone) {
  EngineBench bench(kernel_of("  bar.sync 0, 64;\n  ret;\n"));
  bench.begin(3, 64);
  EXPECT_EQ(fault_of(bench), "");
}

}  // namespace heddle::gpu
