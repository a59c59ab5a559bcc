#include "gpu/device.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/address_layout.h"
#include "base/demangle.h"
#include "base/diagnostics.h"
#include "exec/check/address_check.h"
#include "exec/check/checker.h"
#include "gpu/active_cycles.h"
#include "gpu/analysed_launches.h"
#include "gpu/cta/catalogue.h"
#include "gpu/engine/engine.h"
#include "gpu/nested/nested_launches.h"
#include "gpu/observe/observation.h"
#include "gpu/share/catalogue.h"
#include "sched/catalogue.h"

namespace heddle::gpu {

namespace {

// Matrix instructions need a unit that no other replaces.
void check_tensor_units(const isa::Kernel& kernel, const config::GpuSpec& gpu) {
  if (gpu.sm.units.tensor > 0) return;
  for (const isa::Instruction& i : kernel.instructions) {
    if (i.op_class != isa::OpClass::tensor) continue;
    throw UserError({kernel.module, static_cast<int>(i.ptx_line), 0},
                    "kernel " + plain_name(kernel.name) +
                        " multiplies matrices in tensor cores, which " + gpu.name +
                        " does not have (sm.units.tensor = 0)");
  }
}

}  // namespace

// To whom progress is reported, and when: an interval after the last time, seen after some windows.
class ProgressReports {
 public:
  Device::Progress report;  // may be empty
  void start() { next_ = Clock::now() + kInterval; }
  bool window_is_due() {
    if (++windows_ % kWindowsPerClockRead != 0 || Clock::now() < next_) return false;
    start();
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{100};
  static constexpr int kWindowsPerClockRead = 512;
  int windows_ = 0;
  Clock::time_point next_{};
};

// Address spaces of a program that begins anew; then the first one follows again.
constexpr std::uint32_t kRestartsApart = 16;

// What each program on the device has of its own.
struct Device::Program {
  Program(const config::RunSpec& spec, const DeviceProgram& given, NestedHost& host,
          std::uint32_t number)
      : identity(given),
        memory(given.memory_bytes  ? given.memory_bytes
               : spec.memory_bytes ? spec.memory_bytes
                                   : spec.gpu.memory_bytes) {
    if (spec.check.enabled) checker.emplace(spec.check, memory);
    nested.emplace(host, memory, services, checker ? &*checker : nullptr, number,
                   spec.gpu.device_launch_latency);
    services.runtime = &*nested;
  }
  // Without room there is no heap, and every allocation fails.
  void begin_heap() {
    if (services.heap.exists()) return;
    const Address base = memory.allocate(limits.heap_bytes, "heap of device malloc");
    if (base != Address{0}) services.heap.begin(base.value, limits.heap_bytes);
  }
  // The workspace of cooperative launches.
  Address find_grid_workspace() {
    if (grid_workspace == Address{})
      grid_workspace = memory.allocate(kGridWorkspaceBytes, "cooperative grid workspace");
    if (grid_workspace == Address{})
      throw UserError("the device's memory cannot hold the workspace of a cooperative launch");
    return grid_workspace;
  }

  AddressSpace address_space(std::uint32_t number) const {
    return {number, restarts % kRestartsApart};
  }

  DeviceProgram identity;
  std::uint32_t restarts = 0;
  DeviceLimits limits;
  const exec::TextureTable* textures = nullptr;
  Address grid_workspace;
  exec::GlobalMemory memory;
  std::optional<exec::Checker> checker;
  exec::DeviceServices services;
  std::optional<NestedLaunches> nested;
  bool has_code = false;  // set_device_code() was called
};

struct Device::Impl final : NestedHost {
  Impl(const config::RunSpec& run_spec, std::vector<DeviceProgram> given) : spec(run_spec) {
    if (given.empty()) given.emplace_back();
    if (given.size() > kMaxPrograms)
      throw UserError(std::to_string(given.size()) + " programs share a GPU; at most " +
                      std::to_string(kMaxPrograms) + " can");
    for (const DeviceProgram& one : given) programs.push_back(make_program(one, programs.size()));
    if (spec.analysis.enabled) analysed.emplace(spec);
    if (!spec.functional) {
      policy = sched::parse_policy(spec.scheduler, sched::Plugins(spec.plugins));
      cta_policy = parse_cta_policy(spec.cta_scheduler, CtaPlugins(spec.plugins));
      // Observers receive events in order, so an observed run uses one thread. The number of
      // threads changes no statistic.
      const config::WatchSpec& w = spec.watch;
      const bool observed = w.details || w.interval || !w.timeline_path.empty();
      const auto share_policy = parse_share_policy(spec.share, SharePlugins(spec.plugins));
      engine.emplace(spec.gpu, Engine::Policies{*policy, *cta_policy, *share_policy}, spec.seed,
                     WindowClock::Threads{observed ? 1 : spec.threads, spec.share_always},
                     static_cast<std::uint32_t>(programs.size()));
      if (observed) {
        observation.emplace(w, spec.gpu, *engine);
        engine->watch(&*observation);
      }
      if (w.cta_sharing) engine->watch_cta_sharing();
      if (w.first_warp) engine->watch_first_warp();
      // Other sampled runs choose the launches that are timed.
      if (spec.timed.samples_waves) engine->wave_sampling().enable(!spec.corun.captures.empty());
      announce_programs();
      announce_nested();
    }
  }

  bool is_timed(std::uint64_t launch, const isa::Kernel& kernel) const;
  Until until() const;
  Program& program(std::uint32_t number) {
    check_invariant(number < programs.size(), "a program without a number on the device was named");
    return *programs[number];
  }
  // Not the lines of a module's variables: GPGPU-Sim's copies to and from symbols change no cache
  // (decision 075).
  void fill_l2(Address first, std::uint64_t bytes, std::uint32_t number) {
    if (!engine) return;
    const exec::Allocation* const allocation = program(number).memory.find(first);
    if (allocation && allocation->variable) return;
    engine->memory_system().fill_l2(first + address_offset(number), bytes);
  }
  std::uint64_t address_offset(std::uint32_t number) {
    return program(number).address_space(number).offset();
  }
  void announce_programs();
  std::unique_ptr<Program> make_program(const DeviceProgram& given, std::size_t number) {
    return std::make_unique<Program>(spec, given, *this, static_cast<std::uint32_t>(number));
  }
  void announce_nested() {
    for (std::uint32_t i = 0; i < programs.size(); ++i)
      engine->set_nested(i, &*programs[i]->nested);
  }
  exec::Launch build(const LaunchRequest& request, std::uint64_t number);

  std::uint64_t begin(const LaunchRequest& request, int priority);
  std::uint64_t end_graph(std::uint64_t graph_launch, std::uint32_t number);
  Finished advance(Cycle until);
  bool advance_engine(Cycle to, const Engine::AfterWindow& after_window);
  // A launch and its resources, ready for the engine or a functional run.
  QueuedKernel prepare(const LaunchRequest& request, const LaunchResources& used,
                       std::uint64_t number);
  void queue_for_engine(const LaunchRequest& request, const LaunchResources& used,
                        QueuedKernel kernel);
  // warming_ctas_per_sm: as many of its CTAs make a wave that warms the L2; 0: none does.
  void run_functionally(QueuedKernel kernel, int warming_ctas_per_sm = 0);
  void finish_launches();

  // Launches by kernels.
  std::uint64_t next_launch() override { return ++launches; }
  void begin_timed(const NestedLaunch& launch) override;
  void run_untimed(const NestedLaunch& launch) override;
  int ctas_per_sm(const LaunchRequest& request) const override {
    return builder.resources(request).occupancy.ctas;
  }

  void check_fits(const LaunchRequest& request, const LaunchResources& used) const;
  void record(std::uint64_t launch, KernelResult result);
  void report_progress();

  config::RunSpec spec;
  LaunchBuilder builder{spec};
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<bool> ended;  // by program
  std::optional<AnalysedLaunches> analysed;
  std::shared_ptr<const sched::Policy> policy;
  std::shared_ptr<const CtaPolicy> cta_policy;
  std::optional<Engine> engine;
  std::optional<Observation> observation;
  std::vector<KernelResult> results;
  ProgressReports progress;
  CopyEngines copies{spec.gpu, !spec.watch.timeline_path.empty()};
  const exec::StopRequest* stop = nullptr;
  std::uint64_t launches = 0;              // begun
  std::vector<std::uint64_t> finished;     // not yet returned by advance()
  ActiveCycles active;                     // of the launches that have ended
  std::uint64_t timed_instructions = 0;    // of these launches
  std::uint64_t counted_instructions = 0;  // a functional run's clock
  bool limit_reached = false;
  struct {
    std::chrono::steady_clock::duration launches{}, timed{};
  } host_time;
};

bool Device::Impl::is_timed(std::uint64_t launch, const isa::Kernel& kernel) const {
  return engine && !limit_reached && spec.timed.contains(launch, kernel.name);
}

// What is left of the limits.
Until Device::Impl::until() const {
  const auto& part = spec.timed;
  Until until;
  until.stop = stop;
  // Launches that still run when a limit has been reached are truncated at once.
  const auto rest = [](std::uint64_t limit, std::uint64_t used) {
    return limit > used ? limit - used : 1;
  };
  if (part.limit_cycles)
    until.cycles = rest(part.limit_cycles, active.count_before(engine->running().first_start()));
  if (part.limit_instructions)
    until.thread_instructions = rest(part.limit_instructions, timed_instructions);
  return until;
}

// One program needs no share policy.
void Device::Impl::announce_programs() {
  ended.resize(programs.size());
  if (programs.size() < 2 || !engine) return;
  std::vector<std::uint32_t> present;
  for (std::uint32_t i = 0; i < programs.size(); ++i)
    if (!ended[i]) present.push_back(i);
  engine->set_programs(present);
}

exec::Launch Device::Impl::build(const LaunchRequest& request, std::uint64_t number) {
  Program& of = program(request.program);
  LaunchState state;
  state.grid_id = number;
  if (request.cooperative) state.grid_workspace = of.find_grid_workspace().value;
  state.textures = request.textures ? request.textures : of.textures;
  state.services = &of.services;
  state.stack_bytes = of.limits.stack_bytes;
  state.heap_bytes = of.limits.heap_bytes;
  state.program_name = of.identity.name;
  state.address_space = of.address_space(request.program);
  if (request.kernel->uses_heap) of.begin_heap();
  return builder.build(request, state);
}

void Device::Impl::check_fits(const LaunchRequest& request, const LaunchResources& used) const {
  check_tensor_units(*request.kernel, spec.gpu);
  if (!used.fits())
    throw UserError("kernel " + plain_name(request.kernel->name) + " does not fit on " +
                    spec.gpu.name + ": " + builder.exceeded_limit(request, used));
}

QueuedKernel Device::Impl::prepare(const LaunchRequest& request, const LaunchResources& used,
                                   std::uint64_t number) {
  Program& of = program(request.program);
  if (request.kernel->uses_device_runtime && !of.has_code)
    throw UserError("kernel " + plain_name(request.kernel->name) +
                    " calls CUDA's device runtime, which this run does not have");
  QueuedKernel kernel;
  KernelResult& result = kernel.result;
  result.name = request.kernel->name;
  result.module = request.kernel->module;
  result.grid = request.grid;
  result.block = request.block;
  result.registers_per_thread = used.registers_per_thread;
  result.shared_bytes = used.shared_bytes;
  result.program = request.program;
  kernel.launch = build(request, number);
  kernel.memory = &of.memory;
  kernel.launch_number = number;
  if (analysed) analysed->add(kernel.launch);
  return kernel;
}

void Device::Impl::queue_for_engine(const LaunchRequest& request, const LaunchResources& used,
                                    QueuedKernel kernel) {
  check_fits(request, used);
  kernel.result.occupancy = used.occupancy;
  kernel.placing = {used.occupancy.ctas, used.registers_per_thread, request.cta_direction};
  engine->begin(std::move(kernel));
}

std::uint64_t Device::Impl::begin(const LaunchRequest& request, int priority) {
  const LaunchResources used = builder.resources(request);
  const std::uint64_t number = next_launch();
  QueuedKernel kernel = prepare(request, used, number);
  kernel.priority = priority;
  const bool timed = is_timed(number, *request.kernel);
  if (timed) check_fits(request, used);
  NestedLaunches& nested = *program(request.program).nested;
  nested.begin_root(number, request, priority, timed);
  if (timed) {
    queue_for_engine(request, used, std::move(kernel));
    return number;
  }
  const auto begun = std::chrono::steady_clock::now();
  const bool warms = engine && spec.timed.warms(number, request.kernel->name);
  run_functionally(std::move(kernel), warms ? used.occupancy.ctas : 0);
  nested.ctas_ended(number);
  nested.run_ready();
  finish_launches();
  host_time.launches += std::chrono::steady_clock::now() - begun;
  return number;
}

std::uint64_t Device::Impl::end_graph(std::uint64_t graph_launch, std::uint32_t of) {
  const auto begun = std::chrono::steady_clock::now();
  NestedLaunches& nested = *program(of).nested;
  const std::uint64_t number = nested.end_graph(graph_launch);
  nested.run_ready();
  finish_launches();
  host_time.launches += std::chrono::steady_clock::now() - begun;
  return number;
}

void Device::Impl::begin_timed(const NestedLaunch& launch) {
  const LaunchResources used = builder.resources(launch.request);
  QueuedKernel kernel = prepare(launch.request, used, launch.number);
  kernel.priority = launch.priority;
  kernel.nested = true;
  kernel.earliest = launch.earliest;
  kernel.result.parent = launch.parent;
  queue_for_engine(launch.request, used, std::move(kernel));
}

void Device::Impl::run_untimed(const NestedLaunch& launch) {
  QueuedKernel kernel = prepare(launch.request, builder.resources(launch.request), launch.number);
  kernel.result.parent = launch.parent;
  run_functionally(std::move(kernel));
}

void Device::Impl::record(std::uint64_t launch, KernelResult result) {
  result.launch = launch;
  results.push_back(std::move(result));
}

// A launch by the host has finished when all launches by its kernel have.
void Device::Impl::finish_launches() {
  for (const auto& of : programs) {
    const auto complete = of->nested->take_complete();
    finished.insert(finished.end(), complete.begin(), complete.end());
  }
}

// The progress of the launch that began first.
void Device::Impl::report_progress() {
  if (!progress.window_is_due()) return;
  const RunningKernel* first = nullptr;
  for (const auto& k : engine->running())
    if (!first || k->launch_number < first->launch_number) first = k.get();
  if (!first) return;
  KernelResult result = first->result;
  const sm::SmStats totals = engine->hardware().kernel_stats(first->number);
  result.cycles = engine->now() - first->launch_cycle;
  result.warp_instructions = totals.warp_instructions;
  result.thread_instructions = totals.thread_instructions;
  progress.report(first->launch, result);
}

Device::Finished Device::Impl::advance(Cycle to) {
  Finished all;
  if (!limit_reached) to = std::min(to, copies.next_end());
  if (finished.empty() && engine && (engine->busy() || to != Cycle::never())) {
    const auto begun = std::chrono::steady_clock::now();
    progress.start();
    Engine::AfterWindow after_window;
    if (progress.report || observation)
      after_window = [this] {
        if (observation) observation->after_window();
        if (progress.report) report_progress();
      };
    // Launches by kernels may end while none by the host does.
    const auto untimed_before = engine->untimed_time();
    while (advance_engine(to, after_window) && finished.empty() && engine->busy()) {}
    const auto taken = std::chrono::steady_clock::now() - begun;
    host_time.launches += taken;
    host_time.timed += taken - (engine->untimed_time() - untimed_before);
  }
  all.launches = std::exchange(finished, {});
  // After a limit no time passes.
  all.copies = copies.take_ended(limit_reached ? Cycle::never() : engine ? engine->now() : Cycle{});
  return all;
}

// False when no launch has ended.
bool Device::Impl::advance_engine(Cycle to, const Engine::AfterWindow& after_window) {
  Until limits = until();
  limits.time = to;
  std::vector<QueuedKernel> kernels = engine->advance(limits, after_window);
  for (QueuedKernel& k : kernels) {
    const KernelResult& result = k.result;
    if (!result.truncated) result.sm.check_conservation();
    active.add(result.start, result.cycles);
    timed_instructions += result.thread_instructions;
    limit_reached |= result.truncated;
    record(k.launch_number, std::move(k.result));
  }
  limit_reached |= spec.timed.reached(active.count(), timed_instructions);
  for (const auto& of : programs) of->nested->run_ready();
  finish_launches();
  return !kernels.empty();
}

// What is not timed of a replayed launch is counted.
void Device::Impl::run_functionally(QueuedKernel kernel, int warming_ctas_per_sm) {
  clear_grid_workspace(kernel.launch, *kernel.memory);
  Program& of = program(kernel.result.program);
  std::optional<exec::AddressCheck> addresses;
  if (spec.analysis.check) addresses.emplace(kernel.launch);
  const exec::ReplayedLaunch* const replay = kernel.launch.replay;
  const exec::FunctionalCounts counts =
      replay ? exec::FunctionalCounts{replay->warp_instructions(), replay->thread_instructions(),
                                      kernel.launch.grid.count()}
             : exec::run_functionally(
                   kernel.launch, of.memory,
                   {0, spec.gpu.sms(), spec.gpu.sm.max_warps(), spec.gpu.sm.flow.taken_lanes_first,
                    spec.gpu.clocks.core_mhz},
                   stop, of.checker ? &*of.checker : nullptr, addresses ? &*addresses : nullptr,
                   warming_ctas_per_sm > 0 ? engine->warming_ctas(kernel, warming_ctas_per_sm)
                                           : exec::LastCtas{});
  KernelResult& result = kernel.result;
  if (addresses) result.compared_addresses = addresses->compared();
  result.functional = true;
  result.warp_instructions = counts.warp_instructions;
  result.thread_instructions = counts.thread_instructions;
  result.ctas.count = counts.ctas;
  if (spec.functional) counted_instructions += counts.warp_instructions;
  record(kernel.launch_number, std::move(result));
}

Device::Device(const config::RunSpec& spec, std::vector<DeviceProgram> programs)
    : impl_(std::make_unique<Impl>(spec, std::move(programs))) {}
Device::~Device() = default;

exec::Checker* Device::checker(std::uint32_t program) {
  auto& checker = impl_->program(program).checker;
  return checker ? &*checker : nullptr;
}
const exec::Checker* Device::checker(std::uint32_t program) const {
  const auto& checker = impl_->program(program).checker;
  return checker ? &*checker : nullptr;
}
const AnalysedLaunches* Device::analysed() const {
  return impl_->analysed ? &*impl_->analysed : nullptr;
}
exec::GlobalMemory& Device::memory(std::uint32_t program) { return impl_->program(program).memory; }
void Device::restart_program(std::uint32_t program) {
  check_invariant(!impl_->engine || !impl_->engine->busy(program),
                  "a program began anew before its launches had ended");
  std::unique_ptr<Program>& place = impl_->programs[program];
  const std::uint32_t restarts = place->restarts + 1;
  place = impl_->make_program(DeviceProgram(place->identity), program);
  place->restarts = restarts;
  if (!impl_->engine) return;
  impl_->announce_nested();
  impl_->engine->wave_sampling().set_repeating(program);
}
void Device::end_program(std::uint32_t program) {
  impl_->ended[program] = true;
  impl_->announce_programs();
}
const config::GpuSpec& Device::spec() const { return impl_->spec.gpu; }
const std::vector<KernelResult>& Device::results() const { return impl_->results; }
std::vector<KernelResult> Device::take_results() { return std::exchange(impl_->results, {}); }
void Device::set_stop(const exec::StopRequest* stop) { impl_->stop = stop; }
void Device::set_progress(Progress progress) { impl_->progress.report = std::move(progress); }
Cycle Device::now() const { return impl_->engine ? impl_->engine->now() : Cycle{}; }
stats::Timeline Device::timeline() const {
  stats::Timeline all = impl_->observation ? impl_->observation->timeline() : stats::Timeline{};
  const config::WatchSpec& watch = impl_->spec.watch;
  impl_->copies.add_to(all, Cycle{watch.timeline_from}, Cycle{watch.timeline_to});
  return all;
}
Device::HostSeconds Device::host_seconds() const {
  using Seconds = std::chrono::duration<double>;
  return {Seconds(impl_->host_time.launches).count(), Seconds(impl_->host_time.timed).count()};
}
double Device::elapsed_ms() const {
  const std::uint64_t cycles = impl_->engine ? now().value : impl_->counted_instructions;
  return static_cast<double>(cycles) / (impl_->spec.gpu.clocks.core_mhz * 1e3);
}

const KernelResult& Device::run(const LaunchRequest& request) {
  check_invariant(!busy(), "a launch that runs alone began while others ran");
  const std::uint64_t launch = impl_->begin(request, 0);
  impl_->advance(Cycle::never());
  const auto result = std::find_if(impl_->results.rbegin(), impl_->results.rend(),
                                   [&](const KernelResult& r) { return r.launch == launch; });
  check_invariant(result != impl_->results.rend(), "a launch ended without a result");
  return *result;
}

std::uint64_t Device::begin(const LaunchRequest& request, int priority) {
  return impl_->begin(request, priority);
}
std::uint64_t Device::end_graph(std::uint64_t graph_launch, std::uint32_t program) {
  return impl_->end_graph(graph_launch, program);
}
bool Device::times_copies() const {
  return impl_->copies.enabled() && impl_->engine && !impl_->limit_reached;
}
std::uint64_t Device::begin_copy(const CopyRequest& request) {
  check_invariant(times_copies(), "a copy that takes no time began on a copy engine");
  return impl_->copies.begin(request, now());
}
const CopyEngines& Device::copy_engines() const { return impl_->copies; }
Device::Finished Device::advance(Cycle until) { return impl_->advance(until); }
bool Device::busy() const {
  return !impl_->finished.empty() || impl_->copies.busy() ||
         (impl_->engine && impl_->engine->busy());
}
std::uint32_t Device::concurrent_kernels() const {
  return impl_->spec.functional ? 1 : impl_->spec.gpu.concurrent_kernels;
}

const LaunchBuilder& Device::launch_builder() const { return impl_->builder; }
std::uint64_t Device::launches() const { return impl_->launches; }
void Device::skip_launches(std::uint64_t count) { impl_->launches = count; }
DeviceState Device::state(std::uint32_t program) const {
  const Program& of = impl_->program(program);
  return {of.services.heap.state(), of.grid_workspace, of.nested->state()};
}
bool Device::restore(const DeviceState& state, std::uint32_t program) {
  Program& of = impl_->program(program);
  const exec::DeviceHeap::State& heap = state.heap;
  const bool allocated = (heap.bytes == 0 || of.memory.valid(Address{heap.base}, heap.bytes)) &&
                         (state.grid_workspace == Address{} ||
                          of.memory.valid(state.grid_workspace, kGridWorkspaceBytes));
  if (!allocated) return false;
  of.grid_workspace = state.grid_workspace;
  return of.services.heap.restore(state.heap) && of.nested->restore(state.runtime);
}
void Device::set_limits(const DeviceLimits& limits, std::uint32_t program) {
  Program& of = impl_->program(program);
  of.limits = limits;
  of.services.printed.set_limit(limits.print_bytes);
  of.nested->set_limits({limits.pending_launches, limits.sync_depth});
}
void Device::set_device_code(DeviceCode code, std::uint32_t program) {
  Program& of = impl_->program(program);
  of.nested->set_program(std::move(code));
  of.has_code = true;
}
void Device::set_textures(const exec::TextureTable* textures, std::uint32_t program) {
  impl_->program(program).textures = textures;
}
std::string Device::take_printed(std::uint32_t program) {
  return impl_->program(program).services.printed.take();
}
void Device::set_host(exec::HostSide host, std::uint32_t program) {
  impl_->program(program).services.host = std::move(host);
}
std::vector<exec::LaunchWarning> Device::take_warnings(std::uint32_t program) {
  return std::exchange(impl_->program(program).services.warnings, {});
}
std::size_t Device::take_lost_print(std::uint32_t program) {
  return impl_->program(program).services.printed.take_lost();
}

void Device::copied_to_device(Address first, std::uint64_t bytes, std::uint32_t program) {
  if (impl_->spec.gpu.memory.memcpy_fills_l2) impl_->fill_l2(first, bytes, program);
}
void Device::copied_from_device(Address first, std::uint64_t bytes, std::uint32_t program) {
  if (impl_->spec.gpu.memory.memcpy_from_device_fills_l2) impl_->fill_l2(first, bytes, program);
}

}  // namespace heddle::gpu
