#include "gpu/engine/run_limits.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::kernel_of;

bool reached(const Until& until, Cycle now, std::uint64_t instructions) {
  RunningKernels running(1, 1);
  auto kernel = std::make_unique<RunningKernel>();
  kernel->launch_cycle = Cycle{100};
  running.add(std::move(kernel));
  return until.reached(now, running, [&] { return instructions; });
}

}  // namespace

TEST(RunLimits, CyclesCountFromTheFirstStart) {
  Until until;
  until.cycles = 50;
  EXPECT_FALSE(reached(until, Cycle{149}, 0));
  EXPECT_TRUE(reached(until, Cycle{150}, 0));
}

TEST(RunLimits, InstructionsAreReachedExactly) {
  Until until;
  until.thread_instructions = 1000;
  EXPECT_FALSE(reached(until, Cycle{5000}, 999));
  EXPECT_TRUE(reached(until, Cycle{5000}, 1000));
}

TEST(RunLimits, WithoutALimitOrALaunchNothingIsReached) {
  EXPECT_FALSE(reached({}, Cycle{1'000'000}, 1'000'000));
  Until until;
  until.cycles = until.thread_instructions = 1;
  EXPECT_FALSE(until.reached(Cycle{100}, RunningKernels(1, 1), [] { return std::uint64_t{100}; }));
}

// The timed and the untimed part are the whole launch.
TEST(RunLimits, ALaunchAtALimitIsComputedToItsEnd) {
  EngineBench whole, cut;
  whole.begin(40, 256);
  cut.begin(40, 256);
  const auto complete = whole.finish();
  Until until;
  until.thread_instructions = complete[0].result.thread_instructions / 3;
  const auto truncated = cut.finish(until);
  ASSERT_EQ(truncated.size(), 1u);
  const KernelResult& result = truncated[0].result;
  EXPECT_TRUE(result.truncated);
  EXPECT_GE(result.thread_instructions, until.thread_instructions);
  EXPECT_GT(result.untimed_thread_instructions, 0u);
  EXPECT_GT(cut.engine().untimed_time().count(), 0);
  EXPECT_EQ(whole.engine().untimed_time().count(), 0);
  EXPECT_EQ(result.thread_instructions + result.untimed_thread_instructions,
            complete[0].result.thread_instructions);
}

TEST(RunLimits, AtomicsOnTheirWayActOnceAndAreNotLost) {
  for (const std::uint64_t limit : {1000, 4000, 16000}) {
    exec::GlobalMemory first(1 << 20);  // every memory begins at one address
    EngineBench bench(kernel_of(".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nmov.u64 %rd1, " +
                                std::to_string(first.allocate(4, "sum").value) +
                                ";\natom.global.add.u32 %r1, [%rd1], 1;\nret;\n"));
    const Address sum = bench.memory.allocate(4, "sum");
    bench.begin(40, 256);
    Until until;
    until.thread_instructions = limit;
    ASSERT_TRUE(bench.finish(until)[0].result.truncated);
    std::uint32_t total = 0;
    std::memcpy(&total, bench.memory.host(sum), sizeof total);
    EXPECT_EQ(total, 40u * 256) << "at " << limit;
  }
}

}  // namespace heddle::gpu
