// Streams, events, errors, memory and queries of the device runtime.
#include <algorithm>
#include <cstring>

#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"
#include "gpu/nested/nested_launches.h"

namespace heddle::gpu {

namespace {

// The only flags that the device runtime accepts: cudaStreamNonBlocking, cudaEventDisableTiming.
constexpr std::uint32_t kNonBlocking = 1, kDisableTiming = 2;

}  // namespace

template <class T>
std::uint64_t NestedLaunches::write(const Call& c, std::size_t n, const T& value) {
  if (!c.write(c.argument<std::uint64_t>(n), &value, sizeof value))
    c.fault("a call of the device runtime writes outside of the thread's memory");
  return cuda_error::kNone;
}

std::uint64_t NestedLaunches::create_stream(const Call& c) {
  if (c.argument<std::uint32_t>(1) != kNonBlocking) return answer(c, cuda_error::kInvalidValue);
  const std::uint64_t handle = last_handle_ += 0x10;
  streams_[handle] = c.launch->grid_id;
  return write(c, 0, handle);
}

DeviceRuntimeState NestedLaunches::state() const {
  DeviceRuntimeState state;
  state.parameters = parameters_.state();
  for (const auto& [address, b] : buffers_)
    state.buffers.push_back({address, b.function, b.grid, b.block, b.shared_bytes});
  state.streams.assign(streams_.begin(), streams_.end());
  for (const auto& [handle, record] : events_) state.events.push_back(handle);
  for (const auto& [text, address] : texts_)
    state.texts.push_back({text.first, text.second, address});
  state.last_handle = last_handle_;
  save_graphs(state);
  return state;
}

bool NestedLaunches::restore(const DeviceRuntimeState& state) {
  const auto& [base, bytes, blocks] = state.parameters;
  if (bytes != 0 && !memory_.valid(Address{base}, bytes)) return false;
  const auto is_block = [&](const DeviceRuntimeState::Buffer& buffer) {
    const auto block = std::lower_bound(blocks.begin(), blocks.end(),
                                        std::pair<std::uint64_t, std::uint64_t>{buffer.address, 0});
    return block != blocks.end() && block->first == buffer.address;
  };
  if (!std::all_of(state.buffers.begin(), state.buffers.end(), is_block)) return false;
  for (const DeviceRuntimeState::Buffer& b : state.buffers)
    buffers_[b.address] = {b.function, b.grid, b.block, b.shared_bytes};
  streams_.insert(state.streams.begin(), state.streams.end());
  for (const std::uint64_t handle : state.events) events_[handle] = 0;  // all work is complete
  for (const DeviceRuntimeState::Text& text : state.texts)
    texts_[{text.error, text.name}] = text.address;
  last_handle_ = state.last_handle;
  return parameters_.restore(state.parameters) && restore_graphs(state);
}

// Work that is in the stream still runs.
std::uint64_t NestedLaunches::destroy_stream(const Call& c) {
  return answer(c, streams_.erase(c.argument<std::uint64_t>(0)) ? cuda_error::kNone
                                                                : cuda_error::kInvalidHandle);
}

std::uint64_t NestedLaunches::create_event(const Call& c) {
  if (c.argument<std::uint32_t>(1) != kDisableTiming) return answer(c, cuda_error::kInvalidValue);
  const std::uint64_t handle = last_handle_ += 0x10;
  events_[handle] = 0;
  return write(c, 0, handle);
}

std::uint64_t NestedLaunches::destroy_event(const Call& c) {
  return answer(c, events_.erase(c.argument<std::uint64_t>(0)) ? cuda_error::kNone
                                                               : cuda_error::kInvalidHandle);
}

std::uint64_t NestedLaunches::record_event(const Call& c) {
  const auto event = events_.find(c.argument<std::uint64_t>(0));
  const auto stream = stream_of(c, c.argument<std::uint64_t>(1));
  if (event == events_.end() || !stream) return answer(c, cuda_error::kInvalidHandle);
  event->second = order_.add_record(c.launch->grid_id, c.cta, *stream);
  start_ready();
  return cuda_error::kNone;
}

// An event that was never recorded is no reason to wait.
std::uint64_t NestedLaunches::wait_for_event(const Call& c) {
  const auto stream = stream_of(c, c.argument<std::uint64_t>(0));
  const auto event = events_.find(c.argument<std::uint64_t>(1));
  if (event == events_.end() || !stream) return answer(c, cuda_error::kInvalidHandle);
  order_.add_wait(c.launch->grid_id, c.cta, *stream, event->second);
  start_ready();
  return cuda_error::kNone;
}

std::uint64_t NestedLaunches::text_of_error(const Call& c, bool name) {
  const int error = c.argument<std::int32_t>(0);
  std::uint64_t& address = texts_[{error, name}];
  if (address == 0) {
    const std::string text = program_.error_text(error, name);
    const Address at = memory_.allocate(text.size() + 1, "text of an error");
    if (at == Address{0}) return 0;
    std::memcpy(memory_.host(at), text.c_str(), text.size() + 1);
    address = at.value;
  }
  return address;
}

std::uint64_t NestedLaunches::last_error(const Call& c, bool reset) {
  auto& errors = grid_of(c).errors;
  const auto found = errors.find({c.cta, c.thread});
  if (found == errors.end()) return cuda_error::kNone;
  const int error = found->second;
  if (reset) errors.erase(found);
  return static_cast<std::uint64_t>(error);
}

// cudaMalloc of a kernel takes memory from the heap of malloc.
std::uint64_t NestedLaunches::allocate(const Call& c) {
  const std::uint64_t address = services_.heap.allocate(c.argument<std::uint64_t>(1));
  if (address == 0) return answer(c, cuda_error::kMemoryAllocation);
  return write(c, 0, address);
}

std::uint64_t NestedLaunches::free(const Call& c) {
  const auto address = c.argument<std::uint64_t>(0);
  const bool freed = address == 0 || services_.heap.free(address);
  return answer(c, freed ? cuda_error::kNone : cuda_error::kInvalidDevicePointer);
}

std::uint64_t NestedLaunches::query(const Call& c) {
  using enum ptx::RuntimeCall;
  constexpr std::int32_t kZero = 0, kOne = 1;
  switch (c.function->call) {
    case device_count: return write(c, 0, kOne);
    case get_device:
    case cache_config:
    case shared_memory_config: return write(c, 0, kZero);
    case runtime_version: return write(c, 0, std::int32_t{program_.runtime_version});
    case device_attribute: {
      if (c.argument<std::int32_t>(2) != 0) return answer(c, cuda_error::kInvalidDevice);
      const auto value = program_.attribute(c.argument<std::int32_t>(1));
      return value ? write(c, 0, std::int32_t{*value}) : answer(c, cuda_error::kInvalidValue);
    }
    default: {
      const auto value = program_.limit(c.argument<std::int32_t>(1));
      return value ? write(c, 0, std::uint64_t{*value}) : answer(c, cuda_error::kUnsupportedLimit);
    }
  }
}

std::uint64_t NestedLaunches::query_kernel(const Call& c) {
  const ptx::Kernel* const kernel =
      program_.kernel_at(*c.launch->kernel, c.argument<std::uint64_t>(1));
  if (!kernel) return answer(c, cuda_error::kInvalidDeviceFunction);
  if (c.function->call == ptx::RuntimeCall::occupancy) {
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {1, 1, 1};
    request.block = {c.argument<std::uint32_t>(2), 1, 1};
    request.dynamic_shared_bytes = c.argument<std::uint32_t>(3);
    return write(c, 0, std::int32_t{host_.ctas_per_sm(request)});
  }
  const std::vector<std::uint8_t> bytes = program_.function_attributes(*kernel);
  if (!c.write(c.argument<std::uint64_t>(0), bytes.data(),
               static_cast<std::uint32_t>(bytes.size())))
    c.fault("cudaFuncGetAttributes writes outside of the thread's memory");
  return cuda_error::kNone;
}

}  // namespace heddle::gpu
