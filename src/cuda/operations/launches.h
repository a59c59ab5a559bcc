// Kernel launches: checked as CUDA checks them before anything runs, then submitted to a stream.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/objects/device_properties.h"
#include "cuda/process/api_call.h"

namespace heddle::cuda {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;  // dynamic
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

struct KernelLaunch {
  const isa::Kernel* kernel = nullptr;
  // What the program knows the kernel by: its host function, or its handle in the driver API.
  const void* key = nullptr;
  Configuration configuration;
  std::vector<std::uint8_t> parameters;
};

// Checks the launch and submits it. A refusal is explained on stderr.
cudaError_t launch_kernel(Session& session, const KernelLaunch& launch);
// Checks the launch and makes it an operation with the parameters that a graph may return. p.func
// is only the key.
cudaError_t kernel_operation(Session& session, const isa::Kernel* kernel,
                             const cudaKernelNodeParams& p, Operation& operation);

// Bytes of shared memory that a block of the kernel may have.
std::size_t shared_limit(const DeviceSettings& settings, const void* key,
                         const BlockLimits& limits);
// Blocks that one SM holds at the same time; 0 when not even one fits.
int blocks_per_sm(Session& session, const isa::Kernel& kernel, int threads,
                  std::size_t shared_bytes);
// Threads that a block of the kernel may have.
int max_threads(Session& session, const isa::Kernel& kernel);
int registers_per_thread(Session& session, const isa::Kernel& kernel);
// cudaFuncSetAttribute and cuFuncSetAttribute: the dynamic shared memory that a block may have.
cudaError_t allow_shared(Session& session, const isa::Kernel& kernel, const void* key, int bytes);

}  // namespace heddle::cuda
