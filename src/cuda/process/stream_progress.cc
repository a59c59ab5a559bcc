#include "cuda/process/stream_progress.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "cuda/objects/handles.h"

namespace heddle::cuda {
namespace {

// Nodes of a conditional node's body follow it, whatever stream the graph was launched in.
constexpr std::uintptr_t kNoStream = ~std::uintptr_t{0};

// The session's lock is released meanwhile: the program may use other threads in a host function.
// On a GPU a thread of the driver calls it.
void call_host_function(Session& session, const std::function<void()>& host) {
  CallingThread& thread = calling_thread();
  const CallingThread before = thread;
  thread = {};
  thread.in_host_function = true;
  session.mutex.unlock();
  host();
  session.mutex.lock();
  thread = before;
  session.host_function_ended.notify_all();
}

void wait_for_host_function(Session& session) {
  std::unique_lock lock(session.mutex, std::adopt_lock);
  session.host_function_ended.wait(lock);
  lock.release();
}

cudaError_t run_until(Session& session, StreamWork::Id id);

// Issues the body that the node's condition selects, and returns its end; 0: none is selected.
StreamWork::Id issue_body(Session& session, StreamWork::Id node, const Branches& branches,
                          const StreamWork::Place& place, const GraphLaunch& graph) {
  std::uint32_t value = 0;
  std::memcpy(&value, session.device().memory().host(Address{branches.address}), sizeof value);
  Recorder* const recorder = session.recorder();
  if (recorder) recorder->takes_branch(node, Address{branches.address}, value);
  const std::size_t chosen = branches.type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
  const StreamWork::Place body{kNoStream, false, place.priority, StreamWork::kNoQueue};
  const StreamWork::Id end =
      chosen < branches.bodies.size()
          ? add_nodes(session, body, branches.bodies[chosen]->order(), {}, graph)
          : 0;
  if (recorder) recorder->branch_taken();
  return end;
}

// Runs the body that the node's condition selects; of a while node, again until none is selected.
cudaError_t run_branches(Session& session, StreamWork::Id node, const Branches& branches,
                         const StreamWork::Place& place, const GraphLaunch& graph) {
  for (;;) {
    const StreamWork::Id end = issue_body(session, node, branches, place, graph);
    if (end == 0) return cudaSuccess;
    const cudaError_t error = run_until(session, end);
    if (error != cudaSuccess || branches.type != cudaGraphCondTypeWhile) return error;
  }
}

cudaError_t start(Session& session, StreamWork::Id id) {
  // The item may be dropped while the lock is released.
  const Operation operation = std::move(session.work.item(id).operation);
  const StreamWork::Place place = session.work.item(id).place;
  if (operation.launch) {
    session.begin_kernel(id, *operation.launch, place.priority);
    return cudaSuccess;
  }
  if (operation.graph_end) {
    session.end_graph(id, operation.graph_end);
    return cudaSuccess;
  }
  cudaError_t error = cudaSuccess;
  Recorder* const recorder = session.recorder();
  if (recorder) recorder->operation_begins(id);
  if (operation.host) {
    if (recorder) recorder->host_function_begins();
    call_host_function(session, operation.host);
    if (recorder) recorder->host_function_ended();
  }
  if (operation.branches)
    error = run_branches(session, id, *operation.branches, place, operation.graph);
  session.transfer.reset();
  if (operation.run) error = operation.run(session);
  if (recorder) recorder->operation_ended(session.transfer);
  if (session.transfer && session.copies.begin(session.device(), id, *session.transfer))
    return error;  // it finishes later
  if (!session.work.finished(id)) session.work.finish(id);
  return error;
}

// Runs what is ready, oldest first, until the operation has finished.
cudaError_t run_until(Session& session, StreamWork::Id id) {
  cudaError_t first = cudaSuccess;
  while (!session.work.finished(id)) {
    if (const auto next = session.work.start_next(session.kernels.has_room(session.device()))) {
      const cudaError_t error = start(session, next);
      if (first == cudaSuccess) first = error;
      if (error == cudaErrorNotPermitted) break;
    } else if (!session.kernels.empty() || !session.copies.empty()) {
      session.advance_device();
    } else if (calling_thread().in_host_function) {  // which ends the program
      return cudaErrorNotPermitted;
    } else {
      wait_for_host_function(session);
    }
    if (session.faulted()) {
      session.work.drop_all();
      return session.fault();
    }
  }
  return first;
}

// Records that the host waits while `run` runs.
template <class Run>
cudaError_t wait_recorded(Session& session, const HostWaits& wait, Run&& run) {
  Recorder* const recorder = session.recorder();
  if (!recorder) return run();
  recorder->waits(wait, session.work, session.settings.device_limits(),
                  session.streams.may_overlap());
  const cudaError_t error = run();
  recorder->waited();
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

StreamWork::Id issue_beside(Session& session, const StreamWork::Place& place,
                            const Operation& operation, const std::vector<StreamWork::Id>& after) {
  const StreamWork::Id id = session.work.add_beside(place, operation, after);
  if (Recorder* const recorder = session.recorder())
    recorder->issues(id, place, operation, after, true);
  return id;
}

}  // namespace

StreamWork::Id issue(Session& session, const StreamWork::Place& place, const Operation& operation,
                     const std::vector<StreamWork::Id>& after) {
  const StreamWork::Id id = session.work.add(place, operation, after);
  if (Recorder* const recorder = session.recorder())
    recorder->issues(id, place, operation, after, false);
  return id;
}

void wait_in_stream(Session& session, cudaStream_t stream, StreamWork::Id id) {
  const StreamWork::Place place = place_of(session, stream);
  const StreamWork::Id added = session.work.finished(id) ? 0 : session.work.add(place, {}, {id});
  if (Recorder* const recorder = session.recorder())
    recorder->issues(added, place, {}, {id}, false, true);
}

cudaError_t wait_for(Session& session, StreamWork::Id id) {
  return wait_recorded(session, {HostWaits::For::operation, id, {}},
                       [&] { return run_until(session, id); });
}

cudaError_t wait_for_stream(Session& session, cudaStream_t stream) {
  const StreamWork::Place place = place_of(session, stream);
  const IssuePlace recorded{place.stream, place.blocking, place.priority, place.number};
  return wait_recorded(session, {HostWaits::For::stream, 0, recorded}, [&] {
    const StreamWork::Id last = session.work.wait_target(place);
    return last ? run_until(session, last) : cudaSuccess;
  });
}

cudaError_t wait_for_all(Session& session) {
  return wait_recorded(session, {HostWaits::For::all, 0, {}}, [&] {
    cudaError_t first = cudaSuccess;
    while (!session.work.empty()) {
      const cudaError_t error = run_until(session, session.work.oldest());
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
      id = issue_beside(session, place, {}, needs);
    } else if (operation.child) {
      id = add_nodes(session, place, operation.child->order(), needs, graph);
    } else {
      Event* const event = operation.event ? session.events.find(operation.event) : nullptr;
      if (event && operation.type == cudaGraphNodeTypeWaitEvent) needs.push_back(event->record);
      id = graph.number ? issue_beside(session, place, of_graph(operation, graph), needs)
                        : issue_beside(session, place, operation, needs);
      if (event && operation.type == cudaGraphNodeTypeEventRecord) event->record = id;
    }
    added[node] = id;
    all.push_back(id);
  }
  return issue_beside(session, place, {}, all);
}

}  // namespace heddle::cuda
