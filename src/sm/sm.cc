#include "sm/sm.h"

#include <algorithm>

#include "sm/cta/occupancy.h"
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
      ctas(state, stages),
      quiescence(state, stages, ctas, port),
      events(state, stages, quiescence),
      effects(state, stages, ctas, events, quiescence),
      pipeline(state, stages, port, ctas, effects, events, quiescence),
      mechanisms(stages, state.warps) {
  check_invariant(spec.sm.max_warps() <= kMaxWarpsPerSm,
                  "an SM with more than 64 warp slots was configured");
  stages.lsu.listen(effects);
  stages.policies.attach(mechanisms);
}

KernelContext& Sm::Impl::context(int number) {
  const auto i = static_cast<std::size_t>(number);
  if (i >= state.kernels.size()) state.kernels.resize(i + 1);
  if (!state.kernels[i]) state.kernels[i] = std::make_unique<KernelContext>();
  return *state.kernels[i];
}

void Sm::Impl::begin_kernel(const exec::Launch& launch, exec::InstructionSource& source,
                            int ctas_per_sm, Cycle now, const KernelPlace& place) {
  const ComponentScope scope = state.scope();
  const isa::Kernel& kernel = *launch.kernel;
  KernelContext& k = context(place.number);
  check_invariant(!k.active, "a kernel began under the number of a running kernel");
  const int warps = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  check_invariant(ctas_per_sm > 0 && ctas_per_sm * warps <= kMaxWarpsPerSm,
                  "the CTAs of a kernel need more warp slots than an SM has");
  const bool alone = drained();
  collect_stats();
  const std::uint64_t latency = state.spec.kernel_launch_latency;
  const std::uint64_t still = state.standstill.kernel_began(
      place.number, Cycle{now.value - std::min<std::uint64_t>(now.value, latency)});
  if (state.spec.sm.flow.schedulers_run_without_warps) stages.lsu.stand_still(still);
  k.index = place.number;
  k.active = true;
  k.kernel = &kernel;
  k.source = &source;
  if (place.timing.empty()) k.own_timing = timing_of(kernel, state.spec.sm);
  k.timing = place.timing.empty() ? k.own_timing.data() : place.timing.data();
  k.code = kernel.instructions.data();
  k.code_size = kernel.instructions.size();
  k.code_base = stages.front_end.place_code(kernel, launch.address_space);
  k.address_space = launch.address_space.offset();
  const auto threads = static_cast<std::uint32_t>(warps * kWarpSize);
  k.cta = {warps, registers_of_cta(threads, place.registers_per_thread),
           std::uint64_t{kernel.shared_bytes} + launch.dynamic_shared_bytes};
  k.most_ctas = ctas_per_sm;
  k.layout = {std::uint64_t{threads} * static_cast<std::uint32_t>(ctas_per_sm) * state.spec.sms(),
              static_cast<std::uint32_t>(state.id), state.spec.sms(), threads,
              static_cast<std::uint64_t>(place.number) * kLocalStride};
  k.stats = {};
  k.quota = k.quota_left = KernelContext::kNoQuota;
  if (alone) {
    stages.front_end.forget_fetch();
    state.warps.scoreboard.resize(most_registers());
    divide_unified_memory();
  } else {
    state.warps.scoreboard.grow(kernel.architectural_registers);
  }
  if (ctas.resident() == 0) stages.count_for(state, k);
  if (state.sharing) state.sharing->begin_kernel(launch.grid, warps);
  notify_kernel({KernelEvent::What::start, &kernel, now, launch.grid, launch.block, place.analysis,
                 place.cta_direction, k.index});
  stages.policies.refresh_subscriptions();
}

// Other kernels may have begun here although none of their CTAs has started.
std::uint32_t Sm::Impl::most_registers() const {
  std::uint32_t most = 0;
  for (const auto& k : state.kernels)
    if (k && k->active) most = std::max(most, k->kernel->architectural_registers);
  return most;
}

// The SM holds none of the kernel's CTAs. The instruction cache may still fetch for it.
void Sm::Impl::end_kernel(KernelContext& k, Cycle now) {
  const ComponentScope scope = state.scope();
  check_invariant(k.active && k.ctas() == 0, "a kernel ended on an SM that holds its CTAs");
  LoadStoreUnit& lsu = stages.lsu;
  if (ctas.empty()) {
    if (lsu.l1d() && state.spec.sm.flush_l1d_at_kernel_end) lsu.l1d()->invalidate_all();
    lsu.texture().invalidate_all();  // the host may change textures before the next kernel
  }
  notify_kernel(
      {KernelEvent::What::end, k.kernel, now, {}, {}, nullptr, analysis::Direction::none, k.index});
  stages.policies.refresh_subscriptions();
  state.standstill.last_cta_starts(k.index, now, !ctas.empty());
  collect_stats();
  k.stats.check_conservation();
  stats::add(state.no_kernel.stats, k.stats);
  k.active = false;
  if (state.has_quotas) ctas.pauses().set_quota(k, KernelContext::kNoQuota);
  if (state.acting == &k) stages.count_for(state, state.no_kernel);
}

// Shared memory gets the smallest size that holds the CTAs of the kernels that have begun, at most
// the largest size; the L1 data cache gets the rest. Only an SM without CTAs can be divided anew.
void Sm::Impl::divide_unified_memory() {
  const config::SmSpec& spec = state.spec.sm;
  ctas.set_shared_bytes(spec.shared_bytes);
  if (spec.unified_bytes == 0 || !stages.lsu.l1d()) return;
  const auto& sizes = spec.shared_sizes;
  auto fit = std::lower_bound(sizes.begin(), sizes.end(), wanted_shared_bytes());
  if (fit == sizes.end()) --fit;
  ctas.set_shared_bytes(*fit);
  const std::uint64_t way_bytes = std::uint64_t{spec.l1d.sets()} * spec.l1d.line_bytes;
  stages.lsu.l1d()->set_ways(static_cast<std::uint32_t>((spec.unified_bytes - *fit) / way_bytes));
}

void Sm::Impl::notify_kernel(const KernelEvent& event) {
  if (ctas.resident() > 0) quiescence.wake();  // policies may decide otherwise from now on
  stages.policies.notify_all(Event::kernel, [&](WarpScheduler& s) { s.on_kernel(event); });
}

// An SM without CTAs can be divided anew for the kernel.
int Sm::Impl::free_cta_slots(int number) {
  const bool must_wait = ctas.empty() && shared_memory_is_small() && !drained();
  return must_wait ? 0 : ctas.room(context(number));
}

void Sm::Impl::queue_cta(KernelContext& k, std::uint64_t cta_linear, Cycle at) {
  if (ctas.empty() && shared_memory_is_small()) divide_unified_memory();
  ctas.queue(k, cta_linear, at);
}

// The SM was divided for kernels that have ended.
bool Sm::Impl::shared_memory_is_small() const {
  const config::SmSpec& spec = state.spec.sm;
  return spec.unified_bytes != 0 && stages.lsu.l1d() &&
         ctas.shared_bytes() <
             std::min<std::uint64_t>(spec.shared_sizes.back(), wanted_shared_bytes());
}

std::uint64_t Sm::Impl::wanted_shared_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& k : state.kernels)
    if (k && k->active) bytes += k->cta.shared_bytes * static_cast<std::uint64_t>(k->most_ctas);
  return bytes;
}

bool Sm::Impl::drained() const {
  return ctas.empty() && state.ops.in_use() == 0 && stages.lsu.idle() && stages.front_end.idle();
}

void Sm::Impl::collect_stats() {
  pipeline.count_repeated_slots();
  state.attribute_cycles();
  const std::uint64_t conflicts =
      stages.guided ? stages.guided->conflicts() : stages.collector.conflicts();
  if (stages.guided) state.acting->stats.reuse_hits += stages.guided->take_reuse_hits();
  state.acting->stats.bank_conflicts += conflicts - counted_bank_conflicts;
  counted_bank_conflicts = conflicts;
  if (!mechanisms.partition()) return;
  const mem::CriticalPartitionStats& now = mechanisms.partition()->stats();
  mem::CriticalPartitionStats since = now;
  stats::subtract(since, counted_l1d_critical);
  stats::add(state.acting->stats.l1d_critical, since);
  counted_l1d_critical = now;
}

// Schedulers with the same collectors accept an instruction all or not at all: then no warp waits
// that another scheduler accepts.
void SmMechanisms::share_warps(const WarpSharing& sharing) {
  const bool by_collectors = sharing.moment == WarpSharing::Moment::before_issue &&
                             !sharing.reads_latches && !stages_.guided;
  if (by_collectors && stages_.collector.serves_alike()) return;
  stages_.issue.share_warps(sharing, stages_.collector);
  stages_.collector.delay_foreign(sharing.penalty_cycles);
}

void SmMechanisms::track_loaded_registers() { warps_.scoreboard.track_loaded(); }

ReexecutionQueue& SmMechanisms::reexecute_refused(std::uint32_t entries) {
  return stages_.lsu.reexecute_refused(entries);
}

mem::CriticalPartition* SmMechanisms::partition_l1(const mem::CriticalPartition::Options& options,
                                                   mem::CriticalityJudge& judge) {
  mem::Cache* l1d = stages_.lsu.l1d();
  if (!l1d || partition_) return partition_;
  auto partition = std::make_unique<mem::CriticalPartition>(options, judge,
                                                            stages_.lsu.lsu_cycles_per_sm_cycle());
  partition_ = partition.get();
  l1d->replace_by(std::move(partition));
  return partition_;
}

Sm::Sm(int id, const config::GpuSpec& spec, mem::SmPort& port,
       const SchedulerFactory& make_scheduler)
    : impl_(std::make_unique<Impl>(id, spec, port, make_scheduler)) {}
Sm::~Sm() = default;

void Sm::begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                      Cycle now, const KernelPlace& place) {
  impl_->begin_kernel(launch, source, ctas_per_sm, now, place);
}

void Sm::last_cta_dispatched(Cycle now, int kernel) {
  impl_->notify_kernel({KernelEvent::What::last_cta_dispatched,
                        impl_->context(kernel).kernel,
                        now,
                        {},
                        {},
                        nullptr,
                        analysis::Direction::none,
                        kernel});
  impl_->state.standstill.last_cta_starts(kernel, now, has_ctas());
  impl_->quiescence.wake();
}

std::uint64_t Sm::warm_code(const isa::Kernel& kernel, AddressSpace space) {
  return impl_->stages.front_end.warm_code(kernel, space);
}

void Sm::end_kernel(Cycle now, int kernel) { impl_->end_kernel(impl_->context(kernel), now); }

void Sm::run(Cycle from, Cycle to) {
  const ComponentScope scope = impl_->state.scope();
  for (Cycle now = from; now < to;) {
    const Cycle next = std::min(impl_->quiescence.next_event(now), to);
    if (next > now) {
      impl_->pipeline.skip(now, next - now);
      now = next;
      continue;
    }
    if (impl_->quiescence.only_reply_at(now) && impl_->pipeline.take_part_of_fetch(now))
      ++now;
    else
      now = impl_->pipeline.run(now, to);
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
  prefetch(impl_->stages.collector, 5 * 64);
  prefetch(impl_->stages.units, 2 * 64);
  prefetch(impl_->stages.lsu, 4 * 64);
  prefetch(impl_->stages.front_end, 2 * 64);
  prefetch(impl_->stages.issue, 2 * 64);
  prefetch(impl_->quiescence, 64);
}

void Sm::observe(SmObserver* observer) {
  impl_->pipeline.count_repeated_slots();
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

int Sm::free_cta_slots(int kernel) const { return impl_->free_cta_slots(kernel); }
void Sm::queue_cta(std::uint64_t cta_linear, Cycle at, int kernel) {
  impl_->queue_cta(impl_->context(kernel), cta_linear, at);
}
bool Sm::has_ctas() const { return !impl_->ctas.empty(); }
int Sm::ctas(int kernel) const { return impl_->context(kernel).ctas(); }
bool Sm::has_subscriber(Event event) const { return impl_->stages.policies.has_subscriber(event); }
bool Sm::drained() const { return impl_->drained(); }
Cycle Sm::next_event(Cycle from) const { return impl_->quiescence.next_event(from); }
SmStats Sm::stats() const {
  impl_->collect_stats();
  SmStats sum = impl_->state.no_kernel.stats;
  for (const auto& k : impl_->state.kernels)
    if (k && k->active) stats::add(sum, k->stats);
  static_cast<CycleStats&>(sum) = impl_->state.cycles;
  return sum;
}
CycleStats Sm::repeated_cycles() const {
  impl_->collect_stats();
  const SmState& state = impl_->state;
  CycleStats repeated = state.no_kernel.stats;
  for (const auto& k : state.kernels)
    if (k && k->active) stats::add<CycleStats>(repeated, k->stats);
  stats::subtract(repeated, state.cycles);
  return repeated;
}
std::uint64_t Sm::thread_instructions() const {
  std::uint64_t sum = impl_->state.no_kernel.stats.thread_instructions;
  for (const auto& k : impl_->state.kernels)
    if (k && k->active) sum += k->stats.thread_instructions;
  return sum;
}
SmStats Sm::kernel_stats(int kernel) const {
  impl_->collect_stats();
  return impl_->context(kernel).stats;
}
void Sm::report(PolicyReport& into, Cycle now) const { impl_->stages.policies.report(into, now); }
std::vector<std::string> Sm::describe_warps(WarpMask livelocked) const {
  return impl_->ctas.describe_warps(livelocked);
}
WarpMask Sm::live_warps(int kernel) const {
  const WarpTable& warps = impl_->state.warps;
  WarpMask mask;
  warps.live.for_each([&](WarpSlot w) { mask.assign(w, warps[w].kernel->index == kernel); });
  return mask;
}
WarpMask Sm::warps_at_barrier(int kernel) const {
  const WarpTable& warps = impl_->state.warps;
  WarpMask mask;
  live_warps(kernel).for_each([&](WarpSlot w) { mask.assign(w, warps[w].at_barrier); });
  return mask;
}
std::vector<exec::StartedCta> Sm::started_ctas(int kernel) const {
  return impl_->ctas.started_ctas(impl_->context(kernel));
}
std::vector<std::uint64_t> Sm::queued_ctas(int kernel) const {
  return impl_->ctas.queued_ctas(impl_->context(kernel));
}
std::vector<RemoteRequest> Sm::take_remote_requests() {
  return impl_->stages.lsu.remote().take_requests();
}
void Sm::answer_remote(const RemoteRequest& request, Cycle at) {
  impl_->stages.lsu.remote().answer(request, at);
}
void Sm::open_cluster_barrier(std::uint64_t cta, Cycle at, int kernel) {
  impl_->ctas.queue_opening(impl_->context(kernel), cta, at);
}
std::vector<FinishedCta> Sm::take_finished_ctas() { return impl_->ctas.take_finished(); }

void Sm::count(const CtaCounting& wanted) {
  impl_->pipeline.count_repeated_slots();
  if (wanted.issues || wanted.states) impl_->state.counters = std::make_unique<CtaCounters>(wanted);
}
void Sm::set_quota(int kernel, std::uint64_t instructions) {
  impl_->ctas.pauses().set_quota(impl_->context(kernel), instructions);
  impl_->quiescence.wake();
}
Sm::Issued Sm::issued(int kernel) const {
  const SmStats& stats = impl_->context(kernel).stats;
  return {stats.warp_instructions, stats.thread_instructions};
}
void Sm::set_paused(std::uint64_t cta, bool paused, int kernel) {
  impl_->ctas.pauses().set(impl_->context(kernel), cta, paused);
  impl_->quiescence.wake();
}
void Sm::resume_calls() {
  WarpTable& warps = impl_->state.warps;
  for (int i = 0; i < kMaxWarpsPerSm; ++i) {
    const WarpSlot w{i};
    Warp& warp = warps[w];
    if (!warp.at_device_call || !warp.kernel->source->call_returned(w)) continue;
    warp.at_device_call = false;
    warps.refresh_waiting(w);
  }
  impl_->quiescence.wake();
}
std::vector<ResidentCta> Sm::resident_ctas(int kernel) const {
  return impl_->ctas.resident_ctas(impl_->context(kernel));
}
WarpStates Sm::take_warp_states() {
  return impl_->state.counters ? impl_->state.counters->take_states() : WarpStates{};
}

}  // namespace heddle::sm
