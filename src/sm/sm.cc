#include "sm/sm.h"

#include <algorithm>

#include "sm/sm_impl.h"

namespace heddle::sm {
namespace {

std::vector<std::unique_ptr<WarpScheduler>> policies(const config::SmSpec& spec,
                                                     const Sm::SchedulerFactory& make) {
  std::vector<std::unique_ptr<WarpScheduler>> all;
  for (int i = 0; i < static_cast<int>(spec.schedulers); ++i) all.push_back(make(i));
  return all;
}

}  // namespace

Sm::Impl::Impl(int id, const config::GpuSpec& spec, mem::SmPort& port,
               const SchedulerFactory& make_scheduler)
    : state(id, spec),
      stages(state, port, policies(state.spec.sm, make_scheduler)),
      ctas(state, stages.issue),
      quiescence(state, stages, ctas, port),
      events(state, stages, quiescence),
      effects(state, stages, ctas, events, quiescence),
      pipeline(state, stages, port, ctas, effects, events, quiescence),
      mechanisms(stages) {
  check_invariant(spec.sm.max_warps() <= kMaxWarpsPerSm,
                  "an SM with more than 64 warp slots was configured");
  stages.lsu.listen(effects);
  stages.issue.attach(mechanisms);
}

void Sm::Impl::begin_kernel(const exec::Launch& launch, exec::InstructionSource& source,
                            int ctas_per_sm, Cycle now, std::span<const InstructionTiming> timing,
                            const LaunchKnowledge& known) {
  const ComponentScope scope = state.scope();
  check_invariant(drained(), "a kernel began on an SM that was not drained");
  const ptx::Kernel& kernel = *launch.kernel;
  state.source = &source;
  state.kernel = &kernel;
  if (timing.empty()) own_timing = timing_of(kernel, state.spec.sm);
  state.timing = timing.empty() ? own_timing : timing;
  state.warps.kernel = &kernel;
  state.warps.timing = state.timing.data();
  state.warps.scoreboard.resize(kernel.architectural_registers);
  const int warps_per_cta = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  ctas.begin_kernel(ctas_per_sm, warps_per_cta);
  if (state.sharing) state.sharing->begin_kernel(launch.grid, warps_per_cta);
  const auto threads = static_cast<std::uint32_t>(warps_per_cta * kWarpSize);
  const std::uint64_t device_threads =
      std::uint64_t{threads} * static_cast<std::uint32_t>(ctas_per_sm) * state.spec.sms();
  effects.begin_kernel(
      {device_threads, static_cast<std::uint32_t>(state.id), state.spec.sms(), threads});
  divide_unified_memory((std::uint64_t{kernel.shared_bytes} + launch.dynamic_shared_bytes) *
                        static_cast<std::uint64_t>(ctas_per_sm));
  stages.front_end.begin_kernel(kernel);
  notify_kernel({KernelEvent::What::start, &kernel, now, launch.grid, launch.block, known.analysis,
                 known.cta_direction});
  stages.issue.refresh_subscriptions();
}

// Shared memory gets the smallest size that holds the CTAs, the L1 data cache the rest.
void Sm::Impl::divide_unified_memory(std::uint64_t shared_bytes) {
  const config::SmSpec& spec = state.spec.sm;
  if (spec.unified_bytes == 0 || !stages.lsu.l1d()) return;
  const auto& sizes = spec.shared_sizes;
  const auto fit = std::lower_bound(sizes.begin(), sizes.end(), shared_bytes);
  check_invariant(fit != sizes.end(),
                  "the CTAs of an SM need more shared memory than it can be configured with");
  const std::uint64_t way_bytes = std::uint64_t{spec.l1d.sets()} * spec.l1d.line_bytes;
  stages.lsu.set_l1d_ways(static_cast<std::uint32_t>((spec.unified_bytes - *fit) / way_bytes));
}

void Sm::Impl::notify_kernel(const KernelEvent& event) {
  stages.issue.notify_all(Event::kernel, [&](WarpScheduler& s) { s.on_kernel(event); });
}

bool Sm::Impl::drained() const {
  return ctas.empty() && state.ops.in_use() == 0 && stages.lsu.idle() && stages.front_end.idle();
}

void Sm::Impl::collect_stats() {
  SmStats& stats = state.stats;
  const LoadStoreUnit& lsu = stages.lsu;
  if (lsu.l1d()) stats.l1d = lsu.l1d()->stats();
  if (lsu.l1d() && lsu.l1d()->partition()) stats.l1d_critical = lsu.l1d()->partition()->stats();
  stats.constant = lsu.constant().stats();
  stats.texture = lsu.texture().stats();
  stats.instruction = stages.front_end.cache().stats();
  stats.bank_conflicts = stages.collector.conflicts();
}

void SmMechanisms::share_warps(const WarpSharing& sharing) {
  stages_.issue.share_warps(sharing, stages_.collector);
  stages_.collector.delay_foreign(sharing.penalty_cycles);
}

ReexecutionQueue& SmMechanisms::reexecute_refused(std::uint32_t entries) {
  return stages_.lsu.reexecute_refused(entries);
}

mem::CriticalPartition* SmMechanisms::partition_l1(const mem::CriticalPartition::Options& options,
                                                   mem::CriticalityJudge& judge) {
  mem::Cache* l1d = stages_.lsu.l1d();
  if (!l1d) return nullptr;
  if (!l1d->partition()) {
    const config::CacheSpec& c = l1d->spec();
    l1d->partition(std::make_unique<mem::CriticalPartition>(
        options, judge, c.sets() * c.ways, c.ways, stages_.lsu.lsu_cycles_per_sm_cycle()));
  }
  return l1d->partition();
}

Sm::Sm(int id, const config::GpuSpec& spec, mem::SmPort& port,
       const SchedulerFactory& make_scheduler)
    : impl_(std::make_unique<Impl>(id, spec, port, make_scheduler)) {}
Sm::~Sm() = default;

void Sm::begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                      Cycle now, std::span<const InstructionTiming> timing,
                      const LaunchKnowledge& known) {
  impl_->begin_kernel(launch, source, ctas_per_sm, now, timing, known);
}

void Sm::last_cta_dispatched(Cycle now) {
  impl_->notify_kernel({KernelEvent::What::last_cta_dispatched, impl_->state.kernel, now});
  impl_->quiescence.wake();
}

void Sm::end_kernel(Cycle now) {
  const ComponentScope scope = impl_->state.scope();
  check_invariant(impl_->drained(), "a kernel ended on an SM that was not drained");
  LoadStoreUnit& lsu = impl_->stages.lsu;
  if (lsu.l1d() && impl_->state.spec.sm.flush_l1d_at_kernel_end) lsu.l1d()->invalidate_all();
  lsu.texture().invalidate_all();  // the host may change textures before the next kernel
  impl_->notify_kernel({KernelEvent::What::end, impl_->state.kernel, now});
  impl_->stages.issue.refresh_subscriptions();
  impl_->collect_stats();
  impl_->state.stats.check_conservation();
}

void Sm::run(Cycle from, Cycle to) {
  const ComponentScope scope = impl_->state.scope();
  for (Cycle now = from; now < to;) {
    const Cycle next = std::min(impl_->quiescence.next_event(now), to);
    if (next > now) {
      impl_->pipeline.skip(now, next - now);
      now = next;
    } else {
      impl_->pipeline.cycle(now);
      ++now;
    }
  }
}

void Sm::prefetch() const {
  const auto prefetch = [](const auto& part, std::size_t max_bytes) {
    const char* const first = reinterpret_cast<const char*>(&part);
    for (std::size_t line = 0; line < std::min(max_bytes, sizeof part); line += 64)
      __builtin_prefetch(first + line);
  };
  prefetch(impl_->state.clock, 64);
  prefetch(impl_->state.warps.resident, 64);
  prefetch(impl_->state.warps.head_unit, 64);
  prefetch(impl_->stages.collector, 5 * 64);
  prefetch(impl_->stages.units, 2 * 64);
  prefetch(impl_->stages.lsu, 4 * 64);
  prefetch(impl_->stages.front_end, 2 * 64);
  prefetch(impl_->stages.issue, 2 * 64);
  prefetch(impl_->quiescence, 64);
}

void Sm::observe(SmObserver* observer) {
  impl_->state.observer = observer;
  impl_->stages.issue.observe(observer);
}

void Sm::watch_cta_sharing() {
  if (const mem::Cache* l1d = impl_->stages.lsu.l1d())
    impl_->state.sharing = std::make_unique<CtaSharing>(*l1d);
}
const CtaSharingStats* Sm::cta_sharing() const {
  return impl_->state.sharing ? &impl_->state.sharing->stats() : nullptr;
}

int Sm::free_cta_slots() const { return impl_->ctas.free(); }
void Sm::queue_cta(std::uint64_t cta_linear, Cycle at) { impl_->ctas.queue(cta_linear, at); }
bool Sm::has_subscriber(Event event) const { return impl_->stages.issue.has_subscriber(event); }
bool Sm::drained() const { return impl_->drained(); }
Cycle Sm::next_event(Cycle from) const { return impl_->quiescence.next_event(from); }
const SmStats& Sm::stats() const {
  impl_->collect_stats();
  return impl_->state.stats;
}
void Sm::report(PolicyReport& into, Cycle now) const { impl_->stages.issue.report(into, now); }
std::vector<std::string> Sm::describe_warps(WarpMask livelocked) const {
  return impl_->ctas.describe_warps(livelocked);
}
WarpMask Sm::live_warps() const { return impl_->state.warps.live; }
WarpMask Sm::warps_at_barrier() const {
  const WarpTable& warps = impl_->state.warps;
  WarpMask mask;
  warps.live.for_each([&](WarpSlot w) { mask.assign(w, warps[w].at_barrier); });
  return mask;
}
std::vector<exec::StartedCta> Sm::started_ctas() const { return impl_->ctas.started_ctas(); }
std::vector<std::uint64_t> Sm::queued_ctas() const { return impl_->ctas.queued_ctas(); }
std::vector<Sm::FinishedCta> Sm::take_finished_ctas() { return impl_->ctas.take_finished(); }

void Sm::count(const CtaCounting& wanted) {
  if (wanted.issues || wanted.states) impl_->state.counters = std::make_unique<CtaCounters>(wanted);
}
void Sm::set_paused(std::uint64_t cta, bool paused) {
  impl_->ctas.set_paused(cta, paused);
  impl_->quiescence.wake();
}
std::vector<Sm::ResidentCta> Sm::resident_ctas() const { return impl_->ctas.resident_ctas(); }
WarpStates Sm::take_warp_states() {
  return impl_->state.counters ? impl_->state.counters->take_states() : WarpStates{};
}

}  // namespace heddle::sm
