#include "gpu/nested/device_queries.h"

#include <vector>

#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"

namespace heddle::gpu {

std::uint64_t DeviceQueries::query(const exec::DeviceCall& c) {
  using enum ptx::RuntimeCall;
  constexpr std::int32_t kZero = 0, kOne = 1;
  switch (c.function->call) {
    case device_count: return write_result(c, 0, kOne);
    case get_device:
    case cache_config:
    case shared_memory_config: return write_result(c, 0, kZero);
    case runtime_version: return write_result(c, 0, std::int32_t{program_.runtime_version});
    case device_attribute: {
      if (c.argument<std::int32_t>(2) != 0) return errors_.answer(c, cuda_error::kInvalidDevice);
      const auto value = program_.attribute(c.argument<std::int32_t>(1));
      return value ? write_result(c, 0, std::int32_t{*value})
                   : errors_.answer(c, cuda_error::kInvalidValue);
    }
    default: {
      const auto value = program_.limit(c.argument<std::int32_t>(1));
      return value ? write_result(c, 0, std::uint64_t{*value})
                   : errors_.answer(c, cuda_error::kUnsupportedLimit);
    }
  }
}

std::uint64_t DeviceQueries::query_kernel(const exec::DeviceCall& c) {
  const isa::Kernel* const kernel =
      program_.kernel_at(*c.launch->kernel, c.argument<std::uint64_t>(1));
  if (!kernel) return errors_.answer(c, cuda_error::kInvalidDeviceFunction);
  if (c.function->call == ptx::RuntimeCall::occupancy) {
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {1, 1, 1};
    request.block = {c.argument<std::uint32_t>(2), 1, 1};
    request.dynamic_shared_bytes = c.argument<std::uint32_t>(3);
    return write_result(c, 0, std::int32_t{host_.ctas_per_sm(request)});
  }
  const std::vector<std::uint8_t> bytes = program_.function_attributes(*kernel);
  if (!c.write(c.argument<std::uint64_t>(0), bytes.data(),
               static_cast<std::uint32_t>(bytes.size())))
    c.fault("cudaFuncGetAttributes writes outside of the thread's memory");
  return cuda_error::kNone;
}

std::uint64_t DeviceQueries::allocate(const exec::DeviceCall& c) {
  const std::uint64_t address = heap_.allocate(c.argument<std::uint64_t>(1));
  if (address == 0) return errors_.answer(c, cuda_error::kMemoryAllocation);
  return write_result(c, 0, address);
}

std::uint64_t DeviceQueries::free(const exec::DeviceCall& c) {
  const auto address = c.argument<std::uint64_t>(0);
  const bool freed = address == 0 || heap_.free(address);
  return errors_.answer(c, freed ? cuda_error::kNone : cuda_error::kInvalidDevicePointer);
}

}  // namespace heddle::gpu
