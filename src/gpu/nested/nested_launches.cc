#include "gpu/nested/nested_launches.h"

#include <array>

#include "exec/check/checker.h"
#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"

namespace heddle::gpu {

namespace {

// A dim3 argument.
Dim3 extent_of(const exec::DeviceCall& call, std::size_t argument) {
  const auto d = call.argument<std::array<std::uint32_t, 3>>(argument);
  return {d[0], d[1], d[2]};
}

}  // namespace

NestedLaunches::NestedLaunches(NestedHost& host, exec::GlobalMemory& memory,
                               exec::DeviceServices& services, exec::Checker* checker,
                               std::uint32_t program, std::uint32_t latency_cycles)
    : checker_(checker),
      number_(program),
      latency_(latency_cycles),
      errors_(memory),
      streams_(order_, errors_),
      copies_(memory, checker),
      queries_(program_, host, services.heap, errors_),
      buffers_(memory),
      graphs_(order_, program),
      calls_(order_, *this),
      runs_(host, order_, graphs_, copies_, errors_, calls_) {}

DeviceRuntimeState NestedLaunches::state() const {
  DeviceRuntimeState state;
  buffers_.save(state);
  streams_.save(state);
  errors_.save(state);
  runs_.save(state);
  return state;
}

bool NestedLaunches::restore(const DeviceRuntimeState& state) {
  streams_.restore(state);
  errors_.restore(state);
  return buffers_.restore(state) && runs_.restore(state, program_);
}

void NestedLaunches::begin_root(std::uint64_t launch, const LaunchRequest& request, int priority,
                                bool timed) {
  runs_.begin_root(launch, {timed, priority});
  if (request.graph_launch)
    order_.begin_root_in(graphs_.group_of_host(request.graph_launch, request.graph), launch);
  else
    order_.begin_root(launch);
}

std::uint64_t NestedLaunches::end_graph(std::uint64_t graph_launch) {
  const std::uint64_t outer = graphs_.end_of_host(graph_launch);
  runs_.start_ready();
  return outer;
}

void NestedLaunches::cta_ended() {
  if (runs_.depth() == 0) runs_.run_ready();
}

std::optional<std::uint64_t> NestedLaunches::call(const Call& c) {
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
      const ParameterBuffers::Shape* const shape = buffers_.find(buffer);
      return launch(c, buffer, shape ? *shape : ParameterBuffers::Shape{},
                    c.argument<std::uint64_t>(1));
    }
    case Function::launch_graph: return launch_graph(c);
    case Function::device_synchronize: return synchronize(c);
    case Function::stream_create: return streams_.create_stream(c);
    case Function::stream_destroy: return streams_.destroy_stream(c);
    case Function::event_create: return streams_.create_event(c);
    case Function::event_destroy: return streams_.destroy_event(c);
    case Function::event_record:
    case Function::stream_wait_event: {
      const bool record = c.function->call == Function::event_record;
      const auto error = record ? streams_.record_event(c) : streams_.wait_for_event(c);
      if (error == cuda_error::kNone) runs_.start_ready();
      return error;
    }
    case Function::copy:
    case Function::copy_2d:
    case Function::copy_3d: return transfer(c, copy_of(c));
    case Function::fill:
    case Function::fill_2d:
    case Function::fill_3d: return transfer(c, fill_of(c));
    case Function::allocate: return queries_.allocate(c);
    case Function::free: return queries_.free(c);
    case Function::get_last_error: return errors_.last(c, CallErrors::Then::reset);
    case Function::peek_last_error: return errors_.last(c, CallErrors::Then::keep);
    case Function::error_string: return text_of_error(c, false);
    case Function::error_name: return text_of_error(c, true);
    case Function::function_attributes:
    case Function::occupancy: return queries_.query_kernel(c);
    default: return queries_.query(c);
  }
}

std::uint64_t NestedLaunches::text_of_error(const Call& c, bool name) {
  const int error = c.argument<std::int32_t>(0);
  return errors_.address_of_text(error, name, program_.error_text(error, name));
}

std::uint64_t NestedLaunches::get_buffer_of_kernel(const Call& c) {
  const ParameterBuffers::Shape shape{c.argument<std::uint64_t>(0), extent_of(c, 1),
                                      extent_of(c, 2), c.argument<std::uint32_t>(3)};
  const isa::Kernel* const kernel = program_.kernel_at(*c.launch->kernel, shape.function);
  if (!kernel) return errors_.answer(c, cuda_error::kInvalidDeviceFunction), 0;
  return get_buffer(c, kernel->parameter_bytes, shape);
}

// The address of memory for the parameters of a launch; 0 when too many launches are pending.
std::uint64_t NestedLaunches::get_buffer(const Call& c, std::uint64_t bytes,
                                         const ParameterBuffers::Shape& shape) {
  const bool timed = runs_.is_timed(c.launch->grid_id);
  if (!timed && at_limit() && runs_.depth() < static_cast<int>(kMaxDepth)) run_ready();
  if (at_limit()) return errors_.answer(c, cuda_error::kPendingLaunchesExceeded), 0;
  const std::uint64_t address = buffers_.allocate(bytes, shape);
  if (address == 0) return errors_.answer(c, cuda_error::kMemoryAllocation), 0;
  if (checker_) checker_->forget_accesses(Address{address}, bytes);
  return address;
}

// As its parent, but for what it launches.
NestedLaunch NestedLaunches::launch_by(const Call& c) const {
  const NestedRuns::Grid& grid = runs_.grid(c.launch->grid_id);
  return {{}, 0, c.launch->grid_id, grid.priority, grid.timed, Cycle{c.cycle + latency_}};
}

std::uint64_t NestedLaunches::launch(const Call& c, std::uint64_t buffer,
                                     const ParameterBuffers::Shape& shape, std::uint64_t handle) {
  if (!buffers_.find(buffer)) return errors_.answer(c, cuda_error::kInvalidValue);
  NestedLaunch launch = launch_by(c);
  LaunchRequest& request = launch.request;
  request.program = number_;
  request.kernel = program_.kernel_at(*c.launch->kernel, shape.function);
  request.grid = shape.grid;
  request.block = shape.block;
  request.dynamic_shared_bytes = shape.shared_bytes;
  if (request.kernel) request.parameters = buffers_.read(buffer, request.kernel->parameter_bytes);
  buffers_.free(buffer);
  if (!request.kernel) return errors_.answer(c, cuda_error::kInvalidDeviceFunction);
  const auto stream = streams_.stream_of(c, handle);
  if (!stream) return errors_.answer(c, cuda_error::kInvalidHandle);
  if (order_.depth(c.launch->grid_id) >= kMaxDepth)
    return errors_.answer(c, cuda_error::kMaxDepthExceeded);
  if (const int error = program_.check(request); error != cuda_error::kNone)
    return errors_.answer(c, error);
  runs_.add(order_.add(c.launch->grid_id, c.cta, *stream), {std::move(launch), {}, {}});
  runs_.start_ready();
  return cuda_error::kNone;
}

std::uint64_t NestedLaunches::launch_graph(const Call& c) {
  const auto launching = order_.group_of(c.launch->grid_id);
  auto graph = program_.graph_at ? program_.graph_at(c.argument<std::uint64_t>(0)) : nullptr;
  // Only a kernel that is a node of a graph may launch one, and only one that was uploaded.
  if (!launching || !graph) return errors_.answer(c, cuda_error::kInvalidValue);
  const auto work = graphs_.launch(*launching, c.argument<std::uint64_t>(1), graph->handle);
  if (!work) return errors_.answer(c, cuda_error::kInvalidValue);
  runs_.add(*work, {launch_by(c), {}, std::move(graph)});
  runs_.start_ready();
  return cuda_error::kNone;
}

std::uint64_t NestedLaunches::transfer(const Call& c, const StreamedBox& copy) {
  if (!copy.valid) return errors_.answer(c, cuda_error::kInvalidValue);
  const auto stream = streams_.stream_of(c, copy.stream);
  if (!stream) return errors_.answer(c, cuda_error::kInvalidHandle);
  if (!copies_.valid(copy.box)) return errors_.answer(c, cuda_error::kInvalidValue);
  runs_.add(order_.add(c.launch->grid_id, c.cta, *stream),
            {{}, [this, box = copy.box] { copies_.perform(box); }, {}});
  runs_.start_ready();
  return cuda_error::kNone;
}

// All threads of the CTA share what they have launched.
std::optional<std::uint64_t> NestedLaunches::synchronize(const Call& c) {
  const std::uint64_t grid = c.launch->grid_id;
  if (order_.depth(grid) >= limits_.sync_depth)
    return errors_.answer(c, cuda_error::kSyncDepthExceeded);
  if (order_.is_idle(grid, c.cta)) return std::uint64_t{cuda_error::kNone};
  if (runs_.is_timed(grid)) return std::nullopt;
  while (!order_.is_idle(grid, c.cta))
    if (!runs_.run_one_for(grid, c.cta)) c.fault("waits for launches that never run");
  return std::uint64_t{cuda_error::kNone};
}

}  // namespace heddle::gpu
