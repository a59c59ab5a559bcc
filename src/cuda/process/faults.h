// The fault of the device, if there was one: every later call that needs the device returns its
// error, and nothing runs any more.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "driver_types.h"
#include "exec/state/launch.h"

namespace heddle::cuda {

class Faults {
 public:
  // What CUDA returns for a fault of this kind.
  static cudaError_t error_of(exec::KernelFault::Kind kind);

  cudaError_t error() const { return error_; }  // cudaSuccess: none so far
  bool any() const { return error_ != cudaSuccess; }
  void set(cudaError_t error) { error_ = error; }

  // What device code had printed before the fault.
  void set_printed(std::string text) { printed_ = std::move(text); }
  std::string take_printed() { return std::exchange(printed_, {}); }

  // Another call has returned the error. Why the program ends when it ignores the error for too
  // long; empty otherwise.
  std::string count_call();

 private:
  cudaError_t error_ = cudaSuccess;
  std::string printed_;
  std::uint64_t calls_ = 0;  // that have returned the error
};

}  // namespace heddle::cuda
