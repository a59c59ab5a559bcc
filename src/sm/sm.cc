#include "sm/sm.h"

#include <algorithm>

#include "sm/sm_impl.h"

namespace heddle::sm {
namespace {

constexpr auto kMemory = static_cast<std::size_t>(index(UnitClass::mem));

LatchSets latch_sets(const config::PerUnit& counts, const config::SmSpec& spec) {
  LatchSets sets;
  for (int u = 0; u < kUnitClasses; ++u)
    sets.build(static_cast<std::size_t>(u),
               LatchSet(count_of(counts, static_cast<UnitClass>(u)), spec.sub_cores));
  return sets;
}

std::vector<std::unique_ptr<WarpScheduler>> policies(const config::SmSpec& spec,
                                                     const Sm::SchedulerFactory& make) {
  std::vector<std::unique_ptr<WarpScheduler>> all;
  for (int i = 0; i < static_cast<int>(spec.schedulers); ++i) all.push_back(make(i));
  return all;
}

}  // namespace

Sm::Impl::Impl(int sm, const config::GpuSpec& gpu, mem::SmPort& p,
               const SchedulerFactory& make_scheduler)
    : id(sm),
      spec(gpu),
      port(p),
      warps(kMaxWarpsPerSm),
      issued(latch_sets(spec.sm.issue_latches, spec.sm)),
      gathered(latch_sets(spec.sm.dispatch_latches, spec.sm)),
      collector(spec.sm, pool, issued, gathered),
      units(spec.sm, pool, gathered),
      lsu(id, spec.sm, port, pool, collector, stats, *this),
      front(id, spec.sm, port, warps, stats),
      schedulers(id, spec.sm, policies(spec.sm, make_scheduler), warps, issued, stats),
      memory(spec.sm, stats),
      barriers(kMaxWarpsPerSm) {
  check_invariant(spec.sm.max_warps() <= kMaxWarpsPerSm, "an SM has at most 64 warp slots");
  if (lsu.l1d() && schedulers.has_subscriber(Event::l1_evict)) lsu.l1d()->listen(this);
  schedulers.attach(*this);
}

mem::CriticalPartition* Sm::Impl::partition_l1(const mem::CriticalPartition::Options& options,
                                               mem::CriticalityJudge& judge) {
  mem::Cache* l1d = lsu.l1d();
  if (!l1d) return nullptr;
  if (!l1d->partition()) {
    const config::CacheSpec& c = l1d->spec();
    l1d->partition(std::make_unique<mem::CriticalPartition>(options, judge, c.sets() * c.ways,
                                                            c.ways, lsu.cycles_in_one_of_the_sm()));
  }
  return l1d->partition();
}

void Sm::Impl::run(Cycle from, Cycle to) {
  for (Cycle now = from; now < to;) {
    const Cycle next = resting ? std::min(next_event(now), to) : now;
    if (next > now) {
      skip(now, next - now);
      now = next;
    } else {
      cycle(now);
      ++now;
    }
  }
}

void Sm::Impl::cycle(Cycle now) {
  clock = now;
  while (!queued.empty() && queued.front().at <= now) {
    start_cta(queued.front().linear, now);
    disturbed = true;
    queued.erase(queued.begin());
  }
  take_reply(now);
  units.take_results(now, [&](OpId op) {
    collector.write(pool[op].warp, pool[op].home, *pool[op].instruction);
    complete(op);
  });
  if (!core_rests && gathered.filled()) units.accept(now);
  lsu.cycle(now);
  if (schedulers.has_subscriber(Event::l1_pressure)) notify_l1_pressure(now);
  if (core_still_rests(now)) {
    collector.skip_step();
    count_cycles(now, 1);
    resting = lsu_rests(now);
    return;
  }
  if (const LatchSet& latch = gathered[kMemory]; !latch.empty() && lsu.can_accept()) {
    const OpId op = gathered.take(kMemory, latch.oldest(pool));
    lsu.accept(op);
    const Op& o = pool[op];
    if (schedulers.has_subscriber(Event::coalesced) && !o.accesses.empty() &&
        o.instruction->is_long())
      schedulers.notify(o.warp, Event::coalesced, [&](WarpScheduler& s) {
        s.on_coalesced({o.warp, o.pc, o.instruction->is_load(), static_cast<int>(o.accesses.size()),
                        o.executed.count(), lsu.through_l1d(o)});
      });
  }
  collector.step(now);
  const WarpMask ready = warps.ready, valid = warps.valid, waiting = warps.waiting,
                 live = warps.live;
  bool moved = false;
  if (resident_ctas > 0) {
    ++stats.cycles;
    stats.resident_warp_cycles += static_cast<std::uint64_t>(warps.resident.count());
    stats.resident_cta_cycles += static_cast<std::uint64_t>(resident_ctas);
    moved = schedulers.cycle(now, *this);
    if (observer) report_passed_cycles(now, 1);
  }
  for (std::uint32_t i = 0; i < std::max(1u, spec.sm.fetch_throughput) && !front.quiet(); ++i) {
    if (const WarpSlot w = front.decode()) source->prefetch(w);
    front.fetch(now, [&](WarpSlot w) { warp_done(w, now); });
  }
  disturbed = false;
  core_rests = !moved && ready == warps.ready && valid == warps.valid && waiting == warps.waiting &&
               live == warps.live && core_may_rest();
  resting = core_rests && lsu_rests(now);
}

void Sm::Impl::notify_l1_pressure(Cycle at) {
  if (!lsu.l1d()) return;
  const L1Pressure now{static_cast<int>(lsu.l1d()->mshr_free()),
                       static_cast<int>(lsu.l1d()->miss_queue_free()), at};
  if (now.mshr_free == pressure.mshr_free && now.miss_queue_free == pressure.miss_queue_free)
    return;
  pressure = now;
  disturbed |= schedulers.notify_l1_pressure(now);
}

void Sm::Impl::take_reply(Cycle now) {
  if (!port.has_reply(now)) return;
  const mem::Packet& reply = port.reply();
  if (reply.client == mem::Client::instruction) {
    front.fill(reply, now);
    disturbed = true;
  } else {
    if (!lsu.can_take_reply()) return;
    lsu.take_reply(reply);
    if (reply.reuse != mem::Reuse::none)
      schedulers.notify(reply.warp, Event::l2_reuse, [&](WarpScheduler& s) {
        s.on_l2_reuse({reply.warp, reply.reuse == mem::Reuse::own, now});
      });
  }
  port.pop_reply();
  ++stats.replies_taken;
}

// Whether all but the load/store unit can do nothing in the next cycles, until that unit or a
// result disturbs it.
bool Sm::Impl::core_may_rest() const {
  if (!front.quiet() || warps.mismatched.any() || !collector.stuck()) return false;
  if (schedulers.has_subscriber(Event::cycle)) return false;
  return (gathered.filled() & ~(1u << kMemory)) == 0 && !lsu_can_be_fed();
}

bool Sm::Impl::lsu_can_be_fed() const {
  return (gathered.filled() & 1u << kMemory) != 0 && lsu.can_accept();
}

bool Sm::Impl::core_still_rests(Cycle now) const {
  return core_rests && !disturbed && !lsu_can_be_fed() &&
         (resident_ctas == 0 || schedulers.wake_at(now) > now);
}

// Whether the load/store unit can do nothing from the next cycle on but wait for what next_event()
// knows.
bool Sm::Impl::lsu_rests(Cycle now) const { return lsu.quiet(now + 1); }

Cycle Sm::Impl::next_event(Cycle from) const {
  if (!resting) return from;
  Cycle next = std::min({units.next_result(from), lsu.next_event(), port.next_reply()});
  if (resident_ctas > 0) next = std::min(next, schedulers.wake_at(from));
  if (!queued.empty()) next = std::min(next, queued.front().at);
  return std::max(next, from);
}

void Sm::Impl::skip(Cycle from, std::uint64_t cycles) {
  lsu.repeat(cycles);
  count_cycles(from, cycles);
}

// Cycles in which the core rests: the schedulers' slots are used as in the cycle before.
void Sm::Impl::count_cycles(Cycle from, std::uint64_t cycles) {
  if (resident_ctas == 0) return;
  stats.cycles += cycles;
  stats.resident_warp_cycles += cycles * static_cast<std::uint64_t>(warps.resident.count());
  stats.resident_cta_cycles += cycles * static_cast<std::uint64_t>(resident_ctas);
  schedulers.repeat(from, cycles);
  if (observer) report_passed_cycles(from, cycles);
}

void Sm::Impl::report_passed_cycles(Cycle first, std::uint64_t cycles) {
  const mem::Cache* l1d = lsu.l1d();
  observer->passed({first, cycles, warps, issued, schedulers.schedulers(),
                    l1d ? l1d->mshr_used() : 0,
                    l1d ? spec.sm.l1d.miss_queue - l1d->miss_queue_free() : 0});
}

bool Sm::Impl::drained() const {
  return resident_ctas == 0 && queued.empty() && pool.in_use() == 0 && lsu.idle() && front.idle();
}

void Sm::Impl::collect_stats() {
  if (lsu.l1d()) stats.l1d = lsu.l1d()->stats();
  if (lsu.l1d() && lsu.l1d()->partition()) stats.l1d_critical = lsu.l1d()->partition()->stats();
  stats.constant = lsu.constant().stats();
  stats.texture = lsu.texture().stats();
  stats.instruction = front.cache().stats();
  stats.bank_conflicts = collector.conflicts();
}

Sm::Sm(int id, const config::GpuSpec& spec, mem::SmPort& port,
       const SchedulerFactory& make_scheduler)
    : impl_(std::make_unique<Impl>(id, spec, port, make_scheduler)) {}
Sm::~Sm() = default;

void Sm::begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                      Cycle now, std::span<const InstructionTiming> timing) {
  impl_->begin_kernel(launch, source, ctas_per_sm, now, timing);
}

void Sm::end_kernel(Cycle now) {
  check_invariant(impl_->drained(), "an SM is empty when its kernel ends");
  if (impl_->lsu.l1d() && impl_->spec.sm.flush_l1d_at_kernel_end)
    impl_->lsu.l1d()->invalidate_all();
  impl_->lsu.texture().invalidate_all();  // the next kernel may find other texels there
  impl_->schedulers.notify_all(Event::kernel, [&](WarpScheduler& s) {
    s.on_kernel({KernelEvent::What::end, impl_->kernel, now});
  });
  impl_->schedulers.ask_again();
  impl_->collect_stats();
  impl_->stats.check_conservation();
}

void Sm::last_cta_dispatched(Cycle now) {
  impl_->schedulers.notify_all(Event::kernel, [&](WarpScheduler& s) {
    s.on_kernel({KernelEvent::What::last_cta_dispatched, impl_->kernel, now});
  });
  impl_->resting = impl_->core_rests = false;
}

int Sm::free_cta_slots() const {
  return static_cast<int>(impl_->ctas.size()) - impl_->resident_ctas -
         static_cast<int>(impl_->queued.size());
}
void Sm::queue_cta(std::uint64_t cta_linear, Cycle at) {
  check_invariant(free_cta_slots() > 0, "a CTA is queued where it has room");
  impl_->queued.push_back({cta_linear, at});
}
bool Sm::has_subscriber(Event event) const { return impl_->schedulers.has_subscriber(event); }
void Sm::run(Cycle from, Cycle to) { impl_->run(from, to); }
void Sm::prefetch() const {
  const auto bring = [](const auto& part, std::size_t most) {
    const char* const place = reinterpret_cast<const char*>(&part);
    for (std::size_t line = 0; line < std::min(most, sizeof part); line += 64)
      __builtin_prefetch(place + line);
  };
  bring(impl_->warps.resident, 64);
  bring(impl_->warps.head_unit, 64);
  bring(impl_->collector, 5 * 64);
  bring(impl_->units, 2 * 64);
  bring(impl_->lsu, 4 * 64);
  bring(impl_->front, 2 * 64);
  bring(impl_->schedulers, 2 * 64);
  bring(impl_->clock, 64);
}
void Sm::observe(SmObserver* observer) {
  impl_->observer = observer;
  impl_->schedulers.observe(observer);
}
bool Sm::drained() const { return impl_->drained(); }
Cycle Sm::next_event(Cycle from) const { return impl_->next_event(from); }
const SmStats& Sm::stats() const {
  impl_->collect_stats();
  return impl_->stats;
}
void Sm::report(PolicyReport& into, Cycle now) const { impl_->schedulers.report(into, now); }
std::vector<std::string> Sm::describe_warps(WarpMask turning) const {
  return impl_->describe_warps(turning);
}
WarpMask Sm::live_warps() const { return impl_->warps.live; }
WarpMask Sm::warps_at_barrier() const {
  WarpMask mask;
  impl_->warps.live.for_each([&](WarpSlot w) { mask.assign(w, impl_->warps[w].at_barrier); });
  return mask;
}
std::vector<exec::StartedCta> Sm::started_ctas() const { return impl_->started_ctas(); }
std::vector<std::uint64_t> Sm::queued_ctas() const {
  std::vector<std::uint64_t> list;
  for (const auto& cta : impl_->queued) list.push_back(cta.linear);
  return list;
}
std::vector<Sm::FinishedCta> Sm::take_finished_ctas() { return std::exchange(impl_->finished, {}); }

}  // namespace heddle::sm
