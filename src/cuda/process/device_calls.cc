#include "cuda/process/device_calls.h"

#include <algorithm>
#include <cstring>

#include "cuda/process/device_properties.h"
#include "cuda/process/error_names.h"
#include "cuda/process/session.h"

namespace heddle::cuda {
namespace {

// What CUDA returns for a launch by a kernel, before anything runs.
cudaError_t check_launch(Session& session, const gpu::LaunchRequest& request) {
  const BlockLimits limits = block_limits(session.device().spec());
  const auto within = [](const Dim3& d, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= x && d.y <= y && d.z <= z;
  };
  if (!within(request.block, limits.x, limits.y, limits.z) ||
      request.block.count() > limits.threads ||
      !within(request.grid, limits.grid_x, limits.grid_y, limits.grid_z))
    return cudaErrorInvalidConfiguration;
  const ptx::Kernel& kernel = *request.kernel;
  if (kernel.shared_bytes + request.dynamic_shared_bytes > limits.shared_bytes_opt_in)
    return cudaErrorInvalidValue;
  const bool fits = session.device().launch_builder().resources(request).fits();
  const bool too_many = kernel.max_threads && request.block.count() > kernel.max_threads;
  return fits && !too_many ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

std::vector<std::uint8_t> attributes_of(Session& session, const ptx::Kernel& kernel) {
  const auto& gpu = session.device().spec();
  const BlockLimits limits = block_limits(gpu);
  const int version = static_cast<int>(gpu.compute_major * 10 + gpu.compute_minor);
  const int target = session.program().target_of(kernel);
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = kernel.shared_bytes;
  attributes.constSizeBytes = kernel.constant_bytes;
  attributes.localSizeBytes = kernel.local_bytes;
  attributes.maxThreadsPerBlock = static_cast<int>(limits.threads);
  if (kernel.max_threads)
    attributes.maxThreadsPerBlock =
        static_cast<int>(std::min<std::uint32_t>(kernel.max_threads, limits.threads));
  attributes.numRegs =
      static_cast<int>(session.device().launch_builder().registers_per_thread(kernel));
  attributes.binaryVersion = version;
  attributes.ptxVersion = target > 0 ? target : version;
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(
      limits.shared_bytes - std::min<std::size_t>(limits.shared_bytes, kernel.shared_bytes));
  attributes.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  std::vector<std::uint8_t> bytes(sizeof attributes);
  std::memcpy(bytes.data(), &attributes, bytes.size());
  return bytes;
}

std::optional<std::uint64_t> limit_of(const Session& session, int limit) {
  switch (static_cast<cudaLimit>(limit)) {
    case cudaLimitStackSize:
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize:
    case cudaLimitDevRuntimeSyncDepth:
    case cudaLimitDevRuntimePendingLaunchCount:
      return session.settings.limit(static_cast<cudaLimit>(limit));
    default: return std::nullopt;
  }
}

}  // namespace

gpu::DeviceCode device_code(Session& session) {
  gpu::DeviceCode program;
  program.kernel_at = [&session](const ptx::Kernel& caller, std::uint64_t address) {
    return session.program().kernel_at(caller, address);
  };
  program.check = [&session](const gpu::LaunchRequest& request) {
    return static_cast<int>(check_launch(session, request));
  };
  program.attribute = [&session](int attribute) {
    return device_attribute(session.device().spec(), static_cast<cudaDeviceAttr>(attribute));
  };
  program.limit = [&session](int limit) { return limit_of(session, limit); };
  program.error_text = [](int error, bool name) -> std::string {
    const auto code = static_cast<cudaError_t>(error);
    return name ? error_name(code) : error_text(code);
  };
  program.function_attributes = [&session](const ptx::Kernel& kernel) {
    return attributes_of(session, kernel);
  };
  program.runtime_version = CUDART_VERSION;
  return program;
}

}  // namespace heddle::cuda
