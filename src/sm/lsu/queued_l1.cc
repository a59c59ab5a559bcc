#include "sm/lsu/queued_l1.h"

#include <algorithm>

namespace heddle::sm {

QueuedL1::QueuedL1(const config::SmSpec& spec, L1Lookup& l1, LsuContext& context)
    : L1FrontEnd(l1, context),
      latency_(std::max(1u, spec.l1d.hit_latency)),
      count_(std::max(1u, spec.l1d.banks)) {
  check_invariant(spec.l1d.banks <= 64, "an L1 data cache of more than 64 banks was configured");
  banks_.assign(count_, Bank{BoundedQueue<QueuedAccess>(latency_ * context.steps_per_cycle), {}});
}

bool QueuedL1::dispatch(Op& op, OpId id, SmStats& stats) {
  const std::size_t per_cycle = context_.steps_per_cycle;
  const Cycle at = context_.now + latency_;
  for (std::size_t n = 0; n < count_ && !op.accesses.empty(); ++n) {
    const std::size_t bank = bank_of(op.accesses.back().address);
    BoundedQueue<QueuedAccess>& q = banks_[bank].queue;
    if (q.full() || (q.size() >= per_cycle && q[q.size() - per_cycle].at == at)) {
      stats.count_stall(LsuStall::l1d_queue);
      return false;
    }
    l1_.send(q.emplace(at, context_.origin_of(op), op.accesses.back(), id,
                       op.instruction->is_store(), op.space));
    filled_ |= std::uint64_t{1} << bank;
    waiting_ = true;
    op.accesses.pop_back();
  }
  if (!op.accesses.empty()) stats.count_stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

void QueuedL1::serve() {
  serve_banks();
  waiting_ = filled_ != 0;
}

void QueuedL1::serve_banks() {
  for_each_filled([&](std::size_t b) {
    if (banks_[b].queue.front().at <= context_.now) serve_bank(b);
  });
}

void QueuedL1::serve_bank(std::size_t bank) {
  const QueuedAccess& q = banks_[bank].queue.front();
  Refusal& refusal = banks_[bank].refusal;
  SmStats& stats = context_.acting.of(q.warp());
  if (refusal.holds(l1_.cache())) return refusal.repeat(stats);
  const mem::Access access = l1_.access(q, stats);
  if (access.outcome == mem::Outcome::reservation_fail) {
    if (access.cause != mem::FailCause::port_busy) refusal.note(access, l1_.cache());
    return;
  }
  l1_.answer(q, access);
  pop(bank);
}

bool QueuedL1::is_stuck(const Op&) const {
  return waits_for_bank([this](const Bank& bank) { return repeats_refusal(bank); });
}

Cycle QueuedL1::next_event() const {
  return next_access([this](const Bank& bank) { return repeats_refusal(bank); });
}

void QueuedL1::repeat(std::uint64_t times) {
  for_each_filled([&](std::size_t b) {
    if (repeats_refusal(banks_[b]))
      banks_[b].refusal.repeat(context_.acting.of(banks_[b].queue.front().warp()), times);
  });
}

}  // namespace heddle::sm
