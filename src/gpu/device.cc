#include "gpu/device.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "exec/check/address_check.h"
#include "exec/check/checker.h"
#include "gpu/analysed_launches.h"
#include "gpu/cta/catalogue.h"
#include "gpu/cta/plugins.h"
#include "gpu/engine.h"
#include "gpu/observe/observation.h"
#include "gpu/share/catalogue.h"
#include "sched/catalogue.h"
#include "sched/framework/plugins.h"

namespace heddle::gpu {

namespace {

constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr int kWindowsPerClockRead = 512;

// Matrix instructions need a unit that no other replaces.
void check_tensor_units(const ptx::Kernel& kernel, const config::GpuSpec& gpu) {
  if (gpu.sm.units.tensor > 0) return;
  for (const ptx::Instruction& i : kernel.code) {
    if (i.op_class != ptx::OpClass::tensor) continue;
    throw UserError({kernel.module, static_cast<int>(i.ptx_line), 0},
                    "kernel " + plain_name(kernel.name) +
                        " multiplies matrices in tensor cores, which " + gpu.name +
                        " does not have (sm.units.tensor = 0)");
  }
}

}  // namespace

struct Device::Impl {
  explicit Impl(const config::RunSpec& run_spec)
      : spec(run_spec), memory(run_spec.gpu.memory_bytes) {
    if (spec.check.enabled) checker.emplace(spec.check, memory);
    if (spec.analysis.enabled) analysed.emplace(spec);
    if (!spec.functional) {
      policy = sched::parse_policy(spec.scheduler, sched::Plugins(spec.plugins));
      cta_policy = parse_cta_policy(spec.cta_scheduler, CtaPlugins(spec.plugins));
      // Observers receive events in order, so an observed run uses one thread. The number of
      // threads changes no statistic.
      const config::WatchSpec& w = spec.watch;
      const bool observed = w.details || w.interval || !w.timeline_path.empty();
      const auto share_policy = parse_share_policy(spec.share);
      engine.emplace(spec.gpu, Engine::Policies{*policy, *cta_policy, *share_policy}, spec.seed,
                     Engine::Threads{observed ? 1 : spec.threads, spec.share_always}, memory);
      if (observed) {
        observation.emplace(w, spec.gpu, *engine);
        engine->watch(&*observation);
      }
      if (w.cta_sharing) engine->watch_cta_sharing();
    }
  }

  bool is_timed(const exec::Launch& launch) const;
  Engine::Until until() const;
  // Without room there is no heap, and every allocation fails.
  void begin_heap(std::uint64_t bytes) {
    if (services.heap.exists()) return;
    const Address base = memory.allocate(bytes, "heap of device malloc");
    if (base != Address{0}) services.heap.begin(base.value, bytes);
  }

  // The workspace of cooperative launches.
  Address find_grid_workspace();
  exec::Launch build(const LaunchRequest& request);

  std::uint64_t begin(const LaunchRequest& request, int priority);
  Finished advance(Cycle until);
  void check_fits(const LaunchRequest& request, const LaunchResources& used) const;
  void run_untimed(const exec::Launch& launch, KernelResult& result);
  void record(std::uint64_t launch, KernelResult result);
  void report_progress();

  config::RunSpec spec;
  LaunchBuilder builder{spec};
  DeviceLimits limits;
  const exec::TextureTable* textures = nullptr;
  Address grid_workspace;
  exec::GlobalMemory memory;
  std::optional<exec::Checker> checker;
  std::optional<AnalysedLaunches> analysed;
  exec::DeviceServices services;
  std::shared_ptr<const sched::Policy> policy;
  std::shared_ptr<const CtaPolicy> cta_policy;
  std::optional<Engine> engine;
  std::optional<Observation> observation;
  std::vector<KernelResult> results;
  Progress progress;
  const exec::StopRequest* stop = nullptr;
  std::uint64_t launches = 0;           // begun
  std::vector<std::uint64_t> finished;  // not yet returned by advance()
  Cycle counted_until;                  // by timed_cycles
  int windows = 0;                      // since the clock was read
  std::chrono::steady_clock::time_point next_report{};
  std::uint64_t timed_cycles = 0, timed_instructions = 0;  // what counts towards the limits
  std::uint64_t counted_instructions = 0;                  // a functional run's clock
  bool limit_reached = false;
  std::chrono::steady_clock::duration host_time{};
};

bool Device::Impl::is_timed(const exec::Launch& launch) const {
  return engine && !limit_reached && spec.timed.contains(launches, launch.kernel->name);
}

// What is left of the limits.
Engine::Until Device::Impl::until() const {
  const auto& part = spec.timed;
  Engine::Until until;
  until.stop = stop;
  if (part.limit_cycles) until.cycles = part.limit_cycles - timed_cycles;
  if (part.limit_instructions)
    until.thread_instructions = part.limit_instructions - timed_instructions;
  until.since = counted_until;
  return until;
}

Address Device::Impl::find_grid_workspace() {
  if (grid_workspace == Address{})
    grid_workspace = memory.allocate(kGridWorkspaceBytes, "cooperative grid workspace");
  if (grid_workspace == Address{})
    throw UserError("the device's memory cannot hold the workspace of a cooperative launch");
  return grid_workspace;
}

exec::Launch Device::Impl::build(const LaunchRequest& request) {
  LaunchState state;
  state.grid_id = ++launches;
  if (request.cooperative) state.grid_workspace = find_grid_workspace().value;
  state.textures = textures;
  state.services = &services;
  state.stack_bytes = limits.stack_bytes;
  state.heap_bytes = limits.heap_bytes;
  if (request.kernel->uses_heap) begin_heap(limits.heap_bytes);
  return builder.build(request, state);
}

void Device::Impl::check_fits(const LaunchRequest& request, const LaunchResources& used) const {
  check_tensor_units(*request.kernel, spec.gpu);
  if (!used.fits())
    throw UserError("kernel " + plain_name(request.kernel->name) + " does not fit on " +
                    spec.gpu.name + ": " + builder.exceeded_limit(request, used));
}

std::uint64_t Device::Impl::begin(const LaunchRequest& request, int priority) {
  const LaunchResources used = builder.resources(request);
  QueuedKernel kernel;
  KernelResult& result = kernel.result;
  result.name = request.kernel->name;
  result.module = request.kernel->module;
  result.grid = request.grid;
  result.block = request.block;
  result.registers_per_thread = used.registers_per_thread;
  result.shared_bytes = used.shared_bytes;
  kernel.launch = build(request);
  kernel.launch_number = launches;
  if (analysed) analysed->add(kernel.launch);
  if (!is_timed(kernel.launch)) {
    clear_grid_workspace(kernel.launch, memory);
    const auto begun = std::chrono::steady_clock::now();
    run_untimed(kernel.launch, result);
    host_time += std::chrono::steady_clock::now() - begun;
    record(launches, std::move(result));
    return launches;
  }
  check_fits(request, used);
  result.occupancy = used.occupancy;
  kernel.priority = priority;
  kernel.placing = {used.occupancy.ctas, used.registers_per_thread, request.cta_direction};
  engine->begin(std::move(kernel));
  return launches;
}

void Device::Impl::record(std::uint64_t launch, KernelResult result) {
  result.launch = launch;
  results.push_back(std::move(result));
  finished.push_back(launch);
}

// The progress of the launch that began first.
void Device::Impl::report_progress() {
  if (++windows % kWindowsPerClockRead != 0 || std::chrono::steady_clock::now() < next_report)
    return;
  next_report = std::chrono::steady_clock::now() + kProgressInterval;
  const RunningKernel* first = nullptr;
  for (const auto& k : engine->running())
    if (!first || k->launch_number < first->launch_number) first = k.get();
  if (!first) return;
  KernelResult result = first->result;
  const sm::SmStats totals = engine->kernel_totals(*first);
  result.cycles = engine->now() - first->launch_cycle;
  result.warp_instructions = totals.warp_instructions;
  result.thread_instructions = totals.thread_instructions;
  progress(first->launch, result);
}

Device::Finished Device::Impl::advance(Cycle to) {
  Finished all;
  if (finished.empty() && engine && (engine->busy() || to != Cycle::never())) {
    const auto begun = std::chrono::steady_clock::now();
    next_report = begun + kProgressInterval;
    Engine::AfterWindow after_window;
    if (progress || observation)
      after_window = [this] {
        if (observation) observation->after_window();
        if (progress) report_progress();
      };
    Engine::Until limits = until();
    limits.time = to;
    for (QueuedKernel& k : engine->advance(limits, after_window)) {
      const KernelResult& result = k.result;
      if (!result.truncated) result.sm.check_conservation();
      const Cycle end = result.start + result.cycles;
      const Cycle from = std::max(result.start, counted_until);
      if (end > from) timed_cycles += end - from;
      counted_until = std::max(counted_until, end);
      timed_instructions += result.thread_instructions;
      limit_reached |= result.truncated;
      record(k.launch_number, std::move(k.result));
    }
    limit_reached |= spec.timed.reached(timed_cycles, timed_instructions);
    host_time += std::chrono::steady_clock::now() - begun;
  }
  all.launches = std::exchange(finished, {});
  return all;
}

void Device::Impl::run_untimed(const exec::Launch& launch, KernelResult& result) {
  std::optional<exec::AddressCheck> addresses;
  if (spec.analysis.check) addresses.emplace(launch);
  const exec::FunctionalCounts counts = exec::run_functionally(
      launch, memory, {0, spec.gpu.sms(), spec.gpu.sm.max_warps(), spec.gpu.clocks.core_mhz}, stop,
      checker ? &*checker : nullptr, addresses ? &*addresses : nullptr);
  result.functional = true;
  result.warp_instructions = counts.warp_instructions;
  result.thread_instructions = counts.thread_instructions;
  result.ctas.count = counts.ctas;
  if (spec.functional) counted_instructions += counts.warp_instructions;
}

Device::Device(const config::RunSpec& spec) : impl_(std::make_unique<Impl>(spec)) {}
Device::~Device() = default;

exec::Checker* Device::checker() { return impl_->checker ? &*impl_->checker : nullptr; }
const exec::Checker* Device::checker() const { return impl_->checker ? &*impl_->checker : nullptr; }
const AnalysedLaunches* Device::analysed() const {
  return impl_->analysed ? &*impl_->analysed : nullptr;
}
exec::GlobalMemory& Device::memory() { return impl_->memory; }
const config::GpuSpec& Device::spec() const { return impl_->spec.gpu; }
const std::vector<KernelResult>& Device::results() const { return impl_->results; }
void Device::set_stop(const exec::StopRequest* stop) { impl_->stop = stop; }
void Device::set_progress(Progress progress) { impl_->progress = std::move(progress); }
Cycle Device::now() const { return impl_->engine ? impl_->engine->now() : Cycle{}; }
stats::Timeline Device::timeline() const {
  return impl_->observation ? impl_->observation->timeline() : stats::Timeline{};
}
double Device::host_seconds() const {
  return std::chrono::duration<double>(impl_->host_time).count();
}
double Device::elapsed_ms() const {
  const std::uint64_t cycles = impl_->engine ? now().value : impl_->counted_instructions;
  return static_cast<double>(cycles) / (impl_->spec.gpu.clocks.core_mhz * 1e3);
}

const KernelResult& Device::run(const LaunchRequest& request) {
  check_invariant(!busy(), "a launch that runs alone began while others ran");
  impl_->begin(request, 0);
  impl_->advance(Cycle::never());
  return impl_->results.back();
}

std::uint64_t Device::begin(const LaunchRequest& request, int priority) {
  return impl_->begin(request, priority);
}
Device::Finished Device::advance(Cycle until) { return impl_->advance(until); }
bool Device::busy() const {
  return !impl_->finished.empty() || (impl_->engine && impl_->engine->busy());
}
std::uint32_t Device::concurrent_kernels() const {
  return impl_->spec.functional ? 1 : impl_->spec.gpu.concurrent_kernels;
}

const LaunchBuilder& Device::launch_builder() const { return impl_->builder; }
std::uint64_t Device::launches() const { return impl_->launches; }
void Device::set_limits(const DeviceLimits& limits) {
  impl_->limits = limits;
  impl_->services.printed.set_limit(limits.print_bytes);
}
void Device::set_textures(const exec::TextureTable* textures) { impl_->textures = textures; }
std::string Device::take_printed() { return impl_->services.printed.take(); }
void Device::set_host(exec::HostSide host) { impl_->services.host = std::move(host); }
std::string Device::take_tolerated_load() {
  return std::exchange(impl_->services.tolerated_load, {});
}
std::size_t Device::take_lost_print() { return impl_->services.printed.take_lost(); }

void Device::copied_to_device(Address first, std::uint64_t bytes) {
  if (impl_->engine && impl_->spec.gpu.memory.memcpy_fills_l2)
    impl_->engine->memory_system().fill_l2(first, bytes);
}
void Device::copied_from_device(Address first, std::uint64_t bytes) {
  if (impl_->engine && impl_->spec.gpu.memory.memcpy_from_device_fills_l2)
    impl_->engine->memory_system().fill_l2(first, bytes);
}

}  // namespace heddle::gpu
