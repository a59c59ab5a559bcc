// CUDA's device runtime: launches from kernels (CUDA dynamic parallelism, both generations), and
// the other calls of kernels.
//
// Timed: the calls of a window are served when it has ended, in the order of their cycles, SMs and
// issue, so the number of host threads changes nothing. A launch reaches the hardware
// gpu.device_launch_latency cycles after its call. A CTA that waits in cudaDeviceSynchronize keeps
// its place on the SM; hardware swaps it out.
// Graphs that kernels launch (device graphs) run as groups of launches (graph_launches.h).
// Functional: a launch runs when a CTA of the launch by the host has ended, when its CTA waits for
// it, or when no more launches may be pending.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "exec/services/device_runtime.h"
#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "gpu/device_state.h"
#include "gpu/nested/call_errors.h"
#include "gpu/nested/copies.h"
#include "gpu/nested/device_code.h"
#include "gpu/nested/device_queries.h"
#include "gpu/nested/device_streams.h"
#include "gpu/nested/graph_launches.h"
#include "gpu/nested/launch_order.h"
#include "gpu/nested/nested_host.h"
#include "gpu/nested/nested_runs.h"
#include "gpu/nested/parameter_buffers.h"
#include "gpu/nested/waiting_calls.h"

namespace heddle::gpu {

class NestedLaunches final : public exec::DeviceRuntime {
 public:
  struct Limits {
    std::uint64_t pending_launches = 2048;  // cudaLimitDevRuntimePendingLaunchCount
    std::uint32_t sync_depth = 2;           // cudaLimitDevRuntimeSyncDepth
  };
  static constexpr std::uint32_t kMaxDepth = 24;

  NestedLaunches(NestedHost& host, exec::GlobalMemory& memory, exec::DeviceServices& services,
                 exec::Checker* checker, std::uint32_t program, std::uint32_t latency_cycles);

  void set_program(DeviceCode program) { program_ = std::move(program); }
  void set_limits(const Limits& limits) { limits_ = limits; }
  // While no launch runs. restore(): before the first one; false when the state is impossible.
  DeviceRuntimeState state() const;
  bool restore(const DeviceRuntimeState& state);

  // A launch by the host begins.
  void begin_root(std::uint64_t launch, const LaunchRequest& request, int priority, bool timed);
  // The host has launched all nodes of a graph (LaunchRequest::graph_launch), and they are
  // complete. The number with which take_complete() returns the end of what they have launched.
  std::uint64_t end_graph(std::uint64_t graph_launch);
  // The CTAs of a launch have ended.
  void ctas_ended(std::uint64_t launch) { runs_.ctas_ended(launch); }
  // Launches by the host that are complete, in the order in which they completed.
  std::vector<std::uint64_t> take_complete() { return order_.take_complete(); }

  // Timed, between windows.
  bool has_calls() const { return calls_.any(); }
  void serve_calls() { calls_.serve(); }
  // The SMs with warps whose calls have returned since the last call.
  std::vector<std::size_t> take_resumed() { return calls_.take_resumed(); }
  // From now on launches run functionally. So do `unstarted` ones that have begun.
  void stop_timing(const std::vector<std::uint64_t>& unstarted) { runs_.stop_timing(unstarted); }
  // Functional: runs everything that may run.
  void run_ready() { runs_.run_ready(); }

  std::optional<std::uint64_t> call(const exec::DeviceCall& call) override;
  void collect(exec::Warp& warp) override { calls_.collect(warp); }
  void cta_ended() override;

 private:
  using Call = exec::DeviceCall;

  std::uint64_t get_buffer(const Call& call, std::uint64_t bytes,
                           const ParameterBuffers::Shape& shape);
  std::uint64_t get_buffer_of_kernel(const Call& call);
  std::uint64_t launch(const Call& call, std::uint64_t buffer, const ParameterBuffers::Shape& shape,
                       std::uint64_t stream);
  std::uint64_t launch_graph(const Call& call);
  std::uint64_t transfer(const Call& call, const StreamedBox& copy);
  std::uint64_t text_of_error(const Call& call, bool name);
  std::optional<std::uint64_t> synchronize(const Call& call);
  NestedLaunch launch_by(const Call& call) const;
  bool at_limit() const {
    return buffers_.size() + order_.incomplete() >= limits_.pending_launches;
  }

  exec::Checker* const checker_;
  const std::uint32_t number_, latency_;
  DeviceCode program_;
  Limits limits_;
  LaunchOrder order_;
  CallErrors errors_;
  DeviceStreams streams_;
  DeviceCopies copies_;
  DeviceQueries queries_;
  ParameterBuffers buffers_;
  GraphLaunches graphs_;
  WaitingCalls calls_;
  NestedRuns runs_;
};

}  // namespace heddle::gpu
