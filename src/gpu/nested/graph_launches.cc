#include "gpu/nested/graph_launches.h"

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

// The number of the outer group is even.
GraphLaunches::Grid GraphLaunches::group_of_host(std::uint64_t graph_launch, std::uint64_t handle) {
  const Grid outer =
      kGroups | kByHost | std::uint64_t{program_} << kProgramShift | graph_launch << 1;
  if (!graphs_.contains(outer)) {
    order_.begin_root_group(outer);
    order_.begin_group_in(outer, outer + 1);
    graphs_[outer] = {};
    graphs_[outer + 1] = {handle};
    if (handle) ++running_[handle];
  }
  return outer + 1;
}

GraphLaunches::Grid GraphLaunches::end_of_host(std::uint64_t graph_launch) {
  const Grid group = group_of_host(graph_launch, 0), outer = group - 1;
  order_.ctas_ended(group);
  order_.ctas_ended(outer);
  return outer;
}

std::optional<LaunchOrder::Work> GraphLaunches::launch(Grid launching, std::uint64_t stream,
                                                       std::uint64_t handle) {
  using Kind = LaunchOrder::Stream::Kind;
  if (stream != kTail && stream != kFire && stream != kSibling) return std::nullopt;
  const Grid into = stream == kSibling ? order_.outer_group(launching) : launching;
  RunningGraph& parent = graphs_.at(into);
  // A graph does not run twice at once. It may launch itself to follow itself, once at a time.
  const bool itself = stream == kTail && parent.handle == handle;
  const auto running = running_.find(handle);
  const bool runs = running != running_.end() && running->second > (itself ? 1U : 0U);
  const bool full = stream == kTail ? parent.tails >= kMaxTails : parent.fired >= kMaxFired;
  if (runs || full || waiting_.contains(handle)) return std::nullopt;
  if (stream == kTail) {
    ++parent.tails;
    waiting_[handle] = into;
  } else {
    ++parent.fired;
    ++running_[handle];
  }
  return order_.add(into, 0, {stream == kTail ? Kind::tail : Kind::alone, 0});
}

GraphLaunches::Grid GraphLaunches::begin(LaunchOrder::Work launch, std::uint64_t handle) {
  const Grid group = kGroups | ++last_group_;
  if (const auto waited = waiting_.find(handle); waited != waiting_.end()) {
    if (--graphs_.at(waited->second).tails == 0) graphs_.erase(waited->second);
    waiting_.erase(waited);
    ++running_[handle];
  }
  order_.begin_group(launch, group);
  graphs_[group] = {handle};
  return group;
}

void GraphLaunches::note_ended() {
  for (const Grid group : order_.take_ended_groups()) {
    const std::uint64_t handle = graphs_.at(group).handle;
    if (handle && --running_.at(handle) == 0) running_.erase(handle);
    if (graphs_.at(group).tails == 0) graphs_.erase(group);
  }
}

void GraphLaunches::save(DeviceRuntimeState& state) const {
  for (const auto& [group, graph] : graphs_)
    if (group & kByHost && group & 1)
      state.graphs.push_back(
          {launch_of_host(group), graph.handle, graph.fired, graphs_.at(group - 1).fired});
}

std::uint64_t GraphLaunches::followed_by(std::uint64_t handle) const {
  return launch_of_host(waiting_.at(handle));
}

void GraphLaunches::restore(const DeviceRuntimeState& state) {
  for (const DeviceRuntimeState::Graph& graph : state.graphs) {
    const Grid group = group_of_host(graph.launch, graph.handle);
    graphs_.at(group).fired = graph.fired;
    graphs_.at(group - 1).fired = graph.fired_beside;
  }
}

LaunchOrder::Work GraphLaunches::restore_tail(const DeviceRuntimeState::TailLaunch& tail) {
  const Grid group = group_of_host(tail.after, 0);
  ++graphs_.at(group).tails;
  waiting_[tail.handle] = group;
  return order_.add(group, 0, {LaunchOrder::Stream::Kind::tail, 0});
}

}  // namespace heddle::gpu
