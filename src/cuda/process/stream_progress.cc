#include "cuda/process/stream_progress.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cuda/objects/handles.h"

namespace heddle::cuda {
namespace {

// Runs what is ready, oldest first, until the operation has finished.
cudaError_t run_until(Session& session, StreamWork::Id id) {
  StreamExecutor& executor = session.executor;
  StreamExecutor::Wait wait;
  wait.id = id;
  for (;;) {
    switch (executor.step(wait)) {
      case StreamExecutor::Step::done: return wait.error;
      case StreamExecutor::Step::started: break;
      case StreamExecutor::Step::device: session.advance_device(); break;
      case StreamExecutor::Step::stuck:
        if (calling_thread().in_host_function) {  // which ends the program
          executor.abandon(wait);
          return cudaErrorNotPermitted;
        }
        session.host.wait_for_host_function();
    }
    if (session.faulted()) executor.work().drop_all();
    if (session.faulted() || wait.last == cudaErrorNotPermitted) {
      executor.abandon(wait);
      return session.faulted() ? session.fault() : wait.error;
    }
  }
}

// The observer learns that the host waits while `run` runs.
template <class Run>
cudaError_t wait_observed(Session& session, const HostWait& wait, Run&& run) {
  session.executor.observer().wait_begins(wait, session.executor.work(),
                                          session.settings.device_limits(),
                                          session.streams.may_overlap());
  const cudaError_t error = run();
  session.executor.observer().wait_ended();
  return error;
}

// The operation of a node, when the graph is launched.
Operation of_graph(const Operation& operation, const GraphLaunch& graph) {
  Operation one = operation;
  one.graph = graph;
  if (!one.launch) return one;
  auto request = std::make_shared<gpu::LaunchRequest>(*one.launch);
  request->graph_launch = graph.number;
  request->graph = graph.handle;
  one.launch = std::move(request);
  return one;
}

}  // namespace

StreamWork::Id issue(Session& session, const StreamWork::Place& place, const Operation& operation,
                     const std::vector<StreamWork::Id>& after) {
  return session.executor.issue(place, operation, after);
}

void wait_in_stream(Session& session, cudaStream_t stream, StreamWork::Id id) {
  session.executor.wait_in_stream(place_of(session, stream), id);
}

cudaError_t wait_for(Session& session, StreamWork::Id id) {
  return wait_observed(session, {HostWait::For::operation, id, {}},
                       [&] { return run_until(session, id); });
}

cudaError_t wait_for_stream(Session& session, cudaStream_t stream) {
  const StreamWork::Place place = place_of(session, stream);
  return wait_observed(session, {HostWait::For::stream, 0, place}, [&] {
    return run_until(session, session.executor.work().wait_target(place));
  });
}

cudaError_t wait_for_all(Session& session) {
  return wait_observed(session, {HostWait::For::all, 0, {}}, [&] {
    cudaError_t first = cudaSuccess;
    while (!session.executor.work().empty()) {
      const cudaError_t error = run_until(session, session.executor.work().oldest());
      if (first == cudaSuccess) first = error;
    }
    return first;
  });
}

StreamWork::Place place_of(Session& session, cudaStream_t stream) {
  return session.streams.place_of(stream, session.device().spec().hardware_queues);
}

StreamWork::Id add_nodes(Session& session, const StreamWork::Place& place,
                         const std::vector<GraphNode*>& order,
                         const std::vector<StreamWork::Id>& after, const GraphLaunch& graph) {
  std::map<const GraphNode*, StreamWork::Id> added;
  std::vector<StreamWork::Id> all = after;
  for (const GraphNode* node : order) {
    std::vector<StreamWork::Id> needs = after;
    for (const GraphNode* dependency : node->dependencies) needs.push_back(added.at(dependency));
    const Operation& operation = node->operation;
    StreamWork::Id id = 0;
    if (!node->enabled) {
      id = session.executor.issue_beside(place, {}, needs);
    } else if (operation.child) {
      id = add_nodes(session, place, operation.child->order(), needs, graph);
    } else {
      Event* const event = operation.event ? session.events.find(operation.event) : nullptr;
      if (event && operation.type == cudaGraphNodeTypeWaitEvent) needs.push_back(event->record);
      id = graph.number ? session.executor.issue_beside(place, of_graph(operation, graph), needs)
                        : session.executor.issue_beside(place, operation, needs);
      if (event && operation.type == cudaGraphNodeTypeEventRecord) event->record = id;
    }
    added[node] = id;
    all.push_back(id);
  }
  return session.executor.issue_beside(place, {}, all);
}

}  // namespace heddle::cuda
