#include "exec/functional/functional_cta.h"

#include <algorithm>
#include <utility>

#include "exec/fault.h"
#include "exec/isa/control.h"
#include "exec/livelock/clock_free_state.h"

namespace heddle::exec {
namespace {

// A warp that runs on and on is looked at now and then: shall it stop, and does it turn in a loop
// for ever?
constexpr std::uint64_t kInstructionsPerLook = std::uint64_t{1} << 18,
                        kWatchedInstructions = std::uint64_t{1} << 16;
// The warps of a CTA take turns that are short beside what they have executed since they last met:
// as on a GPU they stay together, and what one reads before another writes it by that alone,
// without a barrier, is read before.
constexpr std::uint64_t kFirstTurn = 16, kFirstTurns = 256, kShortTurn = 64, kTurnsBack = 64;
constexpr std::uint64_t kNever = ~std::uint64_t{0};
constexpr std::uint64_t kPatience =
    4096;  // instructions of the others, or as many as it has executed
constexpr std::uint32_t kTurnsOfSpinner = 16;  // in the loop in which it spun the last time
constexpr std::uint64_t kFirstWatch = std::uint64_t{1} << 24;

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
  slots_ = started.warp_slots;
  for (int i = 0; i < warp_count_; ++i) {
    const auto n = static_cast<std::size_t>(i);
    warp(i).step = nullptr;
    waits_[n] = warp(i).stack.finished()             ? Wait::ended
                : started.at_barrier.test(slots_[n]) ? Wait::barrier
                                                     : Wait::none;
    live_warps_ += waits_[n] != Wait::ended;
  }
  for (std::size_t id = 0; id < barriers_.size(); ++id)
    barriers_[id] = {started.barriers[id].arrived_warps * kWarpSize, started.barriers[id].threads};
}

void FunctionalCta::make_slots(int first) {
  warp_count_ = warps_of(warps_->machine().launch);
  for (int i = 0; i < warp_count_; ++i) slots_.emplace_back(first + i);
  waits_.assign(slots_.size(), Wait::none);
  since_.assign(slots_.size(), Since{});
  states_.assign(slots_.size(), 0);
  const auto& code = warps_->machine().code;
  may_hold_ = std::any_of(code.begin(), code.end(), [](const Record& r) { return r.store_ahead; });
  if (run_.checker) check_ = std::make_unique<CtaCheck>(*run_.checker, warps_->machine());
}

void FunctionalCta::start(std::uint64_t linear) {
  warps_->start(slot_, linear, slots_);
  if (check_) check_->start(warps_->cta(slot_));
  std::fill(waits_.begin(), waits_.end(), Wait::none);
  std::fill(since_.begin(), since_.end(), Since{});
  barriers_.fill({});
  live_warps_ = warp_count_;
  still_ = 0;
  some_held_ = some_met_ = all_met_ = false;
}

void FunctionalCta::run_round() {
  bool went_on = false;
  all_spin_ = true;
  warps_->machine().watch = run_.watching ? &run_.watch : nullptr;
  for (int i = 0; i < warp_count_; ++i) {
    if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
    went_on = true;
    if (!run_warp(i)) all_spin_ = false;
    if (all_met_) break;
  }
  all_met_ = false;
  if (some_met_) [[unlikely]] {
    some_met_ = false;
    std::replace(waits_.begin(), waits_.end(), Wait::met, Wait::none);
  }
  if (some_held_) [[unlikely]] {
    release_held();
    return;
  }
  if (!went_on && !finished()) {
    report_deadlock_of_warps();
    std::vector<const Warp*> warps;
    add_warps(warps);
    throw_deadlock(warps_->machine(), warps);
  }
  still_ = all_spin_ && run_.may_join && same_states() ? still_ + 1 : 0;
}

// Those that stand before a store: once nobody else goes on by itself, or when they have waited
// long enough.
void FunctionalCta::release_held() {
  all_spin_ = false;
  still_ = 0;
  std::uint64_t patience = kPatience;
  bool some_go_on = false;
  for (std::size_t n = 0; n < waits_.size(); ++n) {
    if (waits_[n] == Wait::held) patience = std::max(patience, since_[n].instructions);
    if (waits_[n] == Wait::none && since_[n].spin_pc == kNoPc) some_go_on = true;
  }
  if (some_go_on && run_.counts.warp_instructions - held_since_ <
                        patience * static_cast<std::uint64_t>(live_warps_))
    return;
  some_held_ = false;
  std::replace(waits_.begin(), waits_.end(), Wait::held, Wait::none);
}

// True when the warp spins; else it has ended or waits at a barrier.
bool FunctionalCta::run_warp(int index) {
  Warp& w = warp(index);
  Machine& machine = warps_->machine();
  Since& since = since_[static_cast<std::size_t>(index)];
  std::uint64_t ran = 0,
                watch_at = std::exchange(since.circles, false) ? kInstructionsPerLook : kFirstWatch;
  bool alone = false;  // watched for itself
  w.spins = false;
  if (since.spin_pc != kNoPc && since.spin_pc == w.spin_pc)
    w.spin_turns =
        std::max(w.spin_turns, machine.spin_turns - std::min(machine.spin_turns, kTurnsOfSpinner));
  while (true) {
    const std::uint64_t turn = since.instructions < kFirstTurns
                                   ? kFirstTurn
                                   : std::max(kShortTurn, since.instructions / kTurnsBack);
    const bool spins_on = since.spin_pc != kNoPc && since.spin_pc == w.spin_pc;
    const bool with_others = live_warps_ > 1 && !machine.watch;
    const bool takes_turns = with_others && turn < kInstructionsPerLook && !spins_on;
    const std::uint64_t most = machine.watch ? kWatchedInstructions
                               : takes_turns ? turn
                                             : kInstructionsPerLook;
    std::uint64_t hold_after = kNever;
    if (since.instructions + most >= since.hold_at && may_hold_ && with_others)
      hold_after = since.hold_at - std::min(since.hold_at, since.instructions);
    const std::uint64_t before = run_.counts.warp_instructions;
    const Stop stop = check_ ? machine.watch ? advance<true, true>(index, w, most, hold_after)
                                             : advance<false, true>(index, w, most, hold_after)
                      : machine.watch ? advance<true, false>(index, w, most, hold_after)
                                      : advance<false, false>(index, w, most, hold_after);
    if (stop == Stop::store) {
      since.instructions += run_.counts.warp_instructions - before;
      since.hold_at = since.instructions + std::max(kHoldAfter, since.instructions / kTurnsBack);
      since.spin_pc = kNoPc;
      waits_[static_cast<std::size_t>(index)] = Wait::held;
      if (!std::exchange(some_held_, true)) held_since_ = run_.counts.warp_instructions;
      return false;
    }
    if (stop == Stop::met && live_warps_ > 1) {
      if (alone) machine.watch = nullptr;
      if (since.instructions != 0)
        since.instructions +=
            run_.counts.warp_instructions - before;  // it has arrived somewhere without waiting
      since.spin_pc = kNoPc;
      return false;
    }
    if (stop != Stop::look && stop != Stop::met) {
      if (alone) machine.watch = nullptr;
      since.spin_pc = stop == Stop::spins ? w.spin_pc : kNoPc;
      return stop == Stop::spins;
    }
    const std::uint64_t executed = run_.counts.warp_instructions - before;
    since.instructions += executed;
    since.spin_pc = kNoPc;
    if (takes_turns) return false;
    ran += executed;
    run_.stop_if_asked();
    // In a loop without an end, and nobody else runs meanwhile: others have their turn.
    if (machine.watch && run_.watch.recurs(w) && !run_.watch.changed()) {
      if (alone) machine.watch = nullptr;
      since.circles = true;
      return true;
    }
    if (alone) machine.watch = nullptr, alone = false;
    if (ran < watch_at) continue;
    watch_at = 2 * ran;
    run_.watching = false;
    run_.watch.begin();
    machine.watch = &run_.watch;
    alone = true;
  }
}

template <bool kWatched, bool kChecked>
FunctionalCta::Stop FunctionalCta::advance(int index, Warp& w, std::uint64_t most,
                                           std::uint64_t hold_after) {
  const Record* code = warps_->machine().code.data();
  const std::uint64_t soonest = std::min(most, hold_after);
  std::uint64_t instructions = 0, threads = 0;
  Stop stop = Stop::ended;
  while (!w.stack.finished()) {
    const Pc pc = w.stack.pc();
    const Record& r = code[pc];
    std::uint32_t mask = w.stack.active() & (w.predicates[r.guard.row] ^ r.guard.flip);
    w.pc = pc;
    ++instructions;
    threads += static_cast<std::uint64_t>(std::popcount(mask));
    if constexpr (kChecked) mask = check_->before(w, r, mask);
    if constexpr (kWatched) run_.watch.before(w, r, mask);
    if (r.flow == Flow::plain) [[likely]] {
      if (mask) r.handler(w, r, mask);
      w.stack.advance(pc + 1);
      continue;
    }
    w.now = run_.counts.warp_instructions + instructions;
    const bool blocked = control(w, r, mask, nullptr) && arrive(index, r, mask);
    if (blocked)
      stop = Stop::blocked;
    else if (w.spins)
      stop = Stop::spins;
    else if (instructions >= soonest || r.flow == Flow::barrier) {
      if (r.flow == Flow::barrier)
        stop = all_met_ || waits_[static_cast<std::size_t>(index)] == Wait::met ? Stop::met
                                                                                : Stop::look;
      else if (instructions >= hold_after && !w.stack.finished() && code[w.stack.pc()].store_ahead)
        stop = Stop::store;
      else if (instructions >= most)
        stop = Stop::look;
    }
    if (stop != Stop::ended) [[unlikely]]
      break;
  }
  run_.counts.warp_instructions += instructions;
  run_.counts.thread_instructions += threads;
  if (!w.stack.finished()) return stop;
  end_warp(index);
  return Stop::ended;
}

void FunctionalCta::end_warp(int index) {
  waits_[static_cast<std::size_t>(index)] = Wait::ended;
  --live_warps_;
  for (std::uint32_t id = 0; id < barriers_.size(); ++id) check_barrier(id);
  if (live_warps_ == 0) warps_->end(slot_);
}

// True when the warp has to wait.
bool FunctionalCta::arrive(int index, const Record& r, std::uint32_t mask) {
  const BarrierRequest request = barrier_request(warp(index), r, mask);
  BarrierState& barrier = barriers_[request.id];
  barrier.arrived_threads += kWarpSize;
  barrier.expected = request.threads;
  const bool waits = r.instruction->barrier != ptx::BarrierOp::arrive;
  if (check_) check_->arrive(warp(index), request, waits);
  if (waits) waits_[static_cast<std::size_t>(index)] = Wait::barrier;
  check_barrier(request.id);
  return waits && waits_[static_cast<std::size_t>(index)] == Wait::barrier;
}

// A barrier for all threads waits for those warps only that have not ended.
void FunctionalCta::check_barrier(std::uint32_t id) {
  BarrierState& barrier = barriers_[id];
  if (barrier.arrived_threads == 0) return;
  const std::uint32_t all = static_cast<std::uint32_t>(live_warps_) * kWarpSize;
  const std::uint32_t needed =
      barrier.expected ? (barrier.expected + kWarpSize - 1) / kWarpSize * kWarpSize : all;
  if (barrier.arrived_threads < needed) return;
  barrier = {};
  complete(warps_->cta(slot_), id);
  if (check_) check_->complete(id);
  // Those that follow in this round must not be ahead of those that were before: all go on
  // together, the first first, as on a GPU.
  const Wait next = needed == all ? Wait::none : Wait::met;
  (next == Wait::none ? all_met_ : some_met_) = true;
  for (int i = 0; i < warp_count_; ++i) {
    if (waits_[static_cast<std::size_t>(i)] != Wait::barrier || warp(i).waiting_id != id) continue;
    waits_[static_cast<std::size_t>(i)] = next;
    since_[static_cast<std::size_t>(i)] = Since{};
  }
}

namespace {
std::uint64_t place_of(const SimtStack& stack) {
  return (std::uint64_t{stack.pc()} << 32 | stack.active()) * 0x9e3779b97f4a7c15u;
}
}  // namespace

// Do the warps that spin hold the same values, at the same places, as when this was asked last? The
// others wait and change nothing.
bool FunctionalCta::same_states() {
  bool same = true;
  for (int i = 0; i < warp_count_; ++i) {
    if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
    const Warp& w = warp(i);
    Digest state;
    add_clock_free(state, w);
    // Parts of a warp take turns, so it does not matter which of them runs.
    std::uint64_t places = w.stack.finished() ? 0 : place_of(w.stack);
    for (const SimtStack& part : w.parked) places += place_of(part);
    state.add(places);
    same = same && states_[static_cast<std::size_t>(i)] == state.value;
    states_[static_cast<std::size_t>(i)] = state.value;
  }
  return same;
}

bool FunctionalCta::turns_for_ever() const {
  for (int i = 0; i < warp_count_; ++i) {
    const Wait wait = waits_[static_cast<std::size_t>(i)];
    if (wait == Wait::ended || (wait == Wait::barrier && !run_.watch.has_run(warp(i)))) continue;
    if (!run_.watch.recurs(warp(i))) return false;
  }
  return true;
}

void FunctionalCta::report_deadlock_of_warps() {
  if (check_) check_->deadlock(warps_->cta(slot_).warps);
}

void FunctionalCta::add_warps(std::vector<const Warp*>& list) const {
  for (int i = 0; i < warp_count_; ++i) list.push_back(&warp(i));
}

}  // namespace heddle::exec
