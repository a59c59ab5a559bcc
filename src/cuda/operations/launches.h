// Kernel launches: checked as CUDA checks them before anything runs, then submitted to a stream.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/objects/device_properties.h"
#include "cuda/process/api_call.h"

namespace heddle::cuda {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;  // dynamic
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  std::optional<dim3> cluster = std::nullopt;
};

// What the attributes of cudaLaunchKernelExC and cuLaunchKernelEx say. CUDA ignores others, too.
void read_attributes(const cudaLaunchAttribute* attributes, unsigned count, Configuration& how);

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
// Dynamic shared memory that each of so many blocks of an SM may have.
std::size_t available_shared_bytes(Session& session, const isa::Kernel& kernel, int blocks);
// Clusters of this configuration that the GPU holds at the same time, and blocks of the largest
// cluster that it holds.
cudaError_t resident_clusters(Session& session, const KernelLaunch& launch, int* clusters);
cudaError_t largest_cluster(Session& session, const KernelLaunch& launch, int* blocks);
// Launches of the kernel node have clusters of this shape.
cudaError_t set_cluster(Session& session, const void* key, const dim3& cluster,
                        Operation& operation);
// Threads that a block of the kernel may have.
int max_threads(Session& session, const isa::Kernel& kernel);
int registers_per_thread(Session& session, const isa::Kernel& kernel);
// cudaFuncSetAttribute and cuFuncSetAttribute: the dynamic shared memory that a block may have.
cudaError_t allow_shared(Session& session, const isa::Kernel& kernel, const void* key, int bytes);

}  // namespace heddle::cuda
