// The L1 data cache's side of the load/store unit while refused accesses leave its pipeline: a
// cycle serves a new access, or, without one, the head of the re-execution queue.
#include "sm/load_store_unit.h"

namespace heddle::sm {

// New accesses wait while the queue can take no more, and while a closed one runs empty.
bool LoadStoreUnit::accepts_new(const QueuedAccess& access) const {
  return reexecution_->idle() || reexecution_->can_take(access.warp);
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
  if (!reexecution_->worth_trying(l1d_->changes())) return;
  if (!((served >> (&bank_of(reexecution_->next().access.address) - banks_.data())) & 1))
    reexecute();
}

// A warp's accesses stay in order: behind an entry of its own they go into the queue untried.
void LoadStoreUnit::access_new(Bank& bank) {
  const QueuedAccess& q = bank.queue.front();
  if (!reexecution_->warps().test(q.warp)) {
    const Tried tried = try_access(q);
    if (tried == Tried::later) return;
    if (tried == Tried::accepted) {
      pop_access(bank);
      return;
    }
  }
  reexecution_->put(q);
  ++stats_.reexecution_queued;
  listener_->reexecution_changed();
  pop_access(bank);
}

void LoadStoreUnit::reexecute() {
  const QueuedAccess& q = reexecution_->next();
  const bool needs_hit = !reexecution_->may_miss(q.warp);
  ++stats_.reexecution_tries;
  if (needs_hit && !q.store && reexecution_->known_absent(l1d_->content_changes()) &&
      l1d_->data_port_free(step_)) {
    reexecution_->refused(l1d_->changes());
    return;
  }
  switch (try_access(q)) {
    case Tried::later: return;
    case Tried::refused:
      if (needs_hit && l1d_->data_port_free(step_, q.access.address))
        reexecution_->remember_absent(l1d_->content_changes());
      reexecution_->refused(l1d_->changes());
      return;
    case Tried::accepted:
      ++stats_.reexecuted;
      reexecution_->done();
      listener_->reexecution_changed();
  }
}

// A warp that may not miss is served only when its data are there; stores have to go to the next
// level and wait.
LoadStoreUnit::Tried LoadStoreUnit::try_access(const QueuedAccess& q) {
  if (!l1d_->data_port_free(step_)) return Tried::later;
  const bool hit_only = !reexecution_->may_miss(q.warp);
  if (hit_only && q.store) return Tried::refused;
  const mem::Request request = request_of(q);
  if (hit_only && !l1d_->would_hit(request, step_)) return Tried::refused;
  const mem::Access access = l1d_->access(request, step_);
  look_at(Owned::l1d);
  tell_access(q, access);
  if (access.outcome == mem::Outcome::reservation_fail) return Tried::refused;
  stats_.hits_under_saturation += hit_only;
  answered(q, access);
  return Tried::accepted;
}

}  // namespace heddle::sm
