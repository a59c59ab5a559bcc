#include "exec/convergence/warp_synchronous.h"

#include <bit>

#include "exec/isa/lanes.h"
#include "exec/state/machine.h"

namespace heddle::exec {
namespace {

using Entry = SimtStack::Entry;

bool is_warp_sync(const ptx::Instruction& i) {
  return i.convergence_point == ptx::ConvergencePoint::kWarpSyncs;
}

// Does the entry wait at a bar.warp.sync? Any will do: lanes of one warp may come to different
// ones.
bool waits_at_warp_sync(const Warp& w, const Entry& e) {
  return e.waits && !e.met && is_warp_sync(*w.machine->code[e.pc].instruction);
}

// The running lanes, and who else is in their call.
class Running {
 public:
  explicit Running(const Warp& w) : w_(w), depth_(w.stack.call_depth()) {
    int caller = w.stack.depth() - 1;
    while (caller >= 0 && (w.stack.entry(caller).call_depth >= depth_ ||
                           (w.stack.entry(caller).mask & w.stack.active()) == 0))
      --caller;
    if (caller >= 0) call_ = w.stack.entry(caller).mask;
  }
  // Do the entry's lanes stand where the running ones do, to make the same instruction?
  bool joined_by(const Entry& e) const { return in_call(e) && e.pc == w_.pc && !e.met; }
  // Can they still come to it before they meet others?
  bool met_by(const Entry& e, const ptx::Instruction& i) const {
    if (joined_by(e)) return true;
    const ptx::ConvergencePoint& place =
        w_.machine->launch.kernel->convergence_points[i.convergence_point];
    if (is_warp_sync(i))
      return !waits_at_warp_sync(w_, e) &&
             place.can_be_reached(kNoPc, e.pc + is_behind(e), e.reconvergence);
    return in_call(e) && place.can_be_reached(w_.pc, e.pc, e.reconvergence);
  }

 private:
  // Is the bar.warp.sync at its pc as good as made? That of a call's callee is not.
  bool is_behind(const Entry& e) const {
    return e.met && w_.machine->code[e.pc].flow == Flow::converge;
  }
  bool in_call(const Entry& e) const { return e.call_depth == depth_ && (e.mask & call_) != 0; }

  const Warp& w_;
  std::uint32_t depth_, call_ = ~std::uint32_t{0};  // the lanes that made the call
};

}  // namespace

std::uint32_t wanted_lanes(const Warp& w, const Record& r, std::uint32_t mask) {
  if (r.members == Record::kAllLanes) return w.live;
  const auto* named = source<std::uint32_t>(w, r, r.members);
  std::uint32_t all = 0;
  for (; mask != 0; mask &= mask - 1) all |= named[std::countr_zero(mask)];
  return all;
}

std::optional<int> awaited_entry(const Warp& w, const Record& r, std::uint32_t mask) {
  const SimtStack& stack = w.stack;
  if (r.instruction->convergence_point == ptx::ConvergencePoint::kNone || stack.depth() == 1 ||
      stack.top().met)
    return {};
  const std::uint32_t running = stack.active(), wanted = wanted_lanes(w, r, mask) & ~running;
  if (wanted == 0) return {};
  const Running ours(w);
  const int top = stack.depth() - 1;
  // An entry that does not wait for the running lanes, and can come, does so once all its lanes
  // have met.
  std::uint32_t on_their_way = 0;
  for (int i = 0; i < top; ++i) {
    const Entry& e = stack.entry(i);
    if ((e.mask & running) == 0 && (e.mask & wanted) != 0 && ours.met_by(e, *r.instruction))
      on_their_way |= e.mask;
  }
  std::uint32_t above = running;
  for (int i = top - 1; i >= 0 && on_their_way != 0; above |= stack.entry(i--).mask) {
    const Entry& e = stack.entry(i);
    if ((e.mask & above) == 0 && (e.mask & on_their_way) != 0 &&
        (!e.waits || e.met || ours.joined_by(e)))
      return i;
  }
  return {};
}

bool gather(Warp& w, const Record& r, std::uint32_t mask) {
  if (r.instruction->convergence_point == ptx::ConvergencePoint::kNone) return false;
  SimtStack& stack = w.stack;
  if (const std::optional<int> awaited = awaited_entry(w, r, mask)) {
    if (Running(w).joined_by(stack.entry(*awaited)))
      stack.take_in(*awaited);
    else
      stack.run_first(*awaited);
    return true;
  }
  if (is_warp_sync(*r.instruction) && stack.depth() > 1 && !stack.top().met) {
    const std::uint32_t wanted = wanted_lanes(w, r, mask);
    for (int i = 0; i < stack.depth() - 1; ++i)
      if ((stack.entry(i).mask & wanted) != 0 && waits_at_warp_sync(w, stack.entry(i)))
        stack.meet(i);
  }
  stack.stop_waiting();
  return false;
}

}  // namespace heddle::exec
