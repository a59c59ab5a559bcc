// The host of kernels that have no host program: it does what their description says, by calls of
// the CUDA runtime.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cuda/fatbin/fat_binary.h"
#include "cuda/kernels/description.h"
#include "cuda/process/registry.h"
#include "isa/kernel.h"

namespace heddle::cuda {

// Exists until the process ends: the session refers to its code.
class KernelHost {
 public:
  // UserError for a mistake in the description or in a file that it names.
  explicit KernelHost(const std::string& path);

  // Launches the kernels, saves buffers, and prints how they differ from expected ones. Returns the
  // exit code: 0, or 1 when some differ or a kernel faulted. UserError when a call fails.
  int run();

 private:
  // Registered as objects of a program are.
  struct Code {
    std::vector<std::string> kernels;
    std::string image;  // a container, or PTX
    FatBinaryWrapper wrapper;
    const Registry::Binary* binary = nullptr;
  };
  void load(const KernelModule& module);
  void allocate();
  void launch(const KernelLaunch& launch);
  std::string kernel_name(const KernelLaunch& launch) const;
  std::vector<std::string> packed_arguments(const KernelLaunch& launch,
                                            const isa::Kernel& kernel) const;
  bool finish_buffers();

  KernelDescription description_;
  std::deque<Code> codes_;
  std::deque<char> functions_;  // whose addresses are the host's functions of the kernels
  std::vector<void*> buffers_;
};

}  // namespace heddle::cuda
