#include "gpu/nested/device_streams.h"

#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"

namespace heddle::gpu {
namespace {

// The only flags that the device runtime accepts: cudaStreamNonBlocking, cudaEventDisableTiming.
constexpr std::uint32_t kNonBlocking = 1, kDisableTiming = 2;

// Values of cudaStream_t in device code.
constexpr std::uint64_t kBlockStream = 0, kLegacyStream = 1, kThreadStream = 2, kTailLaunch = 3,
                        kFireAndForget = 4;

}  // namespace

std::uint64_t DeviceStreams::create_stream(const exec::DeviceCall& c) {
  if (c.argument<std::uint32_t>(1) != kNonBlocking)
    return errors_.answer(c, cuda_error::kInvalidValue);
  const std::uint64_t handle = last_handle_ += 0x10;
  streams_[handle] = c.launch->grid_id;
  return write_result(c, 0, handle);
}

// Work that is in the stream still runs.
std::uint64_t DeviceStreams::destroy_stream(const exec::DeviceCall& c) {
  const bool known = streams_.erase(c.argument<std::uint64_t>(0)) > 0;
  return errors_.answer(c, known ? cuda_error::kNone : cuda_error::kInvalidHandle);
}

std::uint64_t DeviceStreams::create_event(const exec::DeviceCall& c) {
  if (c.argument<std::uint32_t>(1) != kDisableTiming)
    return errors_.answer(c, cuda_error::kInvalidValue);
  const std::uint64_t handle = last_handle_ += 0x10;
  events_[handle] = 0;
  return write_result(c, 0, handle);
}

std::uint64_t DeviceStreams::destroy_event(const exec::DeviceCall& c) {
  const bool known = events_.erase(c.argument<std::uint64_t>(0)) > 0;
  return errors_.answer(c, known ? cuda_error::kNone : cuda_error::kInvalidHandle);
}

std::uint64_t DeviceStreams::record_event(const exec::DeviceCall& c) {
  const auto event = events_.find(c.argument<std::uint64_t>(0));
  const auto stream = stream_of(c, c.argument<std::uint64_t>(1));
  if (event == events_.end() || !stream) return errors_.answer(c, cuda_error::kInvalidHandle);
  event->second = order_.add_record(c.launch->grid_id, c.cta, *stream);
  return cuda_error::kNone;
}

// An event that was never recorded is no reason to wait.
std::uint64_t DeviceStreams::wait_for_event(const exec::DeviceCall& c) {
  const auto stream = stream_of(c, c.argument<std::uint64_t>(0));
  const auto event = events_.find(c.argument<std::uint64_t>(1));
  if (event == events_.end() || !stream) return errors_.answer(c, cuda_error::kInvalidHandle);
  order_.add_wait(c.launch->grid_id, c.cta, *stream, event->second);
  return cuda_error::kNone;
}

std::optional<LaunchOrder::Stream> DeviceStreams::stream_of(const exec::DeviceCall& c,
                                                            std::uint64_t handle) const {
  using Kind = LaunchOrder::Stream::Kind;
  if (handle == kBlockStream && c.function->per_thread_stream) handle = kThreadStream;
  switch (handle) {
    case kBlockStream:
    case kLegacyStream: return LaunchOrder::Stream{Kind::cta, c.cta};
    case kThreadStream:
      return LaunchOrder::Stream{Kind::thread, c.cta * c.launch->block.count() + c.thread};
    case kTailLaunch: return LaunchOrder::Stream{Kind::tail, 0};
    case kFireAndForget: return LaunchOrder::Stream{Kind::alone, 0};
    default: break;
  }
  const auto found = streams_.find(handle);
  if (found == streams_.end() || found->second != c.launch->grid_id) return std::nullopt;
  return LaunchOrder::Stream{Kind::named, handle};
}

void DeviceStreams::save(DeviceRuntimeState& state) const {
  state.streams.assign(streams_.begin(), streams_.end());
  for (const auto& [handle, record] : events_) state.events.push_back(handle);
  state.last_handle = last_handle_;
}

void DeviceStreams::restore(const DeviceRuntimeState& state) {
  streams_.insert(state.streams.begin(), state.streams.end());
  for (const std::uint64_t handle : state.events) events_[handle] = 0;  // all work is complete
  last_handle_ = state.last_handle;
}

}  // namespace heddle::gpu
