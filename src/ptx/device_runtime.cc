#include "ptx/device_runtime.h"

#include <algorithm>

namespace heddle::ptx {
namespace {

struct Entry {
  std::string_view name;  // after "cuda" or "__cudaCDP2"
  RuntimeCall call;
  std::array<std::uint8_t, kMaxRuntimeArguments> argument_bytes;
};

// A dim3 has 12 bytes, a cudaExtent 24, a cudaPitchedPtr 32.
using enum RuntimeCall;
constexpr Entry kFunctions[] = {
    {"GetParameterBuffer", get_parameter_buffer, {8, 8}},
    {"GetParameterBufferV2", get_parameter_buffer_v2, {8, 12, 12, 4}},
    {"LaunchDevice", launch_device, {8, 8, 12, 12, 4, 8}},
    {"LaunchDeviceV2", launch_device_v2, {8, 8}},
    {"DeviceSynchronize", device_synchronize, {}},
    {"StreamCreateWithFlags", stream_create, {8, 4}},
    {"StreamDestroy", stream_destroy, {8}},
    {"StreamWaitEvent", stream_wait_event, {8, 8, 4}},
    {"EventCreateWithFlags", event_create, {8, 4}},
    {"EventRecord", event_record, {8, 8}},
    {"EventRecordWithFlags", event_record, {8, 8, 4}},
    {"EventDestroy", event_destroy, {8}},
    {"MemcpyAsync", copy, {8, 8, 8, 4, 8}},
    {"Memcpy2DAsync", copy_2d, {8, 8, 8, 8, 8, 8, 4, 8}},
    {"Memcpy3DAsync", copy_3d, {8, 8}},
    {"MemsetAsync", fill, {8, 4, 8, 8}},
    {"Memset2DAsync", fill_2d, {8, 8, 4, 8, 8, 8}},
    {"Memset3DAsync", fill_3d, {32, 4, 24, 8}},
    {"Malloc", allocate, {8, 8}},
    {"Free", RuntimeCall::free, {8}},
    {"GetLastError", get_last_error, {}},
    {"PeekAtLastError", peek_last_error, {}},
    {"GetErrorString", error_string, {4}},
    {"GetErrorName", error_name, {4}},
    {"GetDeviceCount", device_count, {8}},
    {"GetDevice", get_device, {8}},
    {"DeviceGetAttribute", device_attribute, {8, 4, 4}},
    {"DeviceGetLimit", device_limit, {8, 4}},
    {"DeviceGetCacheConfig", cache_config, {8}},
    {"DeviceGetSharedMemConfig", shared_memory_config, {8}},
    {"FuncGetAttributes", function_attributes, {8, 8}},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", occupancy, {8, 8, 4, 8}},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", occupancy, {8, 8, 4, 8, 4}},
    {"RuntimeGetVersion", runtime_version, {8}},
    {"GraphLaunch", launch_graph, {8, 8}}};

std::uint32_t result_bytes(RuntimeCall call) {
  switch (call) {
    case stream_create:
    case event_create:
    case allocate:
    case device_limit: return 8;
    case device_count:
    case get_device:
    case device_attribute:
    case cache_config:
    case shared_memory_config:
    case occupancy:
    case runtime_version: return 4;
    case function_attributes: return 144;  // sizeof(cudaFuncAttributes)
    default: return 0;
  }
}

}  // namespace

std::optional<RuntimeFunction> runtime_function(std::string_view name) {
  // nvcc's headers call this function where a deprecation warning would be wrong.
  if (name == "__cudaDeviceSynchronizeDeprecationAvoidance") name = "cudaDeviceSynchronize";
  for (const std::string_view prefix : {"__cudaCDP2", "cuda"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    const bool per_thread = name.ends_with("_ptsz");
    if (per_thread) name.remove_suffix(5);
    const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                           [&](const Entry& e) { return e.name == name; });
    if (found == std::end(kFunctions)) return std::nullopt;
    return RuntimeFunction{found->call, per_thread, found->argument_bytes,
                           result_bytes(found->call)};
  }
  return std::nullopt;
}

}  // namespace heddle::ptx
