#include "gpu/device.h"

#include <chrono>
#include <cstring>
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
#include "sched/catalogue.h"
#include "sched/framework/plugins.h"

namespace heddle::gpu {

namespace {

constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr int kWindowsPerClockRead = 512;

// A size word and the counter of the grid's barrier, as compiled device code expects them.
constexpr std::size_t kGridWorkspaceBytes = 256;

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
      const auto cta_policy = parse_cta_policy(spec.cta_scheduler, CtaPlugins(spec.plugins));
      // Observers receive events in order, so an observed run uses one thread. The number of
      // threads changes no statistic.
      const config::WatchSpec& w = spec.watch;
      const bool observed = w.details || w.interval || !w.timeline_path.empty();
      engine.emplace(spec.gpu, *policy, *cta_policy, spec.seed,
                     Engine::Threads{observed ? 1 : spec.threads, spec.share_always}, memory);
      if (observed) observation.emplace(w, spec.gpu, *engine);
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

  // The workspace of cooperative launches, cleared.
  Address clear_grid_workspace();
  exec::Launch build(const LaunchRequest& request);

  void run_timed(const LaunchRequest& request, const LaunchResources& used,
                 const exec::Launch& launch, KernelResult& result);
  void run_untimed(const exec::Launch& launch, KernelResult& result);

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
  std::optional<Engine> engine;
  std::optional<Observation> observation;
  std::vector<KernelResult> results;
  Progress progress;
  const exec::StopRequest* stop = nullptr;
  std::uint64_t launches = 0;                              // begun
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
  return {stop, part.limit_cycles ? part.limit_cycles - timed_cycles : 0,
          part.limit_instructions ? part.limit_instructions - timed_instructions : 0};
}

Address Device::Impl::clear_grid_workspace() {
  if (grid_workspace == Address{})
    grid_workspace = memory.allocate(kGridWorkspaceBytes, "cooperative grid workspace");
  if (grid_workspace == Address{})
    throw UserError("the device's memory cannot hold the workspace of a cooperative launch");
  std::memset(memory.host(grid_workspace), 0, kGridWorkspaceBytes);
  return grid_workspace;
}

exec::Launch Device::Impl::build(const LaunchRequest& request) {
  LaunchState state;
  state.grid_id = ++launches;
  if (request.cooperative) state.grid_workspace = clear_grid_workspace().value;
  state.textures = textures;
  state.services = &services;
  state.stack_bytes = limits.stack_bytes;
  state.heap_bytes = limits.heap_bytes;
  if (request.kernel->uses_heap) begin_heap(limits.heap_bytes);
  return builder.build(request, state);
}

void Device::Impl::run_timed(const LaunchRequest& request, const LaunchResources& used,
                             const exec::Launch& launch, KernelResult& result) {
  check_tensor_units(*launch.kernel, spec.gpu);
  if (!used.fits())
    throw UserError("kernel " + plain_name(launch.kernel->name) + " does not fit on " +
                    spec.gpu.name + ": " + builder.exceeded_limit(request, used));
  result.occupancy = used.occupancy;
  const std::uint64_t instructions_before = engine->warp_instructions();
  const std::uint64_t thread_instructions_before = engine->thread_instructions();
  const Cycle start = engine->now();
  auto next_report = std::chrono::steady_clock::now() + kProgressInterval;
  int windows = 0;
  Engine::AfterWindow after_window;
  if (progress) {
    after_window = [&] {
      if (++windows % kWindowsPerClockRead != 0 || std::chrono::steady_clock::now() < next_report)
        return;
      next_report = std::chrono::steady_clock::now() + kProgressInterval;
      result.cycles = engine->now() - start;
      result.warp_instructions = engine->warp_instructions() - instructions_before;
      result.thread_instructions = engine->thread_instructions() - thread_instructions_before;
      progress(launch, result);
    };
  }
  if (observation) {
    observation->begin_kernel(*launch.kernel);
    after_window = [this, report_progress = std::move(after_window)] {
      observation->after_window();
      if (report_progress) report_progress();
    };
  }
  engine->run(launch, {result.occupancy.ctas, request.cta_direction}, result, until(),
              after_window);
  if (observation) observation->end_kernel(result);
  if (!result.truncated) result.sm.check_conservation();
  timed_cycles += result.cycles;
  timed_instructions += result.thread_instructions;
  limit_reached = result.truncated || spec.timed.reached(timed_cycles, timed_instructions);
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
  const LaunchResources used = impl_->builder.resources(request);
  KernelResult result;
  result.name = request.kernel->name;
  result.module = request.kernel->module;
  result.grid = request.grid;
  result.block = request.block;
  result.registers_per_thread = used.registers_per_thread;
  result.shared_bytes = used.shared_bytes;
  const exec::Launch launch = impl_->build(request);
  if (impl_->analysed) impl_->analysed->add(launch);
  const auto begun = std::chrono::steady_clock::now();
  if (impl_->is_timed(launch))
    impl_->run_timed(request, used, launch, result);
  else
    impl_->run_untimed(launch, result);
  impl_->host_time += std::chrono::steady_clock::now() - begun;
  return impl_->results.emplace_back(std::move(result));
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
