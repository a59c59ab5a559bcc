#include "gpu/nested/nested_runs.h"

#include <algorithm>

namespace heddle::gpu {

void NestedRuns::ctas_ended(std::uint64_t launch) {
  grids_.erase(launch);
  errors_.forget(launch);
  begun_.erase(launch);
  order_.ctas_ended(launch);
  start_ready();
}

void NestedRuns::start_ready() {
  graphs_.note_ended();
  for (auto ready = order_.take_ready(); !ready.empty(); ready = order_.take_ready()) {
    for (const Work work : ready) {
      const auto found = pending_.find(work);
      if (found->second.graph) {
        const Pending pending = std::move(found->second);
        pending_.erase(found);
        begin_graph(work, pending);
      } else if (found->second.act) {
        found->second.act();
        pending_.erase(found);
        order_.finish(work);
      } else if (!timing_ || !found->second.launch.timed) {
        untimed_.push_back(work);
      } else {
        NestedLaunch launch = std::move(found->second.launch);
        pending_.erase(found);
        begin_timed(work, std::move(launch));
      }
    }
    graphs_.note_ended();
  }
  calls_.release();
}

void NestedRuns::begin_timed(Work work, NestedLaunch launch) {
  const std::uint64_t number = launch.number = host_.next_launch();
  order_.begin(work, number);
  grids_[number] = {true, launch.priority};
  host_.begin_timed(launch);
  begun_[number] = {work, std::move(launch)};
}

// Its nodes become work of a group: each in a stream of its own, where it waits for the nodes that
// it depends on.
void NestedRuns::begin_graph(Work work, const Pending& pending) {
  const LaunchOrder::Grid group = graphs_.begin(work, pending.graph->handle);
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
      one.act = [this, box = node.box] { copies_.perform(box); };
    }
  }
  order_.ctas_ended(group);
}

void NestedRuns::run_untimed(Work work) {
  NestedLaunch launch = std::move(pending_.at(work).launch);
  pending_.erase(work);
  if (launch.number == 0) {
    launch.number = host_.next_launch();
    order_.begin(work, launch.number);
  }
  grids_[launch.number] = {false, launch.priority};
  ++depth_;
  host_.run_untimed(launch);
  --depth_;
  ctas_ended(launch.number);
}

void NestedRuns::run_ready() {
  while (!untimed_.empty()) {
    const Work work = untimed_.front();
    untimed_.pop_front();
    run_untimed(work);
  }
}

bool NestedRuns::run_one_for(std::uint64_t grid, std::uint64_t cta) {
  auto next = std::find_if(untimed_.begin(), untimed_.end(),
                           [&](Work work) { return order_.descends(work, grid, cta); });
  if (next == untimed_.end()) next = untimed_.begin();  // another CTA's event
  if (next == untimed_.end()) return false;
  const Work work = *next;
  untimed_.erase(next);
  run_untimed(work);
  return true;
}

void NestedRuns::stop_timing(const std::vector<std::uint64_t>& unstarted) {
  timing_ = false;
  calls_.stop();
  for (const std::uint64_t number : unstarted) {
    const auto begun = begun_.find(number);
    pending_[begun->second.first].launch = begun->second.second;
    untimed_.push_back(begun->second.first);
    begun_.erase(begun);
  }
}

void NestedRuns::save(DeviceRuntimeState& state) const {
  graphs_.save(state);
  for (const auto& [work, pending] : pending_)
    state.tails.push_back({graphs_.followed_by(pending.graph->handle), pending.graph->handle,
                           pending.launch.parent, pending.launch.priority});
}

// The parents of the tail launches did not run here, so they are not timed.
bool NestedRuns::restore(const DeviceRuntimeState& state, const DeviceCode& program) {
  graphs_.restore(state);
  for (const DeviceRuntimeState::TailLaunch& tail : state.tails) {
    Pending pending;
    pending.graph = program.graph_at ? program.graph_at(tail.handle) : nullptr;
    if (!pending.graph) return false;
    pending.launch.parent = tail.parent;
    pending.launch.priority = tail.priority;
    pending_.emplace(graphs_.restore_tail(tail), std::move(pending));
  }
  return true;
}

}  // namespace heddle::gpu
