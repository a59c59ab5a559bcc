#include "sm/lsu/direct_l1.h"

namespace heddle::sm {

bool DirectL1::dispatch(Op& op, OpId id, SmStats& stats) {
  if (!send(op, id, stats)) {
    stats.count_stall(LsuStall::l1d_queue);
    return false;
  }
  return LsuContext::pop_access(op, stats);
}

bool DirectL1::send(const Op& op, OpId id, SmStats& stats) {
  if (refusal_.holds(l1_.cache())) {
    refusal_.repeat(stats);
    return false;
  }
  const QueuedAccess q = l1_.next_access(op, id, context_.now);
  const mem::Access access = l1_.access(q, stats);
  if (access.outcome == mem::Outcome::reservation_fail) {
    if (access.cause != mem::FailCause::port_busy) refusal_.note(access, l1_.cache());
    return false;
  }
  l1_.send(q);
  l1_.answer(q, access);
  return true;
}

}  // namespace heddle::sm
