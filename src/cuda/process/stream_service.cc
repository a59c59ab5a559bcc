#include "cuda/process/stream_service.h"

#include <map>
#include <utility>

namespace heddle::cuda {

StreamWork::Place StreamService::place_of(cudaStream_t stream) {
  return all.place_of(stream, host_.device().spec().hardware_queues);
}

StreamService::Id StreamService::issue(cudaStream_t stream, const Operation& operation,
                                       const std::vector<Id>& after) {
  return executor_.issue(place_of(stream), operation, after);
}

void StreamService::wait_in_stream(cudaStream_t stream, Id id) {
  executor_.wait_in_stream(place_of(stream), id);
}

cudaError_t StreamService::run_until(Id id) {
  StreamExecutor::Wait wait;
  wait.id = id;
  for (;;) {
    switch (executor_.step(wait)) {
      case StreamExecutor::Step::done: return wait.error;
      case StreamExecutor::Step::started: break;
      case StreamExecutor::Step::device: host_.advance_device(); break;
      case StreamExecutor::Step::stuck:
        if (host_.wait_for_host_function()) break;
        executor_.abandon(wait);
        return cudaErrorNotPermitted;
    }
    const cudaError_t fault = host_.fault();
    if (fault != cudaSuccess) executor_.work().drop_all();
    if (fault != cudaSuccess || wait.last == cudaErrorNotPermitted) {
      executor_.abandon(wait);
      return fault != cudaSuccess ? fault : wait.error;
    }
  }
}

// The observer learns that the host waits while `run` runs.
template <class Run>
cudaError_t StreamService::wait_observed(const HostWait& wait, Run&& run) {
  executor_.observer().wait_begins(wait, executor_.work(), host_.limits(), all.may_overlap());
  const cudaError_t error = run();
  executor_.observer().wait_ended();
  return error;
}

cudaError_t StreamService::wait_for(Id id) {
  return wait_observed({HostWait::For::operation, id, {}}, [&] { return run_until(id); });
}

cudaError_t StreamService::wait_for_stream(cudaStream_t stream) {
  const StreamWork::Place place = place_of(stream);
  return wait_observed({HostWait::For::stream, 0, place},
                       [&] { return run_until(executor_.work().wait_target(place)); });
}

cudaError_t StreamService::wait_for_all() {
  return wait_observed({HostWait::For::all, 0, {}}, [&] {
    cudaError_t first = cudaSuccess;
    while (!idle()) {
      const cudaError_t error = run_until(executor_.work().oldest());
      if (first == cudaSuccess) first = error;
    }
    return first;
  });
}

cudaError_t StreamService::finish_if_at_once(Id id) {
  if (!run_at_once()) return cudaSuccess;
  const cudaError_t error = wait_for(id);
  return host_.fault() == cudaSuccess ? error : cudaSuccess;
}

StreamService::Id StreamService::add_node(const StreamWork::Place& place,
                                          const Operation& operation, std::vector<Id> needs,
                                          const GraphLaunch& graph) {
  Event* const event = operation.event ? events.find(operation.event) : nullptr;
  if (event && operation.type == cudaGraphNodeTypeWaitEvent) needs.push_back(event->record);
  const Id id = graph.number ? executor_.issue_beside(place, in_launch(operation, graph), needs)
                             : executor_.issue_beside(place, operation, needs);
  if (event && operation.type == cudaGraphNodeTypeEventRecord) event->record = id;
  return id;
}

StreamService::Id StreamService::add_nodes(const StreamWork::Place& place,
                                           const std::vector<GraphNode*>& order,
                                           const std::vector<Id>& after, const GraphLaunch& graph) {
  std::map<const GraphNode*, Id> added;
  std::vector<Id> ends = after;
  for (const GraphNode* node : order) {
    std::vector<Id> needs = after;
    for (const GraphNode* dependency : node->dependencies) needs.push_back(added.at(dependency));
    const Operation& operation = node->operation;
    const Id id = !node->enabled    ? executor_.issue_beside(place, {}, needs)
                  : operation.child ? add_nodes(place, operation.child->order(), needs, graph)
                                    : add_node(place, operation, std::move(needs), graph);
    added[node] = id;
    ends.push_back(id);
  }
  return executor_.issue_beside(place, {}, ends);
}

}  // namespace heddle::cuda
