// CUDA's device runtime: launches from kernels (CUDA dynamic parallelism, both generations), and
// the other calls of kernels.
//
// Timed: the calls of a window are served when it has ended, in the order of their cycles, SMs and
// issue, so the number of host threads changes nothing. A launch reaches the hardware
// gpu.device_launch_latency cycles after its call. A CTA that waits in cudaDeviceSynchronize keeps
// its place on the SM; hardware swaps it out.
// Graphs that kernels launch (device graphs) run as groups of launches (graphs.cc).
// Functional: a launch runs when a CTA of the launch by the host has ended, when its CTA waits for
// it, or when no more launches may be pending.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/services/device_runtime.h"
#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "gpu/device_state.h"
#include "gpu/launch_builder.h"
#include "gpu/nested/device_code.h"
#include "gpu/nested/device_graph.h"
#include "gpu/nested/launch_order.h"

namespace heddle::exec {
class Checker;
}

namespace heddle::gpu {

// A launch by a kernel.
struct NestedLaunch {
  LaunchRequest request;
  std::uint64_t number = 0;  // 0 until it begins
  std::uint64_t parent = 0;  // the number of the launch whose kernel called
  int priority = 0;          // its parent's
  bool timed = false;        // as its parent
  Cycle earliest;            // it may start
};

class NestedLaunches final : public exec::DeviceRuntime {
 public:
  // What runs the launches.
  struct Host {
    virtual ~Host() = default;
    virtual std::uint64_t next_launch() = 0;  // a new number
    virtual void begin_timed(const NestedLaunch& launch) = 0;
    virtual void run_untimed(const NestedLaunch& launch) = 0;
    virtual int ctas_per_sm(const LaunchRequest& request) const = 0;
  };
  struct Limits {
    std::uint64_t pending_launches = 2048;  // cudaLimitDevRuntimePendingLaunchCount
    std::uint32_t sync_depth = 2;           // cudaLimitDevRuntimeSyncDepth
  };
  static constexpr std::uint32_t kMaxDepth = 24;

  NestedLaunches(Host& host, exec::GlobalMemory& memory, exec::DeviceServices& services,
                 exec::Checker* checker, std::uint32_t program, std::uint32_t latency_cycles)
      : host_(host),
        memory_(memory),
        services_(services),
        checker_(checker),
        number_(program),
        latency_(latency_cycles) {}

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
  void ctas_ended(std::uint64_t launch);
  // Launches by the host that are complete, in the order in which they completed.
  std::vector<std::uint64_t> take_complete() { return order_.take_complete(); }

  // Timed, between windows.
  bool has_calls() const { return !calls_.empty(); }
  void serve_calls();
  // The SMs with warps whose calls have returned since the last call.
  std::vector<std::size_t> take_resumed() { return std::exchange(resumed_, {}); }
  // From now on launches run functionally. So do `unstarted` ones that have begun.
  void stop_timing(const std::vector<std::uint64_t>& unstarted);
  // Functional: runs everything that may run.
  void run_ready();

  std::optional<std::uint64_t> call(const exec::DeviceCall& call) override;
  void collect(exec::Warp& warp) override { calls_.push_back(&warp); }
  void cta_ended() override;

 private:
  using Work = LaunchOrder::Work;
  using Call = exec::DeviceCall;
  using Result = std::optional<std::uint64_t>;
  // A grid whose CTAs run.
  struct Grid {
    bool timed = false;
    int priority = 0;
    std::map<std::pair<std::uint64_t, std::uint32_t>, int> errors;  // by CTA and thread
  };
  struct Pending {
    NestedLaunch launch;
    std::function<void()> act;                 // of a copy or fill
    std::shared_ptr<const DeviceGraph> graph;  // its launch
  };
  // A graph that runs: the group of its launch, or what contains the launch of one by the host.
  struct RunningGraph {
    std::uint64_t handle = 0;            // 0: device code cannot launch it
    std::uint32_t fired = 0, tails = 0;  // launches into it so far; tail launches that wait
  };
  struct Buffer {
    std::uint64_t function = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
  };

  Grid& grid_of(const Call& call);
  bool is_timed(const Call& call) { return timing_ && grid_of(call).timed; }
  std::uint64_t answer(const Call& call, int error);
  template <class T>
  std::uint64_t write(const Call& call, std::size_t argument, const T& value);

  // launches.cc
  std::uint64_t get_buffer(const Call& call, std::uint64_t bytes, const Buffer& buffer);
  std::uint64_t get_buffer_of_kernel(const Call& call);
  std::uint64_t launch(const Call& call, std::uint64_t buffer, Buffer shape, std::uint64_t stream);
  bool at_limit() const {
    return buffers_.size() + order_.incomplete() >= limits_.pending_launches;
  }
  Result synchronize(const Call& call);
  void add(const Call& call, LaunchOrder::Stream stream, Pending pending);
  std::optional<LaunchOrder::Stream> stream_of(const Call& call, std::uint64_t handle) const;
  void start_ready();
  void run_untimed(Work work);
  void release_waiting();

  // calls.cc
  std::uint64_t create_stream(const Call& call);
  std::uint64_t destroy_stream(const Call& call);
  std::uint64_t create_event(const Call& call);
  std::uint64_t destroy_event(const Call& call);
  std::uint64_t record_event(const Call& call);
  std::uint64_t wait_for_event(const Call& call);
  std::uint64_t text_of_error(const Call& call, bool name);
  std::uint64_t last_error(const Call& call, bool reset);
  std::uint64_t allocate(const Call& call);
  std::uint64_t free(const Call& call);
  std::uint64_t query(const Call& call);
  std::uint64_t query_kernel(const Call& call);

  // graphs.cc
  LaunchOrder::Grid group_of_host(std::uint64_t graph_launch, std::uint64_t handle);
  std::uint64_t launch_graph(const Call& call);
  std::uint64_t launch_graph(const Call& call, LaunchOrder::Grid launching, std::uint64_t stream,
                             std::shared_ptr<const DeviceGraph> graph);
  void begin_graph(Work work, const Pending& pending);
  void note_ended_graphs();
  void save_graphs(DeviceRuntimeState& state) const;
  bool restore_graphs(const DeviceRuntimeState& state);

  // copies.cc
  std::uint64_t copy(const Call& call);
  std::uint64_t fill(const Call& call);
  std::uint64_t transfer(const Call& call, const MemoryBox& box, std::uint64_t stream);
  void perform(const MemoryBox& box);

  Host& host_;
  exec::GlobalMemory& memory_;
  exec::DeviceServices& services_;
  exec::Checker* const checker_;
  const std::uint32_t number_, latency_;
  DeviceCode program_;
  Limits limits_;
  LaunchOrder order_;
  bool timing_ = true;
  std::map<std::uint64_t, Grid> grids_;
  std::map<Work, Pending> pending_;
  std::map<std::uint64_t, std::pair<Work, NestedLaunch>> begun_;  // by number; CTAs run or wait
  std::deque<Work> untimed_;                                      // ready
  int nested_runs_ = 0;  // functional launches that run within one another

  std::map<LaunchOrder::Grid, RunningGraph> graphs_;
  std::map<std::uint64_t, std::uint32_t> running_graphs_;      // how often, by handle
  std::map<std::uint64_t, LaunchOrder::Grid> waiting_graphs_;  // tail launches: group by handle
  std::uint64_t last_group_ = 0;

  std::vector<exec::Warp*> calls_;    // of the window
  std::vector<exec::Warp*> waiting_;  // in cudaDeviceSynchronize
  std::vector<std::size_t> resumed_;

  exec::DeviceHeap parameters_;  // memory of the buffers
  std::map<std::uint64_t, Buffer> buffers_;
  std::map<std::uint64_t, std::uint64_t> streams_;  // handle: number of the grid
  std::map<std::uint64_t, Work> events_;            // handle: its last record, 0 when there is none
  std::map<std::pair<int, bool>, std::uint64_t> texts_;  // addresses
  std::uint64_t last_handle_ = 0x10000;
};

}  // namespace heddle::gpu
