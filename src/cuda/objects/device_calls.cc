#include "cuda/objects/device_calls.h"

#include <algorithm>
#include <cstring>

#include "cuda/objects/device_properties.h"
#include "cuda/objects/error_names.h"
#include "cuda/objects/launch_check.h"
#include "cuda_runtime_api.h"

namespace heddle::cuda {
namespace {

std::vector<std::uint8_t> attributes_of(const gpu::Device& device, const isa::Kernel& kernel,
                                        int target) {
  const auto& gpu = device.spec();
  const BlockLimits limits = block_limits(gpu);
  const int version = static_cast<int>(gpu.compute_major * 10 + gpu.compute_minor);
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = kernel.shared_bytes;
  attributes.constSizeBytes = kernel.constant_bytes;
  attributes.localSizeBytes = kernel.local_bytes;
  attributes.maxThreadsPerBlock = static_cast<int>(limits.threads);
  if (kernel.max_threads)
    attributes.maxThreadsPerBlock =
        static_cast<int>(std::min<std::uint32_t>(kernel.max_threads, limits.threads));
  attributes.numRegs = static_cast<int>(device.launch_builder().registers_per_thread(kernel));
  attributes.binaryVersion = version;
  attributes.ptxVersion = target > 0 ? target : version;
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(
      limits.shared_bytes - std::min<std::size_t>(limits.shared_bytes, kernel.shared_bytes));
  attributes.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  std::vector<std::uint8_t> bytes(sizeof attributes);
  std::memcpy(bytes.data(), &attributes, bytes.size());
  return bytes;
}

std::optional<std::uint64_t> limit_of(const gpu::DeviceLimits& limits, int limit) {
  switch (static_cast<cudaLimit>(limit)) {
    case cudaLimitStackSize: return limits.stack_bytes;
    case cudaLimitPrintfFifoSize: return limits.print_bytes;
    case cudaLimitMallocHeapSize: return limits.heap_bytes;
    case cudaLimitDevRuntimeSyncDepth: return limits.sync_depth;
    case cudaLimitDevRuntimePendingLaunchCount: return limits.pending_launches;
    default: return std::nullopt;
  }
}

}  // namespace

gpu::DeviceCode device_code(const gpu::Device& device, const CallingProgram& program) {
  gpu::DeviceCode code;
  code.kernel_at = program.kernel_at;
  code.graph_at = program.graph_at;
  code.check = [&device](const gpu::LaunchRequest& request) {
    const std::size_t allowed = block_limits(device.spec()).shared_bytes_opt_in;
    return static_cast<int>(check_launch(device, request, allowed).error);
  };
  code.attribute = [&device](int attribute) {
    return device_attribute(device.spec(), static_cast<cudaDeviceAttr>(attribute));
  };
  code.limit = [limits = program.limits](int limit) { return limit_of(limits(), limit); };
  code.error_text = [](int error, bool name) -> std::string {
    const auto number = static_cast<cudaError_t>(error);
    return name ? error_name(number) : error_text(number);
  };
  code.function_attributes = [&device, target_of = program.target_of](const isa::Kernel& kernel) {
    return attributes_of(device, kernel, target_of(kernel));
  };
  code.runtime_version = CUDART_VERSION;
  return code;
}

}  // namespace heddle::cuda
