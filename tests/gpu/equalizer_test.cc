#include <gtest/gtest.h>

#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

// Average numbers of warps in an epoch.
SmEpoch epoch(std::uint64_t active, std::uint64_t waiting, std::uint64_t memory,
              std::uint64_t alu) {
  SmEpoch counts;
  counts.cycles = 4096;
  counts.active_warps = active * 4096;
  counts.waiting_warps = waiting * 4096;
  counts.excess_memory_warps = memory * 4096;
  counts.excess_alu_warps = alu * 4096;
  return counts;
}

std::size_t running(const CtaSchedulerBench& bench) {
  return bench.ctas_of(0).size() - bench.paused_of(0).size();
}

constexpr KernelShape kShape{{40, 1, 1}, 1, 6, 8};  // CTAs of 8 warps

TEST(Equalizer, ThreeEpochsMustAgreeThatMemoryIsOverloaded) {
  CtaSchedulerBench bench("equalizer", kShape);
  bench.dispatch(16);
  bench.epoch(epoch(48, 20, 9, 0));  // more than a CTA of warps in excess
  bench.epoch(epoch(48, 20, 9, 0));
  EXPECT_EQ(running(bench), 6u);
  bench.epoch(epoch(48, 20, 9, 0));
  EXPECT_EQ(running(bench), 5u);
  bench.epoch(epoch(48, 20, 9, 0));
  bench.epoch(epoch(48, 20, 0, 0));  // another opinion: the count begins anew
  bench.epoch(epoch(48, 20, 9, 0));
  EXPECT_EQ(running(bench), 5u);
}

TEST(Equalizer, OnlyAKernelBoundByLatencyGetsMoreCtas) {
  struct Case {
    SmEpoch counts;
    std::size_t running;
  };
  for (const Case& c : {Case{epoch(40, 25, 0, 1), 6},   // most warps wait
                        Case{epoch(40, 25, 3, 1), 5},   // bandwidth is saturated
                        Case{epoch(40, 25, 0, 9), 5},   // bound by arithmetic
                        Case{epoch(40, 20, 0, 1), 5},   // not more than half wait
                        Case{epoch(0, 0, 0, 0), 5}}) {  // without work
    CtaSchedulerBench bench("equalizer:agreeing_epochs=1", kShape);
    bench.dispatch(16);
    bench.epoch(epoch(48, 20, 9, 0));
    ASSERT_EQ(running(bench), 5u);
    bench.epoch(c.counts);
    EXPECT_EQ(running(bench), c.running);
  }
}

TEST(Equalizer, CountsTheClockThatThePaperWouldChoose) {
  CtaSchedulerBench bench("equalizer", kShape);
  bench.dispatch(16);
  bench.epoch(epoch(48, 20, 9, 0));  // memory
  bench.epoch(epoch(48, 20, 3, 0));  // memory
  bench.epoch(epoch(48, 20, 0, 9));  // arithmetic
  bench.epoch(epoch(48, 30, 1, 2));  // arithmetic
  bench.epoch(epoch(48, 20, 1, 1));  // neither
  EXPECT_EQ(bench.counter("equalizer.memory_epochs"), 2u);
  EXPECT_EQ(bench.counter("equalizer.compute_epochs"), 2u);
  EXPECT_EQ(bench.counter("equalizer.ctas.epochs"), 5u);
}

}  // namespace
}  // namespace heddle::gpu
