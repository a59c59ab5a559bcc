// Streams and events that kernels create, and the streams that every grid has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "exec/services/device_runtime.h"
#include "gpu/device_state.h"
#include "gpu/nested/call_errors.h"
#include "gpu/nested/launch_order.h"

namespace heddle::gpu {

class DeviceStreams {
 public:
  DeviceStreams(LaunchOrder& order, CallErrors& errors) : order_(order), errors_(errors) {}

  // Calls of kernels; they return a cudaError_t.
  std::uint64_t create_stream(const exec::DeviceCall& call);
  std::uint64_t destroy_stream(const exec::DeviceCall& call);
  std::uint64_t create_event(const exec::DeviceCall& call);
  std::uint64_t destroy_event(const exec::DeviceCall& call);
  // They add to the order, which may make work ready.
  std::uint64_t record_event(const exec::DeviceCall& call);
  std::uint64_t wait_for_event(const exec::DeviceCall& call);

  // None: the handle is not one of the calling grid.
  std::optional<LaunchOrder::Stream> stream_of(const exec::DeviceCall& call,
                                               std::uint64_t handle) const;
  void save(DeviceRuntimeState& state) const;
  void restore(const DeviceRuntimeState& state);

 private:
  LaunchOrder& order_;
  CallErrors& errors_;
  std::map<std::uint64_t, std::uint64_t> streams_;     // handle: number of the grid
  std::map<std::uint64_t, LaunchOrder::Work> events_;  // handle: its last record; 0: none
  std::uint64_t last_handle_ = 0x10000;
};

}  // namespace heddle::gpu
