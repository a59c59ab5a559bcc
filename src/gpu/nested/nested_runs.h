// The work of kernels from when it is added until it has run: begins what the order allows.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/device_state.h"
#include "gpu/nested/call_errors.h"
#include "gpu/nested/copies.h"
#include "gpu/nested/device_code.h"
#include "gpu/nested/graph_launches.h"
#include "gpu/nested/launch_order.h"
#include "gpu/nested/nested_host.h"
#include "gpu/nested/waiting_calls.h"

namespace heddle::gpu {

class NestedRuns {
 public:
  using Work = LaunchOrder::Work;
  // A grid whose CTAs run.
  struct Grid {
    bool timed = false;
    int priority = 0;
  };
  struct Pending {
    NestedLaunch launch;
    std::function<void()> act;                 // of a copy or fill
    std::shared_ptr<const DeviceGraph> graph;  // its launch
  };

  NestedRuns(NestedHost& host, LaunchOrder& order, GraphLaunches& graphs, DeviceCopies& copies,
             CallErrors& errors, WaitingCalls& calls)
      : host_(host),
        order_(order),
        graphs_(graphs),
        copies_(copies),
        errors_(errors),
        calls_(calls) {}

  // Launches by the host.
  void begin_root(std::uint64_t launch, const Grid& grid) { grids_[launch] = grid; }
  void ctas_ended(std::uint64_t launch);
  const Grid& grid(std::uint64_t launch) const { return grids_.at(launch); }
  bool is_timed(std::uint64_t launch) const { return timing_ && grid(launch).timed; }

  // The order has the work already. start_ready() begins it.
  void add(Work work, Pending pending) { pending_.emplace(work, std::move(pending)); }
  void start_ready();

  // Functional: runs everything that may run.
  void run_ready();
  // Runs one launch, of those that the CTA waits for if there is one. False: none may run.
  bool run_one_for(std::uint64_t grid, std::uint64_t cta);
  // Functional launches that run within one another.
  int depth() const { return depth_; }
  // From now on launches run functionally. So do `unstarted` ones that have begun.
  void stop_timing(const std::vector<std::uint64_t>& unstarted);

  // Between launches: see GraphLaunches.
  void save(DeviceRuntimeState& state) const;
  bool restore(const DeviceRuntimeState& state, const DeviceCode& program);

 private:
  void begin_timed(Work work, NestedLaunch launch);
  void begin_graph(Work work, const Pending& pending);
  void run_untimed(Work work);

  NestedHost& host_;
  LaunchOrder& order_;
  GraphLaunches& graphs_;
  DeviceCopies& copies_;
  CallErrors& errors_;
  WaitingCalls& calls_;
  bool timing_ = true;
  std::map<std::uint64_t, Grid> grids_;  // by number
  std::map<Work, Pending> pending_;
  std::map<std::uint64_t, std::pair<Work, NestedLaunch>> begun_;  // by number; CTAs run or wait
  std::deque<Work> untimed_;                                      // ready
  int depth_ = 0;
};

}  // namespace heddle::gpu
