// Launches of graphs by kernels (CUDA Programming Guide, "Device Graph Launch").
//
//   What the host launches as a graph is a group within an outer group. A graph that a kernel
//   launches is a group of its own:
//     fire and forget   work of the launching graph, which has not ended before it
//     tail launch       follows the launching graph and all its fire-and-forget work
//     sibling           work of what the launching graph is work of
#include <utility>

#include "base/diagnostics.h"
#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"
#include "gpu/nested/nested_launches.h"

namespace heddle::gpu {
namespace {

// Values of cudaStream_t.
constexpr std::uint64_t kTail = std::uint64_t{1} << 56, kFire = std::uint64_t{2} << 56,
                        kSibling = std::uint64_t{3} << 56;
// The limits of CUDA.
constexpr std::uint32_t kMaxFired = 120, kMaxTails = 255;

// Numbers of groups. Launches have smaller ones.
constexpr std::uint64_t kGroups = std::uint64_t{1} << 63, kByHost = std::uint64_t{1} << 62;
constexpr int kProgramShift = 48;

// LaunchRequest::graph_launch of a group.
std::uint64_t launch_of_host(std::uint64_t group) {
  return (group & ((std::uint64_t{1} << kProgramShift) - 1)) >> 1;
}

}  // namespace

// The group of a graph that the host launches, which begins with its first node. The number of the
// outer group is even.
LaunchOrder::Grid NestedLaunches::group_of_host(std::uint64_t graph_launch, std::uint64_t handle) {
  const LaunchOrder::Grid outer =
      kGroups | kByHost | std::uint64_t{number_} << kProgramShift | graph_launch << 1;
  if (!graphs_.contains(outer)) {
    order_.begin_root_group(outer);
    order_.begin_group_in(outer, outer + 1);
    graphs_[outer] = {};
    graphs_[outer + 1] = {handle};
    if (handle) ++running_graphs_[handle];
  }
  return outer + 1;
}

std::uint64_t NestedLaunches::end_graph(std::uint64_t graph_launch) {
  const LaunchOrder::Grid group = group_of_host(graph_launch, 0), outer = group - 1;
  order_.ctas_ended(group);
  order_.ctas_ended(outer);
  start_ready();
  return outer;
}

std::uint64_t NestedLaunches::launch_graph(const Call& c) {
  const auto launching = order_.group_of(c.launch->grid_id);
  auto graph = program_.graph_at ? program_.graph_at(c.argument<std::uint64_t>(0)) : nullptr;
  // Only a kernel that is a node of a graph may launch one, and only one that was uploaded.
  if (!launching || !graph) return answer(c, cuda_error::kInvalidValue);
  return launch_graph(c, *launching, c.argument<std::uint64_t>(1), std::move(graph));
}

std::uint64_t NestedLaunches::launch_graph(const Call& c, LaunchOrder::Grid launching,
                                           std::uint64_t stream,
                                           std::shared_ptr<const DeviceGraph> graph) {
  using Kind = LaunchOrder::Stream::Kind;
  if (stream != kTail && stream != kFire && stream != kSibling)
    return answer(c, cuda_error::kInvalidValue);
  const LaunchOrder::Grid into = stream == kSibling ? order_.outer_group(launching) : launching;
  RunningGraph& parent = graphs_.at(into);
  const std::uint64_t handle = graph->handle;
  // A graph does not run twice at once. It may launch itself to follow itself, once at a time.
  const bool itself = stream == kTail && parent.handle == handle;
  const auto running = running_graphs_.find(handle);
  const bool runs = running != running_graphs_.end() && running->second > (itself ? 1U : 0U);
  const bool full = stream == kTail ? parent.tails >= kMaxTails : parent.fired >= kMaxFired;
  if (runs || full || waiting_graphs_.contains(handle)) return answer(c, cuda_error::kInvalidValue);
  if (stream == kTail) {
    ++parent.tails;
    waiting_graphs_[handle] = into;
  } else {
    ++parent.fired;
    ++running_graphs_[handle];
  }
  Pending pending;
  pending.launch.parent = c.launch->grid_id;
  pending.launch.priority = grid_of(c).priority;
  pending.launch.timed = grid_of(c).timed;
  pending.launch.earliest = Cycle{c.cycle + latency_};
  pending.graph = std::move(graph);
  const Work work = order_.add(into, 0, {stream == kTail ? Kind::tail : Kind::alone, 0});
  pending_.emplace(work, std::move(pending));
  start_ready();
  return cuda_error::kNone;
}

// Its nodes become work of a group: each in a stream of its own, where it waits for the nodes that
// it depends on.
void NestedLaunches::begin_graph(Work work, const Pending& pending) {
  const LaunchOrder::Grid group = kGroups | ++last_group_;
  const std::uint64_t handle = pending.graph->handle;
  if (const auto waited = waiting_graphs_.find(handle); waited != waiting_graphs_.end()) {
    if (--graphs_.at(waited->second).tails == 0) graphs_.erase(waited->second);
    waiting_graphs_.erase(waited);
    ++running_graphs_[handle];
  }
  order_.begin_group(work, group);
  graphs_[group] = {handle};
  std::vector<Work> added;
  for (const DeviceGraph::Node& node : pending.graph->nodes) {
    const LaunchOrder::Stream stream{LaunchOrder::Stream::Kind::named, added.size()};
    for (const std::size_t before : node.after) order_.add_wait(group, 0, stream, added[before]);
    added.push_back(order_.add(group, 0, stream));
    Pending& one = pending_[added.back()];
    if (node.launch) {
      one.launch = pending.launch;
      one.launch.request = *node.launch;
    } else {
      one.act = [this, box = node.box] { perform(box); };
    }
  }
  order_.ctas_ended(group);
}

// All that waits are tail launches of graphs of which the host has launched a part.
void NestedLaunches::save_graphs(DeviceRuntimeState& state) const {
  for (const auto& [group, graph] : graphs_)
    if (group & kByHost && group & 1)
      state.graphs.push_back(
          {launch_of_host(group), graph.handle, graph.fired, graphs_.at(group - 1).fired});
  for (const auto& [work, pending] : pending_)
    state.tails.push_back({launch_of_host(waiting_graphs_.at(pending.graph->handle)),
                           pending.graph->handle, pending.launch.parent, pending.launch.priority});
}

// The parents of the tail launches did not run here, so they are not timed.
bool NestedLaunches::restore_graphs(const DeviceRuntimeState& state) {
  for (const DeviceRuntimeState::Graph& graph : state.graphs) {
    const LaunchOrder::Grid group = group_of_host(graph.launch, graph.handle);
    graphs_.at(group).fired = graph.fired;
    graphs_.at(group - 1).fired = graph.fired_beside;
  }
  for (const DeviceRuntimeState::TailLaunch& tail : state.tails) {
    Pending pending;
    pending.graph = program_.graph_at ? program_.graph_at(tail.handle) : nullptr;
    if (!pending.graph) return false;
    pending.launch.parent = tail.parent;
    pending.launch.priority = tail.priority;
    const LaunchOrder::Grid group = group_of_host(tail.after, 0);
    ++graphs_.at(group).tails;
    waiting_graphs_[tail.handle] = group;
    pending_.emplace(order_.add(group, 0, {LaunchOrder::Stream::Kind::tail, 0}),
                     std::move(pending));
  }
  return true;
}

// A graph has ended when its nodes and the graphs that are its work are complete.
void NestedLaunches::note_ended_graphs() {
  for (const LaunchOrder::Grid group : order_.take_ended_groups()) {
    const std::uint64_t handle = graphs_.at(group).handle;
    if (handle && --running_graphs_.at(handle) == 0) running_graphs_.erase(handle);
    if (graphs_.at(group).tails == 0) graphs_.erase(group);
  }
}

}  // namespace heddle::gpu
