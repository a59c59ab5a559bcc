#include "cuda/objects/stream_executor.h"

#include <utility>

namespace heddle::cuda {
namespace {

class DeviceScope {
 public:
  explicit DeviceScope(StreamObserver& observer) : observer_(observer) {
    observer_.device_begins();
  }
  ~DeviceScope() { observer_.device_ended(); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  StreamObserver& observer_;
};

void keep_first(cudaError_t& first, cudaError_t error) {
  if (first == cudaSuccess) first = error;
}

}  // namespace

StreamExecutor::Id StreamExecutor::issue(const StreamWork::Place& place, const Operation& operation,
                                         const std::vector<Id>& after) {
  const Id id = work_.add(place, operation, after);
  observer_->issued({id, place, operation, after});
  return id;
}

StreamExecutor::Id StreamExecutor::issue_beside(const StreamWork::Place& place,
                                                const Operation& operation,
                                                const std::vector<Id>& after) {
  const Id id = work_.add_beside(place, operation, after);
  observer_->issued({id, place, operation, after, true});
  return id;
}

void StreamExecutor::wait_in_stream(const StreamWork::Place& place, Id id) {
  const Operation waits;
  const std::vector<Id> after{id};
  const Id added = work_.finished(id) ? 0 : work_.add(place, waits, after);
  observer_->issued({added, place, waits, after, false, true});
}

StreamExecutor::Step StreamExecutor::step(Wait& wait) {
  while (!wait.conditionals.empty()) {
    RunningConditional& node = wait.conditionals.back();
    if (node.body_end != 0 && !work_.finished(node.body_end)) break;
    node.body_end = host_.issue_body(node);
    ++node.bodies;
    if (node.body_end == 0) end_conditional(wait);
  }
  if (wait.conditionals.empty() && work_.finished(wait.id)) return Step::done;
  if (const Id next = work_.start_next(kernels_.has_room(host_.device()))) {
    start(next, wait);
    return Step::started;
  }
  return kernels_.empty() && copies_.empty() ? Step::stuck : Step::device;
}

void StreamExecutor::start(Id id, Wait& wait) {
  // The item may be dropped while a host function runs.
  const Operation operation = std::move(work_.item(id).operation);
  const StreamWork::Place place = work_.item(id).place;
  wait.last = cudaSuccess;
  if (operation.launch)
    return begin_on_device(id, operation.launch.get(), [&] {
      kernels_.begin(host_.device(), host_.limits(), id, *operation.launch, place.priority);
    });
  if (operation.graph_end)
    return begin_on_device(id, nullptr, [&] {
      kernels_.end_graph(host_.device(), id, operation.graph_end, host_.program());
    });
  observer_->operation_begins(id);
  if (host_.is_conditional(id, operation)) {
    wait.conditionals.push_back({id, operation, place});
    return;
  }
  const StreamHost::Ran ran = host_.run(id, operation);
  observer_->operation_ended(ran.copy);
  if (!ran.copy || !copies_.begin(host_.device(), id, *ran.copy)) finish(id);
  wait.last = ran.error;
  keep_first(wait.conditionals.empty() ? wait.error : wait.conditionals.back().error, ran.error);
}

// The first error of its bodies is the node's.
void StreamExecutor::end_conditional(Wait& wait) {
  const RunningConditional node = std::move(wait.conditionals.back());
  wait.conditionals.pop_back();
  observer_->operation_ended({});
  finish(node.id);
  keep_first(wait.conditionals.empty() ? wait.error : wait.conditionals.back().error, node.error);
}

void StreamExecutor::abandon(Wait& wait) {
  while (!wait.conditionals.empty()) end_conditional(wait);
}

// All work may have been dropped meanwhile.
void StreamExecutor::finish(Id id) {
  if (!work_.finished(id)) work_.finish(id);
}

void StreamExecutor::begin_on_device(Id id, const gpu::LaunchRequest* launch,
                                     const std::function<void()>& begin) {
  const DeviceScope scope(*observer_);
  host_.begin_on_device(id, launch, begin);
}

std::vector<std::uint64_t> StreamExecutor::advance_device() {
  const DeviceScope scope(*observer_);
  gpu::Device::Finished finished = host_.device().advance();
  for (const std::uint64_t copy : finished.copies) copy_finished(copy);
  for (const std::uint64_t launch : finished.launches) launch_finished(launch);
  return std::move(finished.launches);
}

void StreamExecutor::drop_running() {
  kernels_.clear();
  copies_.clear();
}

}  // namespace heddle::cuda
