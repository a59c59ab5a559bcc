#include "sm/cycle/quiescence.h"

namespace heddle::sm {

bool Quiescence::lsu_can_be_fed() const {
  return (stages_.collected.filled() & 1u << kMemoryUnit) != 0 && stages_.lsu.can_accept();
}

// Whether the stages of the core but issue can do nothing in the cycle `next`, which follows.
bool Quiescence::core_becomes_quiescent(Cycle next) const {
  // Fetch has no request to make and no answer to decode.
  if (!stages_.front_end.quiet()) return false;
  // No stale buffer is left that a scheduler would flush.
  if (state_.warps.mismatched.any()) return false;
  // No operand is read and no instruction moves between latches; no stall ends, no counter rises.
  if (stages_.guided ? next_guided_change(next) <= next : !stages_.collector.stuck()) return false;
  // Some policies count every cycle.
  if (stages_.policies.has_subscriber(Event::cycle)) return false;
  // No instruction waits for a unit: units have initiation intervals that end by themselves.
  if ((stages_.collected.filled() & ~(1u << kMemoryUnit)) != 0) return false;
  // The load/store unit is full, or nothing waits for it.
  return !lsu_can_be_fed();
}

// A result of a unit, an access of the load/store unit, or a policy that wants to decide again.
Cycle Quiescence::find_own_change(Cycle from) const {
  Cycle next = std::min(stages_.units.next_result(from), stages_.lsu.next_event());
  if (stages_.guided)
    next = std::min({next, stages_.guided->next_event(from), stages_.front_end.next_arrival(),
                     next_guided_change(from)});
  if (ctas_.resident() > 0) next = std::min(next, stages_.issue.wake_at(from));
  return next;
}

}  // namespace heddle::sm
