#include "sm/lsu/lsu_caches.h"

namespace heddle::sm {

LsuCaches::LsuCaches(const config::SmSpec& spec)
    : constant_(spec.constant), texture_(spec.texture) {
  if (spec.l1d.size_bytes > 0)
    owners_ = &l1d_.emplace(spec.l1d, spec.replies_per_cycle).remember_owners();
}

mem::Ready LsuCaches::pop_ready(Which which) {
  const mem::Ready ready = own(which).pop_ready();
  update_flags(which);
  return ready;
}

void LsuCaches::send_misses(mem::SmPort& port, LsuContext& context) {
  for (const Which which : {Which::constant, Which::texture, Which::l1d}) {
    if (!(missing_ & bit(which))) continue;
    mem::Cache& from = own(which);
    if (!port.can_send(from.front_miss().network_bytes())) continue;
    ++context.acting.of(from.front_miss().origin).packets_sent;
    port.send(context.now, from.front_miss().packet(context.now));
    from.pop_miss();
    update_flags(which);
  }
}

bool LsuCaches::fill(const mem::Packet& reply, LsuContext& context) {
  if (fill_part(reply, context.step)) return true;
  const Which which = which_of(reply);
  mem::Cache& filled = own(which);
  if (!filled.ports().fill_free(context.step)) return false;
  filled.fill(reply.tag, reply.sector_count(), context.step,
              counters(which, context.acting.of(reply.origin)));
  update_flags(which);
  return true;
}

void LsuCaches::update_flags(Which which) {
  const auto kept = static_cast<std::uint8_t>(~bit(which));
  const mem::Cache& changed = cache(which);
  ready_ = static_cast<std::uint8_t>((ready_ & kept) | (changed.has_ready() ? bit(which) : 0));
  missing_ = static_cast<std::uint8_t>((missing_ & kept) | (changed.has_miss() ? bit(which) : 0));
}

bool LsuCaches::idle() const {
  return constant_.idle() && texture_.idle() && (!l1d_ || l1d_->idle());
}

}  // namespace heddle::sm
