// The functions of CUDA's device runtime that kernels call: launches, streams, events, copies and
// queries. The simulator provides them, so a program needs no code of libcudadevrt. Names and
// parameters: cuda_device_runtime_api.h. The first generation's names begin with "cuda", the
// second's with "__cudaCDP2"; both mean the same functions here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::ptx {

enum class RuntimeCall : std::uint8_t {
  get_parameter_buffer,
  get_parameter_buffer_v2,
  launch_device,
  launch_device_v2,
  device_synchronize,
  stream_create,
  stream_destroy,
  stream_wait_event,
  event_create,
  event_record,
  event_destroy,
  copy,
  copy_2d,
  copy_3d,
  fill,
  fill_2d,
  fill_3d,
  allocate,
  free,
  get_last_error,
  peek_last_error,
  error_string,
  error_name,
  device_count,
  get_device,
  device_attribute,
  device_limit,
  cache_config,
  shared_memory_config,
  function_attributes,
  occupancy,
  runtime_version,
  launch_graph
};

inline constexpr std::size_t kMaxRuntimeArguments = 8;

struct RuntimeFunction {
  RuntimeCall call{};
  bool per_thread_stream = false;  // "_ptsz": stream 0 is the thread's own
  // Bytes of each argument; 0 after the last one.
  std::array<std::uint8_t, kMaxRuntimeArguments> argument_bytes{};
  std::uint32_t result_bytes = 0;  // that the call writes at the address in its first argument
};

// None when the name is not a function of the device runtime.
std::optional<RuntimeFunction> runtime_function(std::string_view name);

}  // namespace heddle::ptx
