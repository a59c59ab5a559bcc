#include "sm/cycle/pipeline.h"

namespace heddle::sm {
namespace {

LatchSets latch_sets(const config::PerUnit& counts, const config::SmSpec& spec) {
  LatchSets sets;
  for (int u = 0; u < kUnitClasses; ++u)
    sets.build(static_cast<std::size_t>(u),
               LatchSet(count_of(counts, static_cast<UnitClass>(u)), spec.sub_cores));
  return sets;
}

}  // namespace

Stages::Stages(SmState& state, mem::SmPort& port,
               std::vector<std::unique_ptr<WarpScheduler>> schedulers)
    : issued(latch_sets(state.spec.sm.issue_latches, state.spec.sm)),
      collected(latch_sets(state.spec.sm.dispatch_latches, state.spec.sm)),
      registers(state.spec.sm),
      collector(state.spec.sm, state.ops, registers, issued, collected),
      units(state.spec.sm, state.ops, collected),
      guided(state.warps.guided ? std::make_unique<GuidedBackEnd>(state.spec.sm, state.ops, issued,
                                                                  collected, registers)
                                : nullptr),
      lsu(state.id, state.spec, port, state.ops, state.warps, collector, registers,
          state.no_kernel),
      front_end(state.id, state.spec.sm, port, state.warps, state.no_kernel),
      policies(std::move(schedulers)),
      issue(state.id, state.spec.sm, policies, state.warps, issued) {}

void Stages::count_for(SmState& state, KernelContext& kernel) {
  state.acting = &kernel;
  lsu.count_for(kernel);
  front_end.count_for(kernel);
  issue.count_for(kernel, state.several_kernels());
}

void Pipeline::cycle(Cycle now) {
  state_.clock = now;
  start_queued_ctas(now);
  if (ctas_.next_opening() <= now) [[unlikely]]
    open_cluster_barriers(now);
  for (std::uint32_t n = 0; n < state_.spec.sm.replies_per_cycle && receive_reply(now); ++n) {}
  write_back_results(now);
  start_execution(now);
  access_memory(now);
  if (stages_.guided) stages_.guided->write_results(now);
  if (quiescence_.core_stays_quiescent(now)) {
    stages_.registers.end_step();
    repeat_issue_slots(now, 1);
    quiescence_.end_core_repeat(now);
    return;
  }
  dispatch_to_load_store_unit();
  collect_operands(now);
  issue(now);
  decode_and_fetch(now);
  // A unit of a compiler-guided core may have opened.
  const bool may_open = stages_.guided && stages_.issue.waits_for_units();
  quiescence_.end_cycle(now, [&] {
    return (!moved_ && !may_open && seen_ == state_.warps.sets()) || nothing_can_issue();
  });
}

void Pipeline::start_queued_ctas(Cycle now) {
  while (ctas_.next_start() <= now) {
    count_repeated_slots();
    ctas_.start_next(now);
    quiescence_.disturb_core();
  }
}

void Pipeline::open_cluster_barriers(Cycle now) {
  count_repeated_slots();
  while (ctas_.next_opening() <= now)
    if (const int cta = ctas_.pop_opening(); cta >= 0) effects_.open_cluster_barrier(cta);
  quiescence_.disturb_core();
}

// Returns whether it took one.
bool Pipeline::receive_reply(Cycle now) {
  if (!port_.has_reply(now)) return false;
  const mem::Packet& reply = port_.reply();
  if (reply.client == mem::Client::instruction) {
    stages_.front_end.fill(reply, now);
    quiescence_.disturb_core();
  } else {
    if (!stages_.lsu.can_take_reply()) return false;
    stages_.lsu.take_reply(reply, now);
    events_.notify_l2_reuse(reply, now);
  }
  ++statistics_of(reply.origin.kernel).replies_taken;
  port_.pop_reply();
  return true;
}

void Pipeline::write_back_results(Cycle now) {
  if (stages_.guided)
    return stages_.guided->take_events(
        now, [&](OpId id) { effects_.complete(id); },
        [&](const GuidedBackEnd::Read& read) { effects_.operands_read(read); });
  stages_.units.take_results(now, [&](OpId id) {
    const Op& op = state_.ops[id];
    stages_.registers.write(op.warp, op.home, *op.timing);
    effects_.complete(id);
  });
}

void Pipeline::start_execution(Cycle now) {
  if (stages_.guided) return;
  if (!quiescence_.core_quiescent() && (stages_.collected.filled() & ~(1u << kMemoryUnit)) != 0)
    stages_.units.accept(now);
}

void Pipeline::access_memory(Cycle now) {
  stages_.lsu.cycle(now);
  events_.notify_l1_pressure(now);
}

void Pipeline::dispatch_to_load_store_unit() {
  const LatchSet& latch = stages_.collected[kMemoryUnit];
  if (latch.empty() || !stages_.lsu.can_accept()) return;
  if (stages_.guided) {
    if (!stages_.guided->memory_ready(state_.clock)) return;
    stages_.guided->memory_accepted(state_.clock);
  }
  const OpId id = stages_.collected.take(kMemoryUnit, latch.oldest(state_.ops));
  stages_.lsu.accept(id);
  events_.notify_coalesced(state_.ops[id]);
}

void Pipeline::collect_operands(Cycle now) {
  if (stages_.guided) {
    stages_.guided->cycle(now);
    advance_control(state_.warps, now);
    return;
  }
  if (!collectors_step_in_lsu_) stages_.collector.step(now);
}

void Pipeline::issue(Cycle now) {
  const WarpSets sets = state_.warps.sets();
  const SchedulerBytes full = stages_.issued.full();
  const bool repeats = !moved_ && sets == seen_ && stages_.issue.repeats(full == full_);
  moved_ = false;
  seen_ = sets;
  full_ = full;
  if (ctas_.resident() == 0) return;
  if (repeats && !state_.counters) {
    ++repeated_;
  } else {
    count_repeated_slots();
    issue_in_full(now);
  }
  if (stages_.guided) stages_.guided->end_issue(now);
}

void Pipeline::issue_in_full(Cycle now) {
  if (state_.counters) [[unlikely]]
    state_.counters->begin_issue(state_.warps);
  moved_ = stages_.issue.cycle(now, effects_);
  if (state_.counters) [[unlikely]]
    state_.counters->end_issue(state_.warps);
  facts_.issued = stages_.issue.issued();
  state_.cycles.count(facts_, 1);
  report_passed_cycles(now, 1);
}

// Whether no scheduler can issue until something changes in the core.
bool Pipeline::nothing_can_issue() {
  if (ctas_.resident() == 0 || state_.counters) return false;
  count_repeated_slots();
  if (!stages_.issue.nothing_can_issue()) return false;
  facts_.issued = moved_ = false;
  seen_ = state_.warps.sets();
  full_ = stages_.issued.full();
  return true;
}

void Pipeline::decode_and_fetch(Cycle now) {
  FrontEnd& front_end = stages_.front_end;
  front_end.wake(now);
  for (std::uint32_t i = 0; i < fetches_ && !front_end.quiet(); ++i) {
    if (const WarpSlot w = front_end.decode()) state_.warps[w].kernel->source->prefetch(w);
    front_end.fetch(now, [&](WarpSlot w) {
      count_repeated_slots();
      ctas_.release_warp(w, now);
    });
  }
}

bool Pipeline::take_part_of_fetch(Cycle now) {
  const mem::Packet& reply = port_.reply();
  if (state_.spec.sm.replies_per_cycle > 1 || reply.reuse != mem::Reuse::none ||
      !stages_.lsu.take_part(reply, now))
    return false;
  ++statistics_of(reply.origin.kernel).replies_taken;
  port_.pop_reply();
  skip(now, 1);
  return true;
}

void Pipeline::skip(Cycle from, std::uint64_t cycles) {
  stages_.lsu.repeat(cycles);
  repeat_issue_slots(from, cycles);
}

// While the core is quiescent every issue slot is used as in the cycle before. Where only their
// number matters they are counted when the core goes on.
void Pipeline::repeat_issue_slots(Cycle from, std::uint64_t cycles) {
  if (ctas_.resident() == 0) return;
  if (repeated_ > 0 || (!state_.counters && stages_.issue.repeats_alike())) {
    repeated_ += cycles;
    return;
  }
  state_.cycles.count(facts_, cycles);
  if (state_.counters) [[unlikely]]
    state_.counters->count_repeated(state_.warps, cycles);
  stages_.issue.repeat(from, cycles);
  report_passed_cycles(from, cycles);
}

void Pipeline::count_repeated_slots_now() {
  const std::uint64_t cycles = std::exchange(repeated_, 0);
  state_.cycles.count(facts_, cycles);
  stages_.issue.repeat({}, cycles);
}

// Of a kernel that has ended here: the counters of the SM. While one kernel has CTAs, whatever
// arrives counts for it.
SmStats& Pipeline::statistics_of(int kernel) {
  if (!state_.several_kernels()) [[likely]]
    return state_.acting->stats;
  const auto i = static_cast<std::size_t>(kernel);
  const bool active = i < state_.kernels.size() && state_.kernels[i] && state_.kernels[i]->active;
  return active ? state_.kernels[i]->stats : state_.no_kernel.stats;
}

void Pipeline::notify_observer(Cycle first, std::uint64_t cycles) {
  const mem::Cache* l1d = stages_.lsu.l1d();
  state_.observer->passed({first, cycles, state_.warps, stages_.issued, stages_.issue.schedulers(),
                           stages_.issue.vetoed(), l1d ? l1d->mshrs().used() : 0,
                           l1d ? state_.spec.sm.l1d.miss_queue - l1d->miss_queue_free() : 0});
}

}  // namespace heddle::sm
