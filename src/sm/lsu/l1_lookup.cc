#include "sm/lsu/l1_lookup.h"

namespace heddle::sm {

L1Lookup::L1Lookup(const config::SmSpec& spec, LsuCaches& caches, LsuContext& context)
    : caches_(caches),
      context_(context),
      hit_delay_(spec.l1d_access == config::L1AccessPath::direct ? spec.l1d.hit_latency : 0),
      hits_(hit_delay_ + 1) {}

QueuedAccess L1Lookup::next_access(const Op& op, OpId id, Cycle at) const {
  return {at, context_.origin_of(op), op.accesses.back(), id, op.instruction->is_store(), op.space};
}

void L1Lookup::answer(const QueuedAccess& q, const mem::Access& access) {
  if (access.answer != mem::Answer::now) return;
  if (q.store) return context_.acknowledge_store(q.warp(), q.sectors());
  if (hit_delay_) return hits_.push({context_.step + hit_delay_, q.op});
  context_.receive_data(q.op, 1);
}

void L1Lookup::end_hit_delays() {
  while (!hits_.empty() && hits_.front().step <= context_.step)
    context_.receive_data(hits_.pop().op, 1);
}

}  // namespace heddle::sm
