// Launches: parameter buffers, streams, waiting, and when launches begin.
#include "gpu/nested/nested_launches.h"

#include <algorithm>
#include <cstring>

#include "base/diagnostics.h"
#include "exec/check/checker.h"
#include "exec/isa/device_calls.h"
#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"

namespace heddle::gpu {

namespace {

// Memory for the parameters of launches that have not been made yet.
constexpr std::uint64_t kParameterMemoryBytes = std::uint64_t{16} << 20;

// Values of cudaStream_t in device code.
constexpr std::uint64_t kBlockStream = 0, kLegacyStream = 1, kThreadStream = 2, kTailLaunch = 3,
                        kFireAndForget = 4;

// A dim3 argument.
Dim3 extent_of(const exec::DeviceCall& call, std::size_t argument) {
  const auto d = call.argument<std::array<std::uint32_t, 3>>(argument);
  return {d[0], d[1], d[2]};
}

}  // namespace

NestedLaunches::Grid& NestedLaunches::grid_of(const Call& call) {
  return grids_.at(call.launch->grid_id);
}

// Errors are kept for each thread (cudaGetLastError).
std::uint64_t NestedLaunches::answer(const Call& call, int error) {
  if (error != cuda_error::kNone) grid_of(call).errors[{call.cta, call.thread}] = error;
  return static_cast<std::uint64_t>(error);
}

void NestedLaunches::begin_root(std::uint64_t launch, const LaunchRequest& request, int priority,
                                bool timed) {
  grids_[launch] = {timed, priority, {}};
  if (request.graph_launch)
    order_.begin_root_in(group_of_host(request.graph_launch, request.graph), launch);
  else
    order_.begin_root(launch);
}

void NestedLaunches::ctas_ended(std::uint64_t launch) {
  grids_.erase(launch);
  begun_.erase(launch);
  order_.ctas_ended(launch);
  start_ready();
}

NestedLaunches::Result NestedLaunches::call(const Call& c) {
  using Function = ptx::RuntimeCall;
  switch (c.function->call) {
    case Function::get_parameter_buffer: return get_buffer(c, c.argument<std::uint64_t>(1), {});
    case Function::get_parameter_buffer_v2: return get_buffer_of_kernel(c);
    case Function::launch_device:
      return launch(c, c.argument<std::uint64_t>(1),
                    {c.argument<std::uint64_t>(0), extent_of(c, 2), extent_of(c, 3),
                     c.argument<std::uint32_t>(4)},
                    c.argument<std::uint64_t>(5));
    case Function::launch_device_v2: {
      const auto buffer = c.argument<std::uint64_t>(0);
      const auto found = buffers_.find(buffer);
      return launch(c, buffer, found == buffers_.end() ? Buffer{} : found->second,
                    c.argument<std::uint64_t>(1));
    }
    case Function::launch_graph: return launch_graph(c);
    case Function::device_synchronize: return synchronize(c);
    case Function::stream_create: return create_stream(c);
    case Function::stream_destroy: return destroy_stream(c);
    case Function::stream_wait_event: return wait_for_event(c);
    case Function::event_create: return create_event(c);
    case Function::event_record: return record_event(c);
    case Function::event_destroy: return destroy_event(c);
    case Function::copy:
    case Function::copy_2d:
    case Function::copy_3d: return copy(c);
    case Function::fill:
    case Function::fill_2d:
    case Function::fill_3d: return fill(c);
    case Function::allocate: return allocate(c);
    case Function::free: return free(c);
    case Function::get_last_error: return last_error(c, true);
    case Function::peek_last_error: return last_error(c, false);
    case Function::error_string: return text_of_error(c, false);
    case Function::error_name: return text_of_error(c, true);
    case Function::function_attributes:
    case Function::occupancy: return query_kernel(c);
    default: return query(c);
  }
}

std::uint64_t NestedLaunches::get_buffer_of_kernel(const Call& c) {
  const Buffer buffer{c.argument<std::uint64_t>(0), extent_of(c, 1), extent_of(c, 2),
                      c.argument<std::uint32_t>(3)};
  const ptx::Kernel* const kernel = program_.kernel_at(*c.launch->kernel, buffer.function);
  if (!kernel) return answer(c, cuda_error::kInvalidDeviceFunction), 0;
  return get_buffer(c, kernel->parameter_bytes, buffer);
}

// The address of memory for the parameters of a launch; 0 when too many launches are pending.
std::uint64_t NestedLaunches::get_buffer(const Call& c, std::uint64_t bytes, const Buffer& buffer) {
  if (!parameters_.exists()) {
    const Address base = memory_.allocate(kParameterMemoryBytes, "parameters of nested launches");
    if (base != Address{0}) parameters_.begin(base.value, kParameterMemoryBytes);
  }
  if (!is_timed(c) && at_limit() && nested_runs_ < static_cast<int>(kMaxDepth)) run_ready();
  if (at_limit()) return answer(c, cuda_error::kPendingLaunchesExceeded), 0;
  const std::uint64_t address = parameters_.allocate(std::max<std::uint64_t>(bytes, 1));
  if (address == 0) return answer(c, cuda_error::kMemoryAllocation), 0;
  buffers_[address] = buffer;
  if (checker_) checker_->forget_accesses(Address{address}, bytes);
  return address;
}

std::uint64_t NestedLaunches::launch(const Call& c, std::uint64_t buffer, Buffer shape,
                                     std::uint64_t handle) {
  const auto held = buffers_.find(buffer);
  if (held == buffers_.end()) return answer(c, cuda_error::kInvalidValue);
  Pending pending;
  LaunchRequest& request = pending.launch.request;
  request.program = number_;
  request.kernel = program_.kernel_at(*c.launch->kernel, shape.function);
  request.grid = shape.grid;
  request.block = shape.block;
  request.dynamic_shared_bytes = shape.shared_bytes;
  if (request.kernel) {
    const auto* const first = memory_.host(Address{buffer});
    request.parameters.assign(first, first + request.kernel->parameter_bytes);
  }
  buffers_.erase(held);
  parameters_.free(buffer);
  if (!request.kernel) return answer(c, cuda_error::kInvalidDeviceFunction);
  const auto stream = stream_of(c, handle);
  if (!stream) return answer(c, cuda_error::kInvalidHandle);
  if (order_.depth(c.launch->grid_id) >= kMaxDepth) return answer(c, cuda_error::kMaxDepthExceeded);
  if (const int error = program_.check(request); error != cuda_error::kNone)
    return answer(c, error);
  pending.launch.parent = c.launch->grid_id;
  pending.launch.priority = grid_of(c).priority;
  pending.launch.timed = grid_of(c).timed;
  pending.launch.earliest = Cycle{c.cycle + latency_};
  add(c, *stream, std::move(pending));
  return cuda_error::kNone;
}

std::optional<LaunchOrder::Stream> NestedLaunches::stream_of(const Call& c,
                                                             std::uint64_t handle) const {
  using Kind = LaunchOrder::Stream::Kind;
  if (handle == kBlockStream && c.function->per_thread_stream) handle = kThreadStream;
  switch (handle) {
    case kBlockStream:
    case kLegacyStream: return LaunchOrder::Stream{Kind::cta, c.cta};
    case kThreadStream:
      return LaunchOrder::Stream{Kind::thread, c.cta * c.launch->block.count() + c.thread};
    case kTailLaunch: return LaunchOrder::Stream{Kind::tail, 0};
    case kFireAndForget: return LaunchOrder::Stream{Kind::alone, 0};
    default: break;
  }
  const auto found = streams_.find(handle);
  if (found == streams_.end() || found->second != c.launch->grid_id) return std::nullopt;
  return LaunchOrder::Stream{Kind::named, handle};
}

void NestedLaunches::add(const Call& c, LaunchOrder::Stream stream, Pending pending) {
  const Work work = order_.add(c.launch->grid_id, c.cta, stream);
  pending_.emplace(work, std::move(pending));
  start_ready();
}

// All threads of the CTA share what they have launched.
NestedLaunches::Result NestedLaunches::synchronize(const Call& c) {
  const std::uint64_t grid = c.launch->grid_id;
  if (order_.depth(grid) >= limits_.sync_depth) return answer(c, cuda_error::kSyncDepthExceeded);
  if (order_.is_idle(grid, c.cta)) return std::uint64_t{cuda_error::kNone};
  if (is_timed(c)) return std::nullopt;
  while (!order_.is_idle(grid, c.cta)) {
    auto next = std::find_if(untimed_.begin(), untimed_.end(),
                             [&](Work work) { return order_.descends(work, grid, c.cta); });
    if (next == untimed_.end()) next = untimed_.begin();  // another CTA's event
    if (next == untimed_.end()) c.fault("waits for launches that never run");
    const Work work = *next;
    untimed_.erase(next);
    run_untimed(work);
  }
  return std::uint64_t{cuda_error::kNone};
}

// Begins what the order allows to begin.
void NestedLaunches::start_ready() {
  note_ended_graphs();
  for (auto ready = order_.take_ready(); !ready.empty(); ready = order_.take_ready()) {
    for (const Work work : ready) {
      const auto found = pending_.find(work);
      if (found->second.graph) {
        const Pending pending = std::move(found->second);
        pending_.erase(found);
        begin_graph(work, pending);
        continue;
      }
      if (found->second.act) {
        found->second.act();
        pending_.erase(found);
        order_.finish(work);
        continue;
      }
      if (!timing_ || !found->second.launch.timed) {
        untimed_.push_back(work);
        continue;
      }
      NestedLaunch begins = std::move(found->second.launch);
      pending_.erase(found);
      const auto number = host_.next_launch();
      begins.number = number;
      order_.begin(work, number);
      grids_[number] = {true, begins.priority, {}};
      host_.begin_timed(begins);
      begun_[number] = {work, std::move(begins)};
    }
    note_ended_graphs();
  }
  release_waiting();
}

void NestedLaunches::run_untimed(Work work) {
  NestedLaunch launch = std::move(pending_.at(work).launch);
  pending_.erase(work);
  if (launch.number == 0) {
    launch.number = host_.next_launch();
    order_.begin(work, launch.number);
  }
  grids_[launch.number] = {false, launch.priority, {}};
  ++nested_runs_;
  host_.run_untimed(launch);
  --nested_runs_;
  ctas_ended(launch.number);
}

void NestedLaunches::run_ready() {
  while (!untimed_.empty()) {
    const Work work = untimed_.front();
    untimed_.pop_front();
    run_untimed(work);
  }
}

void NestedLaunches::cta_ended() {
  if (nested_runs_ == 0) run_ready();
}

void NestedLaunches::stop_timing(const std::vector<std::uint64_t>& unstarted) {
  timing_ = false;
  waiting_.clear();
  for (const std::uint64_t number : unstarted) {
    const auto begun = begun_.find(number);
    pending_[begun->second.first].launch = begun->second.second;
    untimed_.push_back(begun->second.first);
    begun_.erase(begun);
  }
}

// By cycle, then SM, then issue.
void NestedLaunches::serve_calls() {
  std::vector<exec::Warp*> calls = std::exchange(calls_, {});
  const auto sm_of = [](const exec::Warp& w) { return w.machine->view.sm; };
  std::stable_sort(calls.begin(), calls.end(), [&](const exec::Warp* a, const exec::Warp* b) {
    return std::pair{a->now, sm_of(*a)} < std::pair{b->now, sm_of(*b)};
  });
  for (exec::Warp* const w : calls) {
    if (exec::serve_device_call(*w, *this))
      resumed_.push_back(sm_of(*w));
    else
      waiting_.push_back(w);
  }
  release_waiting();
}

void NestedLaunches::release_waiting() {
  if (waiting_.empty() || !timing_) return;
  std::erase_if(waiting_, [&](exec::Warp* w) {
    if (!order_.is_idle(w->machine->launch.grid_id, w->cta->linear)) return false;
    check_invariant(exec::serve_device_call(*w, *this), "a CTA without pending launches waits");
    resumed_.push_back(w->machine->view.sm);
    return true;
  });
}

}  // namespace heddle::gpu
