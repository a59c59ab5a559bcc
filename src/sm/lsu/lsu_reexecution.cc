// The load/store unit's accesses to the L1 data cache with a re-execution queue. In each cycle a
// bank serves a new access; without one, the L1 serves the head of the re-execution queue.
#include "sm/lsu/load_store_unit.h"

namespace heddle::sm {

// New accesses wait while the queue is full, and while a closed queue is not empty.
bool LoadStoreUnit::accepts_new(const QueuedAccess& access) const {
  return reexecution_->idle() || reexecution_->has_room(access.warp());
}

void LoadStoreUnit::access_or_reexecute(Cycle now) {
  std::uint64_t served = 0;  // banks
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    Bank& bank = banks_[b];
    if (bank.queue.empty() || bank.queue.front().at > now || !accepts_new(bank.queue.front()))
      continue;
    served |= std::uint64_t{1} << b;
    access_new(bank);
  }
  if (!reexecution_->can_progress(l1d_->changes())) return;
  if (!((served >> (&bank_of(reexecution_->next().access.address) - banks_.data())) & 1))
    reexecute();
}

// A warp's accesses stay in order: while the warp has an entry, its new accesses enter the queue
// without an attempt.
void LoadStoreUnit::access_new(Bank& bank) {
  const QueuedAccess& q = bank.queue.front();
  count_for(q.warp());
  if (!reexecution_->warps().test(q.warp())) {
    const Attempt attempt = try_access(q);
    if (attempt == Attempt::port_busy) return;
    if (attempt == Attempt::accepted) {
      pop_access(bank);
      return;
    }
  }
  reexecution_->put(q);
  ++stats_->reexecution_queued;
  listener_->reexecution_changed();
  pop_access(bank);
}

// The same for the access of the dispatched instruction with L1Access::direct.
LoadStoreUnit::Attempt LoadStoreUnit::access_or_queue(const QueuedAccess& q) {
  if (!accepts_new(q)) return Attempt::refused;
  if (!l1d_->ports().data_free(step_)) return Attempt::port_busy;
  l1_served_new_ = true;
  count_store(q);
  const bool first = !reexecution_->warps().test(q.warp());
  if (first && try_access(q) == Attempt::accepted) return Attempt::accepted;
  reexecution_->put(q);
  ++stats_->reexecution_queued;
  listener_->reexecution_changed();
  return Attempt::accepted;
}

void LoadStoreUnit::reexecute_after_dispatch() {
  const bool free = !l1_served_new_;
  l1_served_new_ = false;
  if (free && !reexecution_->idle() && reexecution_->can_progress(l1d_->changes())) reexecute();
}

void LoadStoreUnit::reexecute() {
  const QueuedAccess& q = reexecution_->next();
  count_for(q.warp());
  const bool needs_hit = !reexecution_->may_miss(q.warp());
  ++stats_->reexecution_tries;
  if (needs_hit && !q.store && reexecution_->known_absent(l1d_->content_changes()) &&
      l1d_->ports().data_free(step_)) {
    reexecution_->rotate_refused(l1d_->changes());
    return;
  }
  switch (try_access(q)) {
    case Attempt::port_busy: return;
    case Attempt::refused:
      if (needs_hit && l1d_->ports().data_free(step_, q.access.address))
        reexecution_->note_absent(l1d_->content_changes());
      reexecution_->rotate_refused(l1d_->changes());
      return;
    case Attempt::accepted:
      ++stats_->reexecuted;
      reexecution_->pop_accepted();
      listener_->reexecution_changed();
  }
}

// A warp that may not miss is served only when its access hits. Its stores wait, because they need
// the next level.
LoadStoreUnit::Attempt LoadStoreUnit::try_access(const QueuedAccess& q) {
  if (!l1d_->ports().data_free(step_)) return Attempt::port_busy;
  const bool hit_only = !reexecution_->may_miss(q.warp());
  if (hit_only && q.store) return Attempt::refused;
  const mem::Request request = request_of(q);
  if (hit_only && !l1d_->would_hit(request, step_)) return Attempt::refused;
  const mem::Access access = l1d_->access(request, step_, stats_->l1d);
  update_flags(Owned::l1d);
  report_access(q, access);
  if (access.outcome == mem::Outcome::reservation_fail) return Attempt::refused;
  stats_->hits_under_saturation += hit_only;
  finish_access(q, access);
  return Attempt::accepted;
}

}  // namespace heddle::sm
