#include "exec/functional/functional_cta.h"

#include <algorithm>
#include <utility>

#include "exec/isa/control.h"
#include "exec/livelock/clock_free_state.h"
#include "exec/livelock/hang_report.h"

namespace heddle::exec {
namespace {

// Warp instructions of one warp that runs without end, before it is observed alone: may it repeat
// its state?
constexpr std::uint64_t kFirstObservation = std::uint64_t{1} << 24;
// Iterations of the loop in which the warp's last time slice ended, before it yields again.
constexpr std::uint32_t kMaxIterationsOfSpinner = 16;

int warps_of(const Launch& launch) {
  return static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
}

}  // namespace

FunctionalCta::FunctionalCta(FunctionalRun& run, std::unique_ptr<Warps> own)
    : run_(run), own_(std::move(own)), warps_(own_.get()) {
  make_slots(0);
}

FunctionalCta::FunctionalCta(FunctionalRun& run, Warps& warps, int slot)
    : run_(run), warps_(&warps), slot_(slot) {
  make_slots(slot * warps_of(warps.machine().launch));
}

FunctionalCta::FunctionalCta(FunctionalRun& run, const StartedCta& started)
    : FunctionalCta(run, *started.warps, started.slot) {
  std::transform(started.warp_slots.begin(), started.warp_slots.end(), slots_.begin(),
                 [](WarpSlot slot) { return slot.index; });
  for (int i = 0; i < warp_count_; ++i) {
    const auto n = static_cast<std::size_t>(i);
    warp(i).step = nullptr;
    waits_[n] = warp(i).stack.finished()                         ? Wait::ended
                : started.at_barrier.test(started.warp_slots[n]) ? Wait::barrier
                                                                 : Wait::none;
    live_.assign(WarpSlot(i), waits_[n] != Wait::ended);
  }
  barriers_.all = started.barriers;
  for (std::size_t id = 0; id < barriers_.all.size(); ++id)
    barriers_.open |= std::uint32_t{barriers_.all[id].arrivals > 0} << id;
}

void FunctionalCta::make_slots(int first) {
  warp_count_ = warps_of(warps_->machine().launch);
  for (int i = 0; i < warp_count_; ++i) slots_.push_back(first + i);
  waits_.assign(slots_.size(), Wait::none);
  progress_.assign(slots_.size(), SliceProgress{});
  states_.assign(slots_.size(), 0);
  const auto& code = warps_->machine().code;
  shared_stores_ = std::any_of(code.begin(), code.end(),
                               [](const DecodedInstruction& r) { return r.store_ahead; });
  if (run_.checker) check_ = std::make_unique<CtaCheck>(*run_.checker, warps_->machine());
  if (run_.addresses)
    address_check_ = std::make_unique<CtaAddressCheck>(*run_.addresses, slots_.size());
}

void FunctionalCta::start(std::uint64_t linear) {
  warps_->start(slot_, linear, slots_);
  for (int i = 0; i < warp_count_ && run_.listener; ++i) warp(i).step = &run_.step;
  if (check_) check_->start(warps_->cta(slot_));
  if (address_check_) address_check_->start();
  std::fill(waits_.begin(), waits_.end(), Wait::none);
  std::fill(progress_.begin(), progress_.end(), SliceProgress{});
  barriers_ = {};
  live_ = WarpMask::first(warp_count_);
  unchanged_rounds_ = 0;
  some_delayed_ = some_released_ = all_released_ = false;
}

void FunctionalCta::run_round() {
  bool any_ran = false;
  all_spin_ = true;
  warps_->machine().detector = run_.hang_watch.detector();
  for (int i = 0; i < warp_count_; ++i) {
    if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
    any_ran = true;
    if (!run_warp(i)) all_spin_ = false;
    if (all_released_) break;
  }
  all_released_ = false;
  if (some_released_) [[unlikely]] {
    some_released_ = false;
    std::replace(waits_.begin(), waits_.end(), Wait::released, Wait::none);
  }
  if (some_delayed_) [[unlikely]] {
    end_store_delays();
    return;
  }
  if (!any_ran && !finished() && !waits_for_cluster()) {
    report_deadlock_to_checker();
    std::vector<const Warp*> warps;
    append_warps(warps);
    const std::string places =
        describe_warps(warps, kMaxWarpsInFault, [](const Warp&) { return "waits"; });
    throw_deadlock(machine().launch, "CTA", places, machine().printed);
  }
  unchanged_rounds_ = all_spin_ && run_.ctas_left && states_unchanged() ? unchanged_rounds_ + 1 : 0;
}

// Lets delayed warps store when no other warp of the CTA advances, or when they have waited long
// enough.
void FunctionalCta::end_store_delays() {
  all_spin_ = false;
  unchanged_rounds_ = 0;
  std::uint64_t most_executed = 0;
  bool others_advance = false;
  for (std::size_t n = 0; n < waits_.size(); ++n) {
    if (waits_[n] == Wait::store)
      most_executed = std::max(most_executed, progress_[n].instructions);
    if (waits_[n] == Wait::none && progress_[n].spin_pc == kNoPc) others_advance = true;
  }
  if (others_advance &&
      !store_delay_is_over(run_.counts.warp_instructions - first_delay_, most_executed,
                           static_cast<std::uint64_t>(live_.count())))
    return;
  some_delayed_ = false;
  std::replace(waits_.begin(), waits_.end(), Wait::store, Wait::none);
}

inline FunctionalCta::Stop FunctionalCta::run_slice(int index, Warp& w, std::uint64_t most,
                                                    std::uint64_t delay_after) {
  const bool observed = warps_->machine().detector != nullptr;
  if (check_ || address_check_ || w.step)
    return observed ? advance<true, true>(index, w, most, delay_after)
                    : advance<false, true>(index, w, most, delay_after);
  if (observed) return advance<true, false>(index, w, most, delay_after);
  return run_.compiled ? advance_compiled(index, w, most, delay_after)
                       : advance<false, false>(index, w, most, delay_after);
}

// Runs the warp until its time slice ends. True when the warp spins.
bool FunctionalCta::run_warp(int index) {
  Warp& w = warp(index);
  Machine& machine = warps_->machine();
  SliceProgress& progress = progress_[static_cast<std::size_t>(index)];
  std::uint64_t ran = 0;
  std::uint64_t observe_at =
      std::exchange(progress.repeats_state, false) ? kMaxSlice : kFirstObservation;
  bool alone = false;  // only this warp is observed
  w.spins = false;
  bool spins = progress.spin_pc != kNoPc && progress.spin_pc == w.spin_pc;
  if (spins) {
    const std::uint32_t max = machine.max_spin_iterations;
    w.spin_iterations = std::max(w.spin_iterations, max - std::min(max, kMaxIterationsOfSpinner));
  }
  while (true) {
    const TimeSlice slice = next_slice(progress, {.observed = alone || run_.hang_watch.all_spin(),
                                                  .other_warps = live_.has_several(),
                                                  .spins = spins,
                                                  .shared_stores = shared_stores_});
    const std::uint64_t before = run_.counts.warp_instructions;
    const Stop stop = run_slice(index, w, slice.instructions, slice.delay_stores_after);
    const std::uint64_t executed = run_.counts.warp_instructions - before;
    if (stop == Stop::store) {
      progress.instructions += executed;
      progress.delay_stores_after = next_store_delay(progress.instructions);
      progress.spin_pc = kNoPc;
      waits_[static_cast<std::size_t>(index)] = Wait::store;
      if (!std::exchange(some_delayed_, true)) first_delay_ = run_.counts.warp_instructions;
      return false;
    }
    if (stop == Stop::released && live_.has_several()) {
      if (alone) machine.detector = nullptr;
      // Zero: the barrier released this warp, too. Otherwise it arrived without waiting.
      if (progress.instructions != 0) progress.instructions += executed;
      progress.spin_pc = kNoPc;
      return false;
    }
    if (stop != Stop::slice_over && stop != Stop::released) {
      if (alone) machine.detector = nullptr;
      progress.spin_pc = stop == Stop::spins ? w.spin_pc : kNoPc;
      return stop == Stop::spins;
    }
    progress.instructions += executed;
    progress.spin_pc = kNoPc;
    if (slice.yields) return false;
    spins = false;
    ran += executed;
    run_.stop_if_requested();
    // The warp is in an endless loop, but another warp may end it.
    if (machine.detector && machine.detector->repeats(w) && !machine.detector->changed()) {
      if (alone) machine.detector = nullptr;
      progress.repeats_state = true;
      return true;
    }
    if (alone) machine.detector = nullptr, alone = false;
    if (ran < observe_at) continue;
    observe_at = 2 * ran;
    machine.detector = run_.hang_watch.observe_one_warp();
    alone = true;
  }
}

// A barrier of all threads does not wait for warps that have ended.
inline void FunctionalCta::complete_barrier_if_full(std::uint32_t id) {
  const StartedCta::Barrier& barrier = barriers_.all[id];
  if (!barrier.threads && (live_ & ~barrier.arrived).any()) return;
  const auto live = static_cast<std::uint32_t>(live_.count());
  const std::uint32_t needed =
      barrier.threads ? (barrier.threads + kWarpSize - 1) / kWarpSize : live;
  if (barrier.arrivals >= needed) release(id, needed == live);
}

// Completes the barrier; all: of all live warps.
void FunctionalCta::release(std::uint32_t id, bool all) {
  const WarpMask arrived = std::exchange(barriers_.all[id], {}).arrived;
  complete_barrier(warps_->cta(slot_), id);
  if (check_) check_->complete(id);
  // All released warps continue in the next round, so that the first warp runs first, as on a GPU.
  const Wait next = all ? Wait::none : Wait::released;
  (next == Wait::none ? all_released_ : some_released_) = true;
  const bool others = barriers_.open != 1u << id;
  barriers_.open &= ~(1u << id);
  arrived.for_each([&](WarpSlot n) {
    const auto i = static_cast<std::size_t>(n.index);
    if (waits_[i] != Wait::barrier || (others && warp(n.index).arrived_at.id != id)) return;
    waits_[i] = next;
    progress_[i] = SliceProgress{};
  });
}

void FunctionalCta::end_warp(int index) {
  waits_[static_cast<std::size_t>(index)] = Wait::ended;
  live_.reset(WarpSlot(index));
  for (std::uint32_t open = barriers_.open; open; open &= open - 1)
    complete_barrier_if_full(static_cast<std::uint32_t>(std::countr_zero(open)));
  if (live_.none()) warps_->end(slot_);
}

// The warp arrives at a barrier; true when it has to wait there.
bool FunctionalCta::arrive(int index) {
  const Warp& w = warp(index);
  const BarrierRequest& request = w.arrived_at;  // a copy would wait for its two words
  const bool waits = w.waits_at_barrier;
  if (request.threads == kThreadsOfCluster && !waits) {
    if (check_) check_->pass_cluster_barrier(w);
    return false;
  }
  StartedCta::Barrier& barrier = barriers_.all[request.id];
  ++barrier.arrivals;
  barrier.arrived.set(WarpSlot(index));
  barrier.threads = request.threads;
  barriers_.open |= 1u << request.id;
  if (check_) check_->arrive(w, request, waits);
  if (waits) waits_[static_cast<std::size_t>(index)] = Wait::barrier;
  complete_barrier_if_full(request.id);
  return waits && waits_[static_cast<std::size_t>(index)] == Wait::barrier;
}

[[gnu::always_inline]] inline FunctionalCta::Stop FunctionalCta::step_control(
    int index, Warp& w, const DecodedInstruction& r, std::uint32_t mask, const Slice& slice) {
  w.now = run_.counts.warp_instructions + slice.instructions;
  if ((arrive_together(w, r, mask) || control(w, r, mask, nullptr)) && arrive(index))
    return Stop::blocked;
  if (w.spins) return Stop::spins;
  if (r.flow == Flow::barrier)
    return all_released_ || waits_[static_cast<std::size_t>(index)] == Wait::released
               ? Stop::released
               : Stop::slice_over;
  if (slice.instructions < std::min(slice.most, slice.delay_after)) return Stop::ended;
  if (slice.instructions >= slice.delay_after && !w.stack.finished() &&
      warps_->machine().code[w.stack.pc()].store_ahead)
    return Stop::store;
  return slice.instructions >= slice.most ? Stop::slice_over : Stop::ended;
}

void FunctionalCta::notify(const DecodedInstruction& r) {
  if (run_.step.space != isa::Space::none) run_.listener->accessed(*r.instruction, run_.step);
}

FunctionalCta::Stop FunctionalCta::end_slice(int index, const Warp& w, Stop stop,
                                             std::uint64_t instructions, std::uint64_t threads) {
  run_.counts.warp_instructions += instructions;
  run_.counts.thread_instructions += threads;
  if (!w.stack.finished()) return stop;
  end_warp(index);
  return Stop::ended;
}

template <bool kObserved, bool kChecked>
FunctionalCta::Stop FunctionalCta::advance(int index, Warp& w, std::uint64_t most,
                                           std::uint64_t delay_after) {
  const DecodedInstruction* code = warps_->machine().code.data();
  Slice slice{most, delay_after};
  std::uint64_t threads = 0;
  Stop stop = Stop::ended;
  while (!w.stack.finished() && stop == Stop::ended) {
    const Pc pc = w.stack.pc();
    const DecodedInstruction& r = code[pc];
    std::uint32_t mask = w.stack.active() & (w.predicates[r.guard.row] ^ r.guard.flip);
    w.pc = pc;
    ++slice.instructions;
    threads += static_cast<std::uint64_t>(std::popcount(mask));
    if constexpr (kChecked) {
      if (check_) mask = check_->before(w, r, mask);
      if (address_check_) address_check_->before(w, r, mask);
      run_.step.space = isa::Space::none;
      run_.step.executed = LaneMask{mask};
    }
    if constexpr (kObserved) warps_->machine().detector->observe(w, r, mask);
    if (r.flow == Flow::plain) [[likely]] {
      if (mask) r.handler(w, r, mask);
      if constexpr (kChecked)
        if (w.step && mask) notify(r);
      w.stack.advance(pc + 1);
      continue;
    }
    stop = step_control(index, w, r, mask, slice);
  }
  return end_slice(index, w, stop, slice.instructions, threads);
}

// Runs compiled code where there is some, and interprets the instructions at which it ends.
FunctionalCta::Stop FunctionalCta::advance_compiled(int index, Warp& w, std::uint64_t most,
                                                    std::uint64_t delay_after) {
  Machine& machine = warps_->machine();
  const CompiledKernel& compiled = *run_.compiled;
  LaneContext& context = run_.context;
  Slice slice{most, delay_after};
  const auto soonest = static_cast<std::int64_t>(std::min({most, delay_after, kMaxSlice}));
  context.set_warp(w);
  context.threads = 0;
  bool in_block = false;  // the interpreter came here through the block's start, or compiled code
  Stop stop = Stop::ended;
  while (!w.stack.finished() && stop == Stop::ended) {
    const Pc pc = w.stack.pc();
    const bool all = w.stack.active() == ~std::uint32_t{0};
    const CompiledKernel::Entries& entries = compiled.entries(pc);
    const std::uint8_t* from = entries.at_start[all];
    if (!from && in_block) from = entries.in_block[all];
    in_block = in_block || entries.leads;
    if (from) {
      machine.ranges.forget_stale(machine.memory.generation());
      context.active = w.stack.active();
      context.reconvergence = w.stack.top().reconvergence;
      context.stack_last = CompiledStack::last(w.stack);
      context.left = soonest - static_cast<std::int64_t>(slice.instructions);
      const CompiledKernel::Exit end = compiled.run(context, from, all);
      slice.instructions = static_cast<std::uint64_t>(soonest - context.left);
      w.stack.advance(end.pc);
      if (end.reached) continue;
      in_block = !end.needs_start;
    }
    const DecodedInstruction& r = machine.code[w.stack.pc()];
    const std::uint32_t mask = w.stack.active() & (w.predicates[r.guard.row] ^ r.guard.flip);
    w.pc = w.stack.pc();
    ++slice.instructions;
    context.threads += static_cast<std::uint64_t>(std::popcount(mask));
    if (r.flow == Flow::plain) {
      if (mask) r.handler(w, r, mask);
      w.stack.advance(w.pc + 1);
      continue;
    }
    stop = step_control(index, w, r, mask, slice);
    in_block = false;
  }
  return end_slice(index, w, stop, slice.instructions, context.threads);
}

bool FunctionalCta::waits_for_cluster() const {
  const StartedCta::Barrier& barrier = barriers_.all[isa::kClusterBarrier];
  return barrier.arrivals > 0 && barrier.threads == kThreadsOfCluster;
}

void FunctionalCta::open_cluster_barrier() {
  complete_barrier(warps_->cta(slot_), isa::kClusterBarrier);
  barriers_.all[isa::kClusterBarrier] = {};
  barriers_.open &= ~(1u << isa::kClusterBarrier);
  if (check_) check_->complete(isa::kClusterBarrier);
  for (std::size_t n = 0; n < waits_.size(); ++n) {
    if (waits_[n] != Wait::barrier ||
        warp(static_cast<int>(n)).arrived_at.id != isa::kClusterBarrier)
      continue;
    waits_[n] = Wait::none;
    progress_[n] = SliceProgress{};
  }
}

namespace {
std::uint64_t place_of(const SimtStack& stack) {
  return (std::uint64_t{stack.pc()} << 32 | stack.active()) * 0x9e3779b97f4a7c15u;
}
}  // namespace

// Compares the registers and pcs of the spinning warps with those of the last call.
bool FunctionalCta::states_unchanged() {
  bool same = true;
  for (int i = 0; i < warp_count_; ++i) {
    if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
    const Warp& w = warp(i);
    Digest state;
    add_clock_free(state, w);
    // Fragments of a warp run alternately, so it does not matter which of them runs now.
    std::uint64_t places = w.stack.finished() ? 0 : place_of(w.stack);
    for (const SimtStack& fragment : w.fragments) places += place_of(fragment);
    state.add(places);
    same = same && states_[static_cast<std::size_t>(i)] == state.value;
    states_[static_cast<std::size_t>(i)] = state.value;
  }
  return same;
}

void FunctionalCta::report_deadlock_to_checker() {
  if (check_) check_->deadlock(warps_->cta(slot_).warps);
}

void FunctionalCta::append_live_warps(std::vector<LiveWarp>& list) const {
  for (int i = 0; i < warp_count_; ++i) {
    const Wait wait = waits_[static_cast<std::size_t>(i)];
    if (wait == Wait::ended) continue;
    const bool at_barrier = wait == Wait::barrier;
    list.push_back({.warp = &warp(i), .at_barrier = at_barrier, .spins = !at_barrier && all_spin_});
  }
}

void FunctionalCta::append_warps(std::vector<const Warp*>& list) const {
  for (int i = 0; i < warp_count_; ++i) list.push_back(&warp(i));
}

}  // namespace heddle::exec
