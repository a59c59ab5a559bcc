#include "gpu/device.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "exec/check/checker.h"
#include "gpu/engine.h"
#include "gpu/observe/observation.h"
#include "sched/catalogue.h"
#include "sched/framework/plugins.h"

namespace heddle::gpu {

namespace {

constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr int kWindowsPerClockRead = 512;

std::string limits_exceeded(const exec::Launch& launch, const config::GpuSpec& gpu,
                            std::uint32_t registers, std::uint32_t shared) {
  const auto threads = launch.block.count();
  std::string what;
  if (threads > gpu.sm.max_threads)
    what = std::to_string(threads) + " threads per CTA, the SM holds " +
           std::to_string(gpu.sm.max_threads);
  else if (shared > gpu.sm.shared_bytes)
    what = std::to_string(shared) + " bytes of shared memory per CTA, the SM has " +
           std::to_string(gpu.sm.shared_bytes);
  else
    what = std::to_string(registers) + " registers per thread x " + std::to_string(threads) +
           " threads, the SM has " + std::to_string(gpu.sm.registers) + " registers";
  return "kernel " + plain_name(launch.kernel->name) + " does not fit on " + gpu.name + ": " + what;
}

// Matrix instructions need tensor cores.
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
    if (!spec.functional) {
      policy = sched::parse_policy(spec.scheduler, sched::Plugins(spec.plugins));
      // Observers receive events in order, so an observed run uses one thread. The number of
      // threads changes no statistic.
      const config::WatchSpec& w = spec.watch;
      const bool observed = w.details || w.interval || !w.timeline_path.empty();
      engine.emplace(spec.gpu, *policy, spec.seed,
                     Engine::Threads{observed ? 1 : spec.threads, spec.share_always}, memory);
      if (observed) observation.emplace(w, spec.gpu, *engine);
    }
  }

  std::uint32_t registers_of(const exec::Launch& launch) const {
    const ptx::Kernel& kernel = *launch.kernel;
    for (const auto& name : {kernel.name, demangle(kernel.name), plain_name(kernel.name)}) {
      if (const auto found = spec.registers.find(name); found != spec.registers.end())
        return found->second;
    }
    return sm::registers_after_spilling(spec.gpu, launch, kernel.registers_per_thread);
  }

  bool is_timed(const exec::Launch& launch) const;
  Engine::Until until() const;
  // When the memory is full there is no heap, and every allocation of device code fails.
  void begin_heap(std::uint64_t bytes) {
    if (services.heap.exists()) return;
    const Address base = memory.allocate(bytes, "heap of device malloc");
    if (base != Address{0}) services.heap.begin(base.value, bytes);
  }

  void run_timed(const exec::Launch& launch, KernelResult& result);
  void run_untimed(const exec::Launch& launch, KernelResult& result);

  config::RunSpec spec;
  exec::GlobalMemory memory;
  std::optional<exec::Checker> checker;
  exec::DeviceServices services;
  std::shared_ptr<const sched::Policy> policy;
  std::optional<Engine> engine;
  std::optional<Observation> observation;
  std::vector<KernelResult> results;
  Progress progress;
  const exec::StopRequest* stop = nullptr;
  std::uint64_t launches = 0;
  std::uint64_t timed_cycles = 0, timed_instructions = 0;  // counted against the limits
  std::uint64_t counted_instructions = 0;                  // the clock of a functional run
  bool limit_reached = false;
  std::chrono::steady_clock::duration host_time{};
};

bool Device::Impl::is_timed(const exec::Launch& launch) const {
  return engine && !limit_reached && spec.timed.contains(launches, launch.kernel->name);
}

// What remains of the limits.
Engine::Until Device::Impl::until() const {
  const auto& part = spec.timed;
  return {stop, part.limit_cycles ? part.limit_cycles - timed_cycles : 0,
          part.limit_instructions ? part.limit_instructions - timed_instructions : 0};
}

void Device::Impl::run_timed(const exec::Launch& launch, KernelResult& result) {
  check_tensor_units(*launch.kernel, spec.gpu);
  result.occupancy = sm::occupancy(spec.gpu, launch, result.registers_per_thread);
  if (result.occupancy.ctas == 0)
    throw UserError(
        limits_exceeded(launch, spec.gpu, result.registers_per_thread, result.shared_bytes));
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
  engine->run(launch, result.occupancy.ctas, result, until(), after_window);
  if (observation) observation->end_kernel(result);
  if (!result.cut) result.sm.check_conservation();
  timed_cycles += result.cycles;
  timed_instructions += result.thread_instructions;
  limit_reached = result.cut || spec.timed.reached(timed_cycles, timed_instructions);
}

void Device::Impl::run_untimed(const exec::Launch& launch, KernelResult& result) {
  const exec::FunctionalCounts counts = exec::run_functionally(
      launch, memory, {0, spec.gpu.sms(), spec.gpu.sm.max_warps(), spec.gpu.clocks.core_mhz}, stop,
      checker ? &*checker : nullptr);
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

const KernelResult& Device::run(const exec::Launch& launch) {
  KernelResult result;
  result.name = launch.kernel->name;
  result.module = launch.kernel->module;
  result.grid = launch.grid;
  result.block = launch.block;
  result.registers_per_thread = impl_->registers_of(launch);
  result.shared_bytes = launch.kernel->shared_bytes + launch.dynamic_shared_bytes;
  exec::Launch served = launch;
  served.services = &impl_->services;
  if (launch.kernel->uses_heap) impl_->begin_heap(launch.heap_bytes);
  ++impl_->launches;
  const auto begun = std::chrono::steady_clock::now();
  if (impl_->is_timed(launch))
    impl_->run_timed(served, result);
  else
    impl_->run_untimed(served, result);
  impl_->host_time += std::chrono::steady_clock::now() - begun;
  return impl_->results.emplace_back(std::move(result));
}

std::string Device::take_printed() { return impl_->services.printed.take(); }
void Device::set_host(exec::HostSide host) { impl_->services.host = std::move(host); }
std::string Device::take_tolerated_load() {
  return std::exchange(impl_->services.tolerated_load, {});
}
std::size_t Device::take_lost_print() { return impl_->services.printed.take_lost(); }
void Device::limit_print(std::size_t bytes) { impl_->services.printed.set_limit(bytes); }

void Device::copied_to_device(Address first, std::uint64_t bytes) {
  if (impl_->engine && impl_->spec.gpu.memory.memcpy_fills_l2)
    impl_->engine->memory_system().fill_l2(first, bytes);
}

}  // namespace heddle::gpu
