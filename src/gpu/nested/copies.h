// Copies and fills of kernels. They take no simulated time, like those of the host by default, and
// keep their place in their stream.
#pragma once

#include <cstdint>

#include "exec/check/checker.h"
#include "exec/services/device_runtime.h"
#include "exec/state/global_memory.h"
#include "gpu/nested/device_graph.h"

namespace heddle::gpu {

// What a call asks for.
struct StreamedBox {
  MemoryBox box;
  std::uint64_t stream = 0;
  bool valid = true;  // false: cudaErrorInvalidValue
};

StreamedBox copy_of(const exec::DeviceCall& call);
StreamedBox fill_of(const exec::DeviceCall& call);

class DeviceCopies {
 public:
  DeviceCopies(exec::GlobalMemory& memory, exec::Checker* checker)
      : memory_(memory), checker_(checker) {}

  // Memory of the device only: pointers to shared or local memory are an error, as in CUDA.
  bool valid(const MemoryBox& box) const;
  // Rows whose memory was freed since are left out.
  void perform(const MemoryBox& box);

 private:
  exec::GlobalMemory& memory_;
  exec::Checker* const checker_;
};

}  // namespace heddle::gpu
