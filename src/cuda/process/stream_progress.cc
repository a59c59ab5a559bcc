#include "cuda/process/stream_progress.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "cuda/objects/handles.h"

namespace heddle::cuda {
namespace {

thread_local bool in_host_function = false;

// Nodes of a conditional node's body follow it, whatever stream the graph was launched in.
constexpr std::uintptr_t kNoStream = ~std::uintptr_t{0};

// The session's lock is released meanwhile: the program may use other threads in a host function.
void call_host_function(Session& session, const std::function<void()>& host) {
  session.mutex.unlock();
  in_host_function = true;
  host();
  in_host_function = false;
  session.mutex.lock();
  session.host_function_ended.notify_all();
}

void wait_for_host_function(Session& session) {
  std::unique_lock lock(session.mutex, std::adopt_lock);
  session.host_function_ended.wait(lock);
  lock.release();
}

// Runs the body that the node's condition selects; of a while node, again until none is selected.
cudaError_t run_branches(Session& session, const Branches& branches,
                         const StreamWork::Place& place) {
  for (;;) {
    std::uint32_t value = 0;
    std::memcpy(&value, session.device().memory().host(Address{branches.address}), sizeof value);
    const std::size_t chosen = branches.type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
    if (chosen >= branches.bodies.size()) return cudaSuccess;
    const StreamWork::Place body{kNoStream, false, place.priority, StreamWork::kNoQueue};
    const cudaError_t error =
        wait_for(session, add_nodes(session, body, branches.bodies[chosen]->order()));
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
  cudaError_t error = cudaSuccess;
  if (operation.host) call_host_function(session, operation.host);
  if (operation.branches) error = run_branches(session, *operation.branches, place);
  if (operation.run) error = operation.run(session);
  if (!session.work.finished(id)) session.work.finish(id);
  return error;
}

}  // namespace

cudaError_t wait_for(Session& session, StreamWork::Id id) {
  cudaError_t first = cudaSuccess;
  while (!session.work.finished(id)) {
    if (const auto next = session.work.start_next(session.kernel_may_begin())) {
      const cudaError_t error = start(session, next);
      if (first == cudaSuccess) first = error;
    } else if (session.kernels_run()) {
      session.advance_device();
    } else if (in_host_function) {
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

cudaError_t wait_for_stream(Session& session, cudaStream_t stream) {
  if (session.work.empty()) return cudaSuccess;
  const bool legacy = !session.streams.find(stream);
  return wait_for(session, legacy ? session.work.add(place_of(session, stream), {})
                                  : session.work.last_of(handle_of(stream)));
}

cudaError_t wait_for_all(Session& session) {
  cudaError_t first = cudaSuccess;
  while (!session.work.empty()) {
    const cudaError_t error = wait_for(session, session.work.oldest());
    if (first == cudaSuccess) first = error;
    if (error == cudaErrorNotPermitted) break;
  }
  return first;
}

StreamWork::Place place_of(Session& session, cudaStream_t stream) {
  return session.streams.place_of(stream, session.device().spec().hardware_queues);
}

StreamWork::Id add_nodes(Session& session, const StreamWork::Place& place,
                         const std::vector<GraphNode*>& order,
                         const std::vector<StreamWork::Id>& after) {
  std::map<const GraphNode*, StreamWork::Id> added;
  std::vector<StreamWork::Id> all = after;
  for (const GraphNode* node : order) {
    std::vector<StreamWork::Id> needs = after;
    for (const GraphNode* dependency : node->dependencies) needs.push_back(added.at(dependency));
    const Operation& operation = node->operation;
    StreamWork::Id id = 0;
    if (!node->enabled) {
      id = session.work.add_beside(place, {}, needs);
    } else if (operation.child) {
      id = add_nodes(session, place, operation.child->order(), needs);
    } else {
      Event* const event = operation.event ? session.events.find(operation.event) : nullptr;
      if (event && operation.type == cudaGraphNodeTypeWaitEvent) needs.push_back(event->record);
      id = session.work.add_beside(place, operation, needs);
      if (event && operation.type == cudaGraphNodeTypeEventRecord) event->record = id;
    }
    added[node] = id;
    all.push_back(id);
  }
  return session.work.add_beside(place, {}, all);
}

}  // namespace heddle::cuda
