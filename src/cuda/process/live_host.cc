#include "cuda/process/live_host.h"

#include <cstring>
#include <mutex>

#include "cuda/process/api_call.h"

namespace heddle::cuda {
namespace {

// Nodes of a conditional node's body follow it, whatever stream the graph was launched in.
constexpr std::uintptr_t kNoStream = ~std::uintptr_t{0};

}  // namespace

gpu::Device& LiveHost::device() { return session_.device(); }
gpu::DeviceLimits LiveHost::limits() const { return session_.launches.settings.device_limits(); }

void LiveHost::begin_on_device(Id, const gpu::LaunchRequest* launch,
                               const std::function<void()>& begin) {
  session_.begin_on_device(launch, begin);
}

StreamHost::Ran LiveHost::run(Id, const Operation& operation) {
  if (operation.host) call_host_function(operation.host);
  session_.streams.copied.reset();
  const cudaError_t error = operation.run ? operation.run(session_) : cudaSuccess;
  return {error, session_.streams.copied};
}

// The session's lock is released meanwhile: the program may use other threads in a host function.
// On a GPU a thread of the driver calls it.
void LiveHost::call_host_function(const std::function<void()>& function) {
  CallingThread& thread = calling_thread();
  const CallingThread before = thread;
  StreamObserver& observer = session_.streams.executor().observer();
  observer.host_function_begins();
  thread = {};
  thread.in_host_function = true;
  session_.calls.mutex.unlock();
  function();
  session_.calls.mutex.lock();
  thread = before;
  host_function_ended_.notify_all();
  observer.host_function_ended();
}

bool LiveHost::wait_for_host_function() {
  if (calling_thread().in_host_function) return false;
  std::unique_lock lock(session_.calls.mutex, std::adopt_lock);
  host_function_ended_.wait(lock);
  lock.release();
  return true;
}

void LiveHost::advance_device() { session_.advance_device(); }
cudaError_t LiveHost::fault() const { return session_.faults().error(); }

bool LiveHost::is_conditional(Id, const Operation& operation) {
  return operation.branches != nullptr;
}

// A while node selects a body until its condition is 0, the others once.
StreamHost::Id LiveHost::issue_body(const RunningConditional& node) {
  const Branches& branches = *node.operation.branches;
  if (node.bodies > 0 && (branches.type != cudaGraphCondTypeWhile || node.error != cudaSuccess))
    return 0;
  std::uint32_t value = 0;
  std::memcpy(&value, device().memory().host(Address{branches.address}), sizeof value);
  StreamObserver& observer = session_.streams.executor().observer();
  observer.branch_begins(node.id, Address{branches.address}, value);
  const std::size_t chosen = branches.type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
  const StreamWork::Place body{kNoStream, false, node.place.priority, StreamWork::kNoQueue};
  const Id end = chosen < branches.bodies.size()
                     ? session_.streams.add_nodes(body, branches.bodies[chosen]->order(), {},
                                                  node.operation.graph)
                     : 0;
  observer.branch_issued();
  return end;
}

}  // namespace heddle::cuda
