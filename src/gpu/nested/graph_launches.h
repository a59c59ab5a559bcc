// Launches of graphs by kernels (CUDA Programming Guide, "Device Graph Launch").
//
//   What the host launches as a graph is a group within an outer group. A graph that a kernel
//   launches is a group of its own:
//     fire and forget   work of the launching graph, which has not ended before it
//     tail launch       follows the launching graph and all its fire-and-forget work
//     sibling           work of what the launching graph is work of
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "gpu/device_state.h"
#include "gpu/nested/launch_order.h"

namespace heddle::gpu {

class GraphLaunches {
 public:
  using Grid = LaunchOrder::Grid;

  GraphLaunches(LaunchOrder& order, std::uint32_t program) : order_(order), program_(program) {}

  // The group of a graph that the host launches, which begins with its first node.
  Grid group_of_host(std::uint64_t graph_launch, std::uint64_t handle);
  // All nodes have been launched. The outer group, which completes with what they have launched.
  Grid end_of_host(std::uint64_t graph_launch);

  // A kernel of the graph `launching` launches a graph into a stream of device code: the work that
  // runs it; none: CUDA does not allow it.
  std::optional<LaunchOrder::Work> launch(Grid launching, std::uint64_t stream,
                                          std::uint64_t handle);
  // The group whose work its nodes become.
  Grid begin(LaunchOrder::Work launch, std::uint64_t handle);
  // A graph has ended when its nodes and the graphs that are its work are complete.
  void note_ended();

  // Between launches. All that waits are tail launches of graphs of which the host has launched a
  // part: what such a launch follows, and the work that runs it.
  void save(DeviceRuntimeState& state) const;
  std::uint64_t followed_by(std::uint64_t handle) const;
  void restore(const DeviceRuntimeState& state);
  LaunchOrder::Work restore_tail(const DeviceRuntimeState::TailLaunch& tail);

 private:
  // A graph that runs: the group of its launch, or what contains the launch of one by the host.
  struct RunningGraph {
    std::uint64_t handle = 0;            // 0: device code cannot launch it
    std::uint32_t fired = 0, tails = 0;  // launches into it so far; tail launches that wait
  };

  LaunchOrder& order_;
  const std::uint32_t program_;
  std::map<Grid, RunningGraph> graphs_;
  std::map<std::uint64_t, std::uint32_t> running_;  // how often, by handle
  std::map<std::uint64_t, Grid> waiting_;           // tail launches: group by handle
  std::uint64_t last_group_ = 0;
};

}  // namespace heddle::gpu
