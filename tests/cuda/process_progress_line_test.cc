#include "cuda/process/progress_line.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

TEST(ProgressLine, CutsTheNameOnlyWhereTheLineDoesNotFit) {
  gpu::KernelResult so_far;
  so_far.name = "breadth_first";
  so_far.cycles = 1'200'000;
  so_far.warp_instructions = 4'200'000;
  const std::string figures = "  1.2 M cycles  IPC 0  2.1 M warp instr/s";
  const std::string whole = "kernel 3 breadth_first" + figures;
  EXPECT_EQ(progress_text(3, so_far, 2, 200), whole);
  EXPECT_EQ(progress_text(3, so_far, 2, whole.size()), whole);
  EXPECT_EQ(progress_text(3, so_far, 2, whole.size() - 1), "kernel 3 breadth_f..." + figures);
  EXPECT_EQ(progress_text(3, so_far, 2, 10), "kernel 3 .");
}

TEST(ProgressLine, HasNoCyclesOfAFunctionalLaunchAndNoRateBeforeTimePasses) {
  gpu::KernelResult so_far;
  so_far.name = "scan";
  so_far.functional = true;
  so_far.warp_instructions = 500;
  EXPECT_EQ(progress_text(1, so_far, 0, 80), "kernel 1 scan  0 warp instr/s");
  EXPECT_EQ(progress_text(1, so_far, 1, 80), "kernel 1 scan  500 warp instr/s");
}

}  // namespace
}  // namespace heddle::cuda
