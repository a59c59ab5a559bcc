#include "sm/lsu/reexecuting_l1.h"

#include <utility>

namespace heddle::sm {

// A warp's accesses stay in order: while the warp has an entry, its new accesses enter the queue
// without an attempt.
bool Reexecution::serve_new(const QueuedAccess& q, SmStats& stats) {
  if (!queue_.warps().test(q.warp())) {
    const Attempt attempt = try_access(q, stats);
    if (attempt != Attempt::refused) return attempt == Attempt::accepted;
  }
  queue_.put(q);
  ++stats.reexecution_queued;
  context_.listener->reexecution_changed();
  return true;
}

void Reexecution::retry() {
  const QueuedAccess& q = queue_.next();
  const mem::Cache& cache = l1_.cache();
  SmStats& stats = context_.acting.of(q.warp());
  const bool needs_hit = !queue_.may_miss(q.warp());
  ++stats.reexecution_tries;
  if (needs_hit && !q.store && queue_.known_absent(cache.content_changes()) &&
      cache.ports().data_free(context_.step)) {
    queue_.rotate_refused(cache.changes());
    return;
  }
  switch (try_access(q, stats)) {
    case Attempt::port_busy: return;
    case Attempt::refused:
      if (needs_hit && cache.ports().data_free(context_.step, q.access.address))
        queue_.note_absent(cache.content_changes());
      queue_.rotate_refused(cache.changes());
      return;
    case Attempt::accepted:
      ++stats.reexecuted;
      queue_.pop_accepted();
      context_.listener->reexecution_changed();
  }
}

// A warp that may not miss is served only when its access hits. Its stores wait, because they need
// the next level.
Reexecution::Attempt Reexecution::try_access(const QueuedAccess& q, SmStats& stats) {
  if (!l1_.cache().ports().data_free(context_.step)) return Attempt::port_busy;
  const bool hit_only = !queue_.may_miss(q.warp());
  if (hit_only && (q.store || !l1_.would_hit(q))) return Attempt::refused;
  const mem::Access access = l1_.access(q, stats);
  if (access.outcome == mem::Outcome::reservation_fail) return Attempt::refused;
  stats.hits_under_saturation += hit_only;
  l1_.answer(q, access);
  return Attempt::accepted;
}

Cycle ReexecutingQueuedL1::next_event() const {
  if (retries_.can_retry()) return Cycle{};
  return next_access([this](const Bank& bank) { return is_blocked(bank); });
}

void ReexecutingQueuedL1::serve() {
  if (retries_.queue().idle())
    serve_banks();
  else
    serve_banks_or_queue();
  waiting_ = !empty();
}

void ReexecutingQueuedL1::serve_banks_or_queue() {
  std::uint64_t served = 0;  // banks
  for (std::size_t b = 0; b < banks().size(); ++b) {
    const BoundedQueue<QueuedAccess>& bank = banks()[b].queue;
    if (bank.empty() || bank.front().at > context_.now ||
        !retries_.accepts_new(bank.front().warp()))
      continue;
    served |= std::uint64_t{1} << b;
    if (retries_.serve_new(bank.front(), context_.acting.of(bank.front().warp()))) pop(b);
  }
  if (!retries_.can_retry()) return;
  if (!((served >> bank_of(retries_.queue().next().access.address)) & 1)) retries_.retry();
}

bool ReexecutingDirectL1::send(const Op& op, OpId id, SmStats& stats) {
  if (retries_.queue().idle()) return DirectL1::send(op, id, stats);
  if (!retries_.accepts_new(op.warp) || !l1_.cache().ports().data_free(context_.step)) return false;
  waiting_ = served_new_ = true;
  const QueuedAccess q = l1_.next_access(op, id, context_.now);
  l1_.send(q);
  return retries_.serve_new(q, stats);
}

void ReexecutingDirectL1::serve() {
  const bool served = std::exchange(served_new_, false);
  if (!served && !retries_.queue().idle() && retries_.can_retry()) retries_.retry();
  waiting_ = !empty();
}

}  // namespace heddle::sm
