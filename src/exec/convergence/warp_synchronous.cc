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

// Does the entry wait at a bar.warp.sync? Lanes of one warp may execute different ones together.
bool waits_at_warp_sync(const Warp& w, const Entry& e) {
  return e.waits && !e.converged && is_warp_sync(*w.machine->code[e.pc].instruction);
}

// The running lanes and the call that they are in.
class RunningLanes {
 public:
  explicit RunningLanes(const Warp& w) : w_(w), depth_(w.stack.call_depth()) {
    int caller = w.stack.depth() - 1;
    while (caller >= 0 && (w.stack.entry(caller).call_depth >= depth_ ||
                           (w.stack.entry(caller).mask & w.stack.active()) == 0))
      --caller;
    if (caller >= 0) call_ = w.stack.entry(caller).mask;
  }
  // Are the entry's lanes about to execute the same instruction?
  bool at_same_instruction(const Entry& e) const {
    return in_call(e) && e.pc == w_.pc && !e.converged;
  }
  // Can they still reach it before they reconverge with others?
  bool reachable_from(const Entry& e, const ptx::Instruction& i) const {
    if (at_same_instruction(e)) return true;
    const ptx::ConvergencePoint& point =
        w_.machine->launch.kernel->convergence_points[i.convergence_point];
    if (is_warp_sync(i))
      return !waits_at_warp_sync(w_, e) &&
             point.can_be_reached(kNoPc, e.pc + past_warp_sync(e), e.reconvergence);
    return in_call(e) && point.can_be_reached(w_.pc, e.pc, e.reconvergence);
  }

 private:
  // Has the bar.warp.sync at the entry's pc completed? One in a callee has not.
  bool past_warp_sync(const Entry& e) const {
    return e.converged && w_.machine->code[e.pc].flow == Flow::converge;
  }
  bool in_call(const Entry& e) const { return e.call_depth == depth_ && (e.mask & call_) != 0; }

  const Warp& w_;
  std::uint32_t depth_, call_ = ~std::uint32_t{0};  // the lanes in the call
};

}  // namespace

std::uint32_t member_lanes(const Warp& w, const Record& r, std::uint32_t mask) {
  if (r.members == Record::kAllLanes) return w.live;
  const auto* named = source<std::uint32_t>(w, r, r.members);
  std::uint32_t all = 0;
  for (; mask != 0; mask &= mask - 1) all |= named[std::countr_zero(mask)];
  return all;
}

std::optional<int> awaited_entry(const Warp& w, const Record& r, std::uint32_t mask) {
  const SimtStack& stack = w.stack;
  if (r.instruction->convergence_point == ptx::ConvergencePoint::kNone || stack.depth() == 1 ||
      stack.top().converged)
    return {};
  const std::uint32_t running = stack.active(), wanted = member_lanes(w, r, mask) & ~running;
  if (wanted == 0) return {};
  const RunningLanes running_lanes(w);
  const int top = stack.depth() - 1;
  // Entries that can reach the instruction and do not wait for the running lanes. Such an entry
  // arrives when all its lanes have reconverged.
  std::uint32_t arriving = 0;
  for (int i = 0; i < top; ++i) {
    const Entry& e = stack.entry(i);
    if ((e.mask & running) == 0 && (e.mask & wanted) != 0 &&
        running_lanes.reachable_from(e, *r.instruction))
      arriving |= e.mask;
  }
  std::uint32_t above = running;
  for (int i = top - 1; i >= 0 && arriving != 0; above |= stack.entry(i--).mask) {
    const Entry& e = stack.entry(i);
    if ((e.mask & above) == 0 && (e.mask & arriving) != 0 &&
        (!e.waits || e.converged || running_lanes.at_same_instruction(e)))
      return i;
  }
  return {};
}

bool wait_for_members(Warp& w, const Record& r, std::uint32_t mask) {
  if (r.instruction->convergence_point == ptx::ConvergencePoint::kNone) return false;
  SimtStack& stack = w.stack;
  if (const std::optional<int> awaited = awaited_entry(w, r, mask)) {
    if (RunningLanes(w).at_same_instruction(stack.entry(*awaited)))
      stack.merge_into_top(*awaited);
    else
      stack.run_first(*awaited);
    return true;
  }
  if (is_warp_sync(*r.instruction) && stack.depth() > 1 && !stack.top().converged) {
    const std::uint32_t wanted = member_lanes(w, r, mask);
    for (int i = 0; i < stack.depth() - 1; ++i)
      if ((stack.entry(i).mask & wanted) != 0 && waits_at_warp_sync(w, stack.entry(i)))
        stack.end_wait(i);
  }
  stack.stop_waiting();
  return false;
}

}  // namespace heddle::exec
