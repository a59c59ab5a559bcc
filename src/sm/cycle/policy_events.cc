#include "sm/cycle/policy_events.h"

#include "base/address_layout.h"

namespace heddle::sm {

PolicyEvents::PolicyEvents(SmState& state, Stages& stages, Quiescence& quiescence)
    : state_(state), stages_(stages), quiescence_(quiescence) {
  if (stages.lsu.l1d() && stages.policies.has_subscriber(Event::l1_evict))
    stages.lsu.l1d()->listen(this);
}

void PolicyEvents::notify_coalesced(const Op& op) {
  if (!stages_.policies.has_subscriber(Event::coalesced)) return;
  if (op.accesses.empty() || !op.instruction->is_long()) return;
  stages_.policies.notify(op.warp, Event::coalesced, [&](WarpScheduler& s) {
    s.on_coalesced({op.warp, op.pc, op.instruction->is_load(), static_cast<int>(op.accesses.size()),
                    op.executed.count(), stages_.lsu.through_l1d(op)});
  });
}

void PolicyEvents::notify_l1_access(WarpSlot warp, Pc pc, Address address, bool load,
                                    const mem::Access& access) {
  if (!stages_.policies.has_subscriber(Event::l1_access)) return;
  static constexpr std::array outcomes{L1Outcome::hit, L1Outcome::hit_reserved, L1Outcome::miss,
                                       L1Outcome::reservation_fail};
  const L1Access event{warp,
                       pc,
                       line_of(address, state_.spec.sm.l1d.line_bytes),
                       load,
                       outcomes[static_cast<std::size_t>(access.outcome)],
                       access.owner.warp,
                       address_in_space(address.value) < kConstantsBase,
                       state_.clock,
                       state_.warps.kernel[static_cast<std::size_t>(warp.index)]};
  stages_.policies.notify(warp, Event::l1_access, [&](WarpScheduler& s) { s.on_l1_access(event); });
}

void PolicyEvents::report_l1_pressure(Cycle now) {
  const mem::Cache* l1d = stages_.lsu.l1d();
  if (!l1d) return;
  const L1Pressure pressure{static_cast<int>(l1d->mshrs().free()),
                            static_cast<int>(l1d->miss_queue_free()), now};
  if (pressure.mshr_free == reported_.mshr_free &&
      pressure.miss_queue_free == reported_.miss_queue_free)
    return;
  reported_ = pressure;
  if (stages_.policies.notify_l1_pressure(pressure)) quiescence_.disturb_core();
}

void PolicyEvents::notify_l2_reuse(const mem::Packet& reply, Cycle now) {
  using mem::Reuse;
  if (reply.reuse == Reuse::none) return;
  const bool by_own = reply.reuse == Reuse::own || reply.reuse == Reuse::own_lost;
  const bool lost = reply.reuse == Reuse::own_lost || reply.reuse == Reuse::others_lost;
  stages_.policies.notify(reply.origin.warp, Event::l2_reuse, [&](WarpScheduler& s) {
    s.on_l2_reuse({reply.origin.warp, by_own, now,
                   state_.warps.kernel[static_cast<std::size_t>(reply.origin.warp.index)], lost});
  });
}

void PolicyEvents::on_eviction(const mem::Eviction& e) {
  quiescence_.disturb_core();
  stages_.policies.notify_all(Event::l1_evict, [&](WarpScheduler& s) {
    s.on_l1_evict({e.line, e.owner.warp, e.owner.pc});
  });
}

}  // namespace heddle::sm
