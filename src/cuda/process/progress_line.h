// The progress line on stderr while a kernel runs:
// "kernel 3 bfs_kernel  1.2 M cycles  IPC 312  2.1 M warp instr/s".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gpu/kernel_result.h"

namespace heddle::cuda {

// The line's text, without control characters, of at most `columns` characters: a long name is cut.
// seconds: host time since the launch.
std::string progress_text(std::uint64_t kernel_number, const gpu::KernelResult& so_far,
                          double seconds, std::size_t columns);

class KernelProgressLine {
 public:
  void begin(std::uint64_t kernel_number);
  void show(const gpu::KernelResult& so_far);
  void clear();

 private:
  std::uint64_t kernel_number_ = 0;
  std::chrono::steady_clock::time_point begun_;
  bool visible_ = false;
};

}  // namespace heddle::cuda
