// The parts of the GPU that kernels get: programs get equal parts, and the kernels of a program get
// equal parts of its part. A program keeps its part while none of its kernels runs.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "gpu/share/share_scheduler.h"

namespace heddle::gpu {

struct KernelPart {
  std::size_t program = 0, programs = 1;  // which of the programs that are present
  std::size_t kernel = 0, kernels = 1;    // which of the program's kernels that run
};

// By number. present: the programs, or none where one program has the GPU.
inline std::map<int, KernelPart> parts_of(std::span<const SharedKernel> kernels,
                                          std::span<const std::uint32_t> present) {
  std::map<int, KernelPart> parts;
  std::map<std::uint32_t, std::vector<int>> numbers;  // by program
  for (const SharedKernel& k : kernels) numbers[k.program].push_back(k.number);
  for (auto& [program, of_program] : numbers) {
    std::sort(of_program.begin(), of_program.end());
    const auto place = std::find(present.begin(), present.end(), program);
    for (std::size_t i = 0; i < of_program.size(); ++i)
      parts[of_program[i]] = {
          place == present.end() ? 0 : static_cast<std::size_t>(place - present.begin()),
          std::max<std::size_t>(1, present.size()), i, of_program.size()};
  }
  return parts;
}

}  // namespace heddle::gpu
