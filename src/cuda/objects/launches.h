// From a kernel and a configuration to a launch, judged as CUDA judges it before anything runs.
#pragma once

#include <vector>

#include "cuda/objects/device_properties.h"
#include "cuda/process/api.h"

namespace heddle::cuda {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

// What one launch is made of. `key` is what cudaFuncSetAttribute was told about: the host function,
// or the driver's handle.
struct Request {
  const ptx::Kernel* kernel = nullptr;
  const void* key = nullptr;
  Configuration how;
  std::vector<std::uint8_t> parameters;
};

// Judges the request and gives it to its stream. A refusal is explained on stderr.
cudaError_t issue(Session& session, Request request);
// As above, but only judges and describes.
cudaError_t describe_launch(Session& session, const Request& request, Operation& operation);

// The most shared memory that a block of the kernel may have.
std::size_t shared_limit(const Session& session, const void* key, const BlockLimits& limits);
// Blocks that one SM holds at once; 0 when one does not fit.
int blocks_per_sm(Session& session, const ptx::Kernel& kernel, int threads,
                  std::size_t shared_bytes);
int most_threads(const config::GpuSpec& gpu, const ptx::Kernel& kernel);
// What cudaFuncSetAttribute and cuFuncSetAttribute do with the dynamic shared memory of a block.
cudaError_t allow_shared(Session& session, const ptx::Kernel& kernel, const void* key, int bytes);

}  // namespace heddle::cuda
