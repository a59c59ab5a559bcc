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

TEST(HangDetection, WarpsThatMeetAtTheirBarrierAreNone) {
  EngineBench bench(kernel_of("  bar.sync 0, 64;\n  ret;\n"));
  bench.begin(3, 64);
  EXPECT_EQ(fault_of(bench), "");
}

}  // namespace heddle::gpu
