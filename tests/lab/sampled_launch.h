// A launch of which some waves of CTAs were not timed, for tests of estimates.
#pragma once

#include <cstdint>

#include "gpu/kernel_result.h"

namespace heddle::lab::test {

// Three waves of 990, 1000 and 1010 cycles and 100 warp instructions stand for 100 of 150 CTAs, of
// 10 waves: 5,000 cycles and 7 DRAM reads are measured, 10,000 and 10 estimated. s = 10, and the
// ten waves differ from the mean by 10 * s * sqrt(1 / 3 + 1 / 10) = 65.83 cycles, times Student's
// distribution; 1 % of the 10,000 are added to the bar.
inline gpu::KernelResult sampled_launch(std::uint64_t start = 0) {
  gpu::KernelResult result;
  result.name = "k";
  result.grid = {150, 1, 1};
  result.block = {1, 1, 1};
  result.start = Cycle{start};
  result.ctas.count = 50;
  result.cycles = 5000;
  result.warp_instructions = 500;
  result.thread_instructions = 16'000;
  result.untimed_warp_instructions = 1000;
  result.untimed_thread_instructions = 32'000;
  result.memory.dram.reads = 7;
  gpu::SteadyWaves steady;
  steady.skipped_ctas = 100;
  for (const std::uint64_t cycles : {990, 1000, 1010}) steady.waves.push_back({cycles, 100, 1, 0});
  steady.part.ctas.count = 30;
  steady.part.cycles = 3000;
  steady.part.warp_instructions = 300;
  steady.part.thread_instructions = 9600;
  steady.part.memory.dram.reads = 3;
  result.steady.push_back(steady);
  return result;
}

}  // namespace heddle::lab::test
