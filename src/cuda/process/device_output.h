// What a run shows besides the program's own output: what device code prints, warnings about
// launches, and the progress line.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "cuda/process/progress_line.h"
#include "gpu/device.h"

namespace heddle::cuda {

class DeviceOutput {
 public:
  KernelProgressLine& progress() { return progress_; }
  // Clears the progress line; the program's output is written.
  void clear_line();

  // Prints what device code has printed, and then `more`. fifo_bytes: of device printf's buffer.
  void show_printed(gpu::Device& device, const std::string& more, std::size_t fifo_bytes);
  // Prints the warnings about a kernel's place once.
  void show_warnings(gpu::Device& device);

 private:
  KernelProgressLine progress_;
  std::set<std::pair<const isa::Kernel*, Pc>> warned_;  // places of shown warnings
};

}  // namespace heddle::cuda
