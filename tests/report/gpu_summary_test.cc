#include "report/gpu_summary.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace heddle::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// 15 SMs with 2 schedulers and 2 SP units of 32 lanes at 700 MHz; 6 channels of 2 x 4 bytes, 4
// beats per cycle of 924 MHz; 12 slices of 64 KiB and 32 bytes per cycle.
TEST(GpuSummary, ComputesSizesAndPeakRates) {
  const std::string text = gpu_summary(config::load_gpu("gtx480"));
  EXPECT_TRUE(has(text, "15 at 700 MHz")) << text;
  EXPECT_TRUE(has(text, "960 thread instructions per cycle")) << text;
  EXPECT_TRUE(has(text, "1344 GFLOP/s")) << text;
  EXPECT_TRUE(has(text, "16 KiB, and 48 KiB of shared memory")) << text;
  EXPECT_TRUE(has(text, "768 KiB in 12 slices, 269 GB/s")) << text;
  EXPECT_TRUE(has(text, "4 GiB in 6 channels, 177.4 GB/s")) << text;
}

TEST(GpuSummary, SaysThatGlobalLoadsBypassTheL1) {
  EXPECT_TRUE(has(gpu_summary(config::load_gpu("titanx")), "; global loads bypass it"));
  EXPECT_FALSE(has(gpu_summary(config::load_gpu("gtx480")), "bypass"));
}

TEST(GpuSummary, SaysThatL1AndSharedMemoryAreOne) {
  const std::string text = gpu_summary(config::load_gpu("qv100"));
  EXPECT_TRUE(has(text, "128 KiB with shared memory of at most 96 KiB")) << text;
  EXPECT_TRUE(has(text, "870.4 GB/s")) << text;
}

TEST(GpuSummary, WarnsOfAHashWithoutEffect) {
  const config::GpuSpec six = config::load_gpu("gtx480", {"memory.partition_hash=2"});
  EXPECT_TRUE(has(gpu_summary(six), "memory.partition_hash = 2 has no effect")) << gpu_summary(six);
  EXPECT_EQ(dropped_hash(config::load_gpu("gtx480", {"memory.partition_hash=6"})), "");
  EXPECT_EQ(
      dropped_hash(config::load_gpu("gtx480", {"memory.channels=8", "memory.partition_hash=2"})),
      "");
}

TEST(GpuSummary, HasTheHashOfTheConfiguration) {
  const config::GpuSpec gpu = config::load_gpu("gtx480", {"clusters=3"});
  EXPECT_TRUE(has(gpu_summary(gpu), config::hash(gpu)));
}

}  // namespace
}  // namespace heddle::report
