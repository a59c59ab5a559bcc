#include "sm/lsu/l1_lookup.h"

namespace heddle::sm {

L1Lookup::L1Lookup(const config::SmSpec& spec, LsuCaches& caches, LsuContext& context)
    : caches_(caches),
      context_(context),
      hit_delay_(spec.l1d_access == config::L1Access::direct ? spec.l1d.hit_latency : 0),
      hits_(hit_delay_ + 1) {}

QueuedAccess L1Lookup::next_access(const Op& op, OpId id, Cycle at) const {
  return {at, context_.origin_of(op), op.accesses.back(), id, op.instruction->is_store(), op.space};
}

mem::Access L1Lookup::access(const QueuedAccess& q, SmStats& stats) {
  const mem::Access access =
      caches_.access(LsuCaches::Which::l1d, request_of(q), context_.step, stats);
  context_.listener->l1_accessed(q.warp(), q.origin.pc, q.access.address, !q.store, access);
  return access;
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

mem::Request L1Lookup::request_of(const QueuedAccess& q) const {
  mem::Request r;
  r.address = q.access.address;
  r.bytes = q.access.bytes;
  r.kind = q.store ? mem::PacketKind::write : mem::PacketKind::read;
  r.client = q.space == ptx::Space::local ? mem::Client::local : mem::Client::l1d;
  r.origin = q.origin;
  r.tag = q.store ? StoreTag::of(q.warp(), q.sectors()).value : q.op;
  r.mask = q.access.mask;
  return r;
}

}  // namespace heddle::sm
