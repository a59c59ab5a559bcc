#include "exec/isa/warp_synchronous.h"

#include <algorithm>
#include <bit>

#include "exec/fault.h"
#include "exec/isa/control.h"
#include "exec/isa/host_calls.h"
#include "exec/isa/lanes.h"
#include "exec/state/machine.h"
#include "ptx/flow/sync_operations.h"

namespace heddle::exec {
namespace {

using Entry = SimtStack::Entry;
using ptx::ConvergencePoint;

bool is_warp_sync(const DecodedInstruction& r) {
  return r.instruction->barrier == ptx::BarrierOp::warp_sync;
}

// Older GPUs execute the instructions of each branch alone. A bar.warp.sync has no result, so it
// can wait on every GPU.
bool waits_at_other_places(const Warp& w, const DecodedInstruction& r) {
  return ptx_kernel(*w.machine).independent_threads || is_warp_sync(r);
}

bool match(const Warp& w, const SyncPlace& here, const SyncPlace& other) {
  const ptx::Instruction& i = ptx_of(*here.decoded);
  if (!ptx::matches(i, ptx_of(*other.decoded))) return false;
  return here.decoded->flow != Flow::barrier ||
         barrier_request(w, *here.decoded, here.lanes).id ==
             barrier_request(w, *other.decoded, other.lanes).id;
}

// The lanes that the `lanes` at an instruction have to wait for.
std::uint32_t named_by(const Warp& w, const SyncPlace& place) {
  const DecodedInstruction& r = *place.decoded;
  if (r.members == DecodedInstruction::kAllLanes) return w.live;
  const auto* named = source<std::uint32_t>(w, r, r.members);
  std::uint32_t all = 0;
  for (std::uint32_t rest = place.lanes; rest != 0; rest &= rest - 1)
    all |= named[std::countr_zero(rest)];
  return all;
}

// Lanes of the running stack that are at an instruction, and the call that they are in.
class LanesAtInstruction {
 public:
  LanesAtInstruction(const Warp& w, int entry)
      : w_(w), own_(w.stack.entry(entry)), instruction_(ptx_of(w.machine->code[own_.pc])) {
    int caller = entry;
    while (caller >= 0 && (w.stack.entry(caller).call_depth >= own_.call_depth ||
                           (w.stack.entry(caller).mask & own_.mask) == 0))
      --caller;
    if (caller >= 0) call_ = w.stack.entry(caller).mask;
  }
  // Are the entry's lanes about to execute the same instruction?
  bool at_same_instruction(const Entry& e) const {
    return in_call(e) && e.pc == own_.pc && !e.converged;
  }
  // Can they still reach a matching instruction elsewhere before they reconverge with these?
  bool match_reachable_from(const Entry& e) const {
    return instruction_.matching_point != ConvergencePoint::kNone &&
           point(instruction_.matching_point)
               .can_be_reached(kNoPc, e.pc + e.converged, e.reconvergence);
  }
  // Can they still arrive where these lanes wait for them?
  bool reachable_from(const Entry& e) const {
    if (at_same_instruction(e)) return true;
    if (waits_at_other_places(w_, w_.machine->code[own_.pc]) && match_reachable_from(e))
      return true;
    return instruction_.convergence_point != ConvergencePoint::kNone && in_call(e) &&
           point(instruction_.convergence_point).can_be_reached(own_.pc, e.pc, e.reconvergence);
  }
  bool separate_from(const Entry& e) const { return (e.mask & own_.mask) == 0; }

 private:
  const ConvergencePoint& point(std::uint32_t index) const {
    return ptx_kernel(*w_.machine).convergence_points[index];
  }
  bool in_call(const Entry& e) const {
    return e.call_depth == own_.call_depth && (e.mask & call_) != 0;
  }

  const Warp& w_;
  const Entry& own_;
  const ptx::Instruction& instruction_;
  std::uint32_t call_ = ~std::uint32_t{0};  // the lanes in the call
};

int top_of(const Warp& w) { return w.stack.depth() - 1; }

const SimtStack& stack_of(const Warp& w, std::size_t number) {
  return number == 0 ? w.stack : w.fragments[number - 1];
}

// Adds to the meeting what waits for it in a stack. True when there was something.
bool add_waiting(const Warp& w, std::size_t stack_number, SyncMeeting& meeting) {
  const SimtStack& stack = stack_of(w, stack_number);
  const int end = stack.depth() - (stack_number == 0);
  bool added = false;
  for (int i = 0; i < end; ++i) {
    const Entry& e = stack.entry(i);
    if (!e.waits || e.converged || (e.mask & meeting.named) == 0 || (e.mask & meeting.lanes) != 0)
      continue;
    const DecodedInstruction& r = w.machine->code[e.pc];
    const SyncPlace place{&r, e.mask & predicate(w, r.guard)};
    if (place.lanes == 0 || !match(w, meeting.here, place)) continue;
    meeting.waiting.emplace_back(stack_number, i);
    meeting.others.push_back(place);
    meeting.lanes |= place.lanes;
    meeting.named |= named_by(w, place);
    added = true;
  }
  return added;
}

// The lanes that can still arrive among those that the entry's lanes want. Another entry arrives
// when all its lanes have reconverged, so one that waits for these lanes does not.
template <class Reachable>
std::uint32_t arriving_lanes(const Warp& w, const LanesAtInstruction& here, std::uint32_t wanted,
                             Reachable reachable) {
  std::uint32_t arriving = 0;
  for (int i = 0; i < top_of(w); ++i) {
    const Entry& e = w.stack.entry(i);
    if (here.separate_from(e) && (e.mask & wanted) != 0 && reachable(e)) arriving |= e.mask;
  }
  return arriving;
}

// Finds the entry that runs first so that the wanted lanes arrive.
class AwaitedEntry {
 public:
  explicit AwaitedEntry(const Warp& w) : w_(w) {}

  std::optional<int> find(std::uint32_t wanted) {
    std::optional<int> found = find_for(top_of(w_), wanted);
    // Wanted lanes may have to reconverge first with lanes that wait for others.
    for (std::size_t n = 0; !found && n < waiting_.size(); ++n) {
      const Entry& e = w_.stack.entry(waiting_[n]);
      const DecodedInstruction& r = w_.machine->code[e.pc];
      const SyncPlace place{&r, e.mask & predicate(w_, r.guard)};
      found = find_for(waiting_[n], named_by(w_, place) & ~e.mask);
    }
    return found;
  }

 private:
  // For the lanes of entry `waiter`.
  std::optional<int> find_for(int waiter, std::uint32_t wanted) {
    const LanesAtInstruction here(w_, waiter);
    const std::uint32_t arriving =
        arriving_lanes(w_, here, wanted, [&](const Entry& e) { return here.reachable_from(e); });
    std::uint32_t above = w_.stack.active();
    for (int i = top_of(w_) - 1; i >= 0 && arriving != 0; above |= w_.stack.entry(i--).mask) {
      const Entry& e = w_.stack.entry(i);
      if ((e.mask & above) != 0 || (e.mask & arriving) == 0) continue;
      if (!e.waits || e.converged || (waiter == top_of(w_) && here.at_same_instruction(e)))
        return i;
      if (std::find(waiting_.begin(), waiting_.end(), i) == waiting_.end()) waiting_.push_back(i);
    }
    return {};
  }

  const Warp& w_;
  std::vector<int> waiting_;  // entries on which wanted lanes depend
};

}  // namespace

SyncMeeting sync_meeting(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  SyncMeeting meeting;
  meeting.lanes = mask;
  meeting.here = {&r, mask};
  meeting.named = named_by(w, meeting.here);
  if ((w.stack.depth() == 1 && w.fragments.empty()) || !ptx::may_match(ptx_of(r)) ||
      !waits_at_other_places(w, r))
    return meeting;
  bool added = true;
  while (std::exchange(added, false))
    for (std::size_t n = 0; n <= w.fragments.size(); ++n) added |= add_waiting(w, n, meeting);
  return meeting;
}

std::optional<int> awaited_entry(const Warp& w, const SyncMeeting& meeting) {
  const std::uint32_t wanted = meeting.named & ~meeting.lanes & ~w.stack.active();
  if (wanted == 0 || w.stack.depth() == 1) return {};
  return AwaitedEntry(w).find(wanted);
}

bool wait_for_members(Warp& w, const SyncMeeting& meeting) {
  const std::optional<int> awaited = awaited_entry(w, meeting);
  if (!awaited) return false;
  if (LanesAtInstruction(w, top_of(w)).at_same_instruction(w.stack.entry(*awaited)))
    w.stack.merge_into_top(*awaited);
  else
    w.stack.run_first(*awaited);
  return true;
}

void end_waits(Warp& w, const SyncMeeting& meeting) {
  for (const auto& [stack, entry] : meeting.waiting)
    (stack == 0 ? w.stack : w.fragments[stack - 1])
        .regroup([entry = entry](SimtStack::Entry* first, SimtStack::Entry* end) {
          first[entry].converged = 1;
          return end;
        });
}

void warn_of_lone_lanes(Warp& w, const DecodedInstruction& r, const SyncMeeting& meeting) {
  Machine& machine = *w.machine;
  if (waits_at_other_places(w, r) || !machine.launch.services ||
      std::find(machine.lone_places.begin(), machine.lone_places.end(), w.pc) !=
          machine.lone_places.end())
    return;
  const LanesAtInstruction here(w, top_of(w));
  const std::uint32_t wanted = meeting.named & ~meeting.lanes;
  const std::uint32_t others = wanted & arriving_lanes(w, here, wanted, [&](const Entry& e) {
                                 return here.match_reachable_from(e);
                               });
  if (others == 0) return;
  machine.lone_places.push_back(w.pc);
  machine.warnings.push_back(
      {machine.launch.kernel, w.pc, lone_lanes(w, r, meeting.lanes, others)});
  if (machine.direct) serve_host_calls(machine);
}

}  // namespace heddle::exec
