#include "sm/lsu/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

LoadStoreUnit::LoadStoreUnit(int sm, const config::SmSpec& spec, mem::SmPort& port, OpPool& pool,
                             const WarpTable& warps, OperandCollector& collector,
                             KernelContext& kernel)
    : sm_(sm),
      port_(port),
      pool_(pool),
      warps_(warps),
      collector_(collector),
      stats_(&kernel.stats),
      shared_latency_(std::max(1u, spec.shared.latency)),
      l1_latency_(std::max(1u, spec.l1d.hit_latency)),
      repeats_(std::max(1u, spec.shared.warp_parts)),
      hit_delay_(spec.l1d_access == config::L1Access::direct ? spec.l1d.hit_latency : 0),
      direct_(spec.l1d_access == config::L1Access::direct),
      steps_collectors_(spec.collectors_step_in_lsu),
      perfect_constants_(spec.perfect_constant_cache),
      constant_(spec.constant),
      texture_(spec.texture),
      shared_(shared_latency_),
      responses_(kResponses),
      hits_(hit_delay_ + 1) {
  if (spec.l1d.size_bytes > 0) l1d_.emplace(spec.l1d);
  check_invariant(spec.l1d.banks <= 64, "an L1 data cache of more than 64 banks was configured");
  banks_.assign(std::max(1u, spec.l1d.banks),
                Bank{BoundedQueue<QueuedAccess>(l1_latency_ * repeats_), {}});
}

void LoadStoreUnit::count_for(KernelContext& kernel) { stats_ = &kernel.stats; }

ReexecutionQueue& LoadStoreUnit::reexecute_refused(std::uint32_t entries) {
  if (!reexecution_) reexecution_ = std::make_unique<ReexecutionQueue>(entries);
  return *reexecution_;
}

void LoadStoreUnit::accept(OpId id) {
  Op& op = pool_[id];
  op.dispatched = op.at_once = false;
  op.pending = 0;
  if (!op.instruction->is_store() && op.space != ptx::Space::shared) {
    if (op.bypass)
      for (const MemoryAccess& a : op.accesses) op.pending += a.sectors();
    else
      op.pending = static_cast<std::uint32_t>(op.accesses.size());
  }
  dispatch_ = id;
}

void LoadStoreUnit::cycle(Cycle now) {
  for (std::uint32_t r = 0; r < repeats_; ++r) {
    step_ = now.value * repeats_ + r;
    write_back(now);
    if (!hits_.empty()) end_hit_delays();
    if (steps_collectors_) collector_.step_once(now, step_);
    if (!responses_.empty()) take_response();
    if (missing_) send_misses(now);
    if (reexecution_ && !reexecution_->idle() && !direct_) {
      access_or_reexecute(now);
    } else {
      for_each_filled_bank([&](std::size_t b) {
        if (banks_[b].queue.front().at <= now) access_l1d(banks_[b]);
      });
    }
    if (dispatch_ != kNoOp) dispatch(now);
    if (direct_ && reexecution_) reexecute_after_dispatch();
  }
}

void LoadStoreUnit::end_hit_delays() {
  while (!hits_.empty() && hits_.front().step <= step_) receive_data(hits_.pop().op, 1);
}

// One load per cycle writes its data to the register file. Shared memory, the caches and the bypass
// are served in round robin.
void LoadStoreUnit::write_back(Cycle now) {
  if (result_ != kNoOp) {
    Op& op = pool_[result_];
    if (!collector_.write(op.warp, op.home, *op.timing)) return;
    const OpId id = result_;
    result_ = kNoOp;
    if (result_is_shared_)
      listener_->complete(id);
    else
      receive_data(id, result_accesses_);
  }
  if (shared_.empty() && !ready_ && bypass_result_ == kNoOp) return;
  const std::uint32_t filled = sources_with_results(now);
  if (!filled) return;
  const std::uint32_t from_next = filled >> next_source_ << next_source_;
  const int source = std::countr_zero(from_next ? from_next : filled);
  take_result(static_cast<Source>(source));
  next_source_ = source + 1 == kSources ? 0 : source + 1;
}

// A bit for each.
std::uint32_t LoadStoreUnit::sources_with_results(Cycle now) const {
  const auto one = [](Source source, bool has_result) {
    return std::uint32_t{has_result} << static_cast<unsigned>(source);
  };
  return one(Source::shared, !shared_.empty() && shared_.front().at <= now) |
         one(Source::constant, ready_ & bit(Owned::constant)) |
         one(Source::bypass, bypass_result_ != kNoOp) | one(Source::l1d, ready_ & bit(Owned::l1d)) |
         one(Source::texture, ready_ & bit(Owned::texture));
}

void LoadStoreUnit::take_result(Source source) {
  result_is_shared_ = false;
  result_accesses_ = 1;
  const auto take_ready = [&](Owned which) {
    mem::Cache& cache = owned(which);
    const mem::Ready ready = cache.pop_ready();
    update_flags(which);
    if (ready.kind == mem::PacketKind::write) {
      const WarpSlot warp(static_cast<int>(ready.tag & 0xff));
      const auto sectors = static_cast<std::int32_t>(ready.tag >> 8);
      stores_ -= sectors;
      listener_->stores_changed(warp, -sectors);
    } else {
      result_ = ready.tag;
    }
  };
  switch (source) {
    case Source::shared:
      result_ = shared_.pop().op;
      result_is_shared_ = true;
      return;
    case Source::constant: return take_ready(Owned::constant);
    case Source::texture: return take_ready(Owned::texture);
    case Source::bypass:
      result_ = bypass_result_;
      result_accesses_ = bypass_sectors_;
      bypass_result_ = kNoOp;
      return;
    case Source::l1d: return take_ready(Owned::l1d);
  }
}

void LoadStoreUnit::take_response() {
  const mem::Packet& p = responses_.front();
  if (p.kind == mem::PacketKind::write) {
    const auto sectors = static_cast<std::int32_t>(p.sector_count());
    stores_ -= sectors;
    listener_->stores_changed(p.origin.warp, -sectors);
  } else if (p.tag & kBypassTag) {
    if (bypass_result_ != kNoOp) return;
    bypass_result_ = p.tag & ~kBypassTag;
    bypass_sectors_ = p.sector_count();
    bypassing_ -= bypass_sectors_;
  } else {
    const Owned which = p.client == mem::Client::constant  ? Owned::constant
                        : p.client == mem::Client::texture ? Owned::texture
                                                           : Owned::l1d;
    mem::Cache& cache = owned(which);
    if (!cache.ports().fill_free(step_)) return;
    if (is_resident(p.origin)) count_for(p.origin.warp);
    cache.fill(p.tag, p.sector_count(), step_, counters(which));
    update_flags(which);
  }
  responses_.pop();
}

// Sends one miss of each cache.
void LoadStoreUnit::send_misses(Cycle now) {
  for (const Owned which : {Owned::constant, Owned::texture, Owned::l1d}) {
    if (!(missing_ & bit(which)) || !port_.can_send()) continue;
    mem::Cache& cache = owned(which);
    const mem::Miss& miss = cache.front_miss();
    if (is_resident(miss.origin)) count_for(miss.origin.warp);
    port_.send(now, miss.packet(now));
    cache.pop_miss();
    update_flags(which);
    ++stats_->packets_sent;
  }
}

void LoadStoreUnit::update_flags(Owned which) {
  const mem::Cache& cache = owned(which);
  const std::uint8_t kept = static_cast<std::uint8_t>(~bit(which));
  ready_ = static_cast<std::uint8_t>((ready_ & kept) | (cache.has_ready() ? bit(which) : 0));
  missing_ = static_cast<std::uint8_t>((missing_ & kept) | (cache.has_miss() ? bit(which) : 0));
}

// The bank's first access, which has passed the hit latency, accesses the L1. When it is refused it
// stays, is retried in the next cycle, and blocks the accesses after it.
void LoadStoreUnit::access_l1d(Bank& bank) {
  const QueuedAccess& q = bank.queue.front();
  count_for(q.warp());
  if (still_refused(bank)) {
    stats_->l1d.count_refusals(bank.refusal.cause);
    return;
  }
  const mem::Access a = l1d_->access(request_of(q), step_, stats_->l1d);
  update_flags(Owned::l1d);
  report_access(q, a);
  if (a.outcome == mem::Outcome::reservation_fail) {
    if (a.cause == mem::FailCause::port_busy) return;
    bank.refusal = a;
    bank.refused_after = l1d_->changes();
    return;
  }
  finish_access(q, a);
  pop_access(bank);
}

mem::Request LoadStoreUnit::request_of(const QueuedAccess& q) const {
  mem::Request r;
  r.address = q.access.address;
  r.bytes = q.access.bytes;
  r.kind = q.store ? mem::PacketKind::write : mem::PacketKind::read;
  r.client = q.space == ptx::Space::local ? mem::Client::local : mem::Client::l1d;
  r.origin = q.origin;
  r.tag = q.store ? static_cast<std::uint32_t>(q.warp().index) | q.sectors() << 8 : q.op;
  r.mask = q.access.mask;
  return r;
}

// An access that the L1 accepted may be complete at once.
void LoadStoreUnit::finish_access(const QueuedAccess& q, const mem::Access& access) {
  if (access.answer != mem::Answer::now) return;
  if (!q.store && hit_delay_) return hits_.push({step_ + hit_delay_, q.op});
  if (!q.store) return receive_data(q.op, 1);
  const std::uint32_t sectors = q.sectors();
  stores_ -= sectors;
  listener_->stores_changed(q.warp(), -static_cast<std::int32_t>(sectors));
}

void LoadStoreUnit::report_access(const QueuedAccess& q, const mem::Access& access) {
  listener_->l1_accessed(q.warp(), q.origin.pc, q.access.address, !q.store, access);
}

void LoadStoreUnit::receive_data(OpId id, std::uint32_t accesses) {
  Op& op = pool_[id];
  check_invariant(op.pending >= accesses, "data arrived for an instruction that waits for none");
  op.pending -= accesses;
  if (op.pending == 0 && op.dispatched) listener_->complete(id);
}

bool LoadStoreUnit::quiet(Cycle now) const {
  if (result_ != kNoOp || bypass_result_ != kNoOp || !responses_.empty() || ready_ || missing_)
    return false;
  if (reexecution_ && reexecution_->can_progress(l1d_->changes())) return false;
  return (dispatch_ == kNoOp || dispatch_is_stuck()) && next_event() > now;
}

bool LoadStoreUnit::dispatch_is_stuck() const {
  const Op& op = pool_[dispatch_];
  if (banks_.size() != 1 || op.bypass || op.accesses.empty() ||
      !(op.space == ptx::Space::global || op.space == ptx::Space::local))
    return false;
  if (direct_) return !reexecution_ && still_refused(banks_[0]);
  return banks_[0].queue.full() && blocked(banks_[0]);
}

void LoadStoreUnit::repeat(std::uint64_t cycles) {
  const std::uint64_t times = cycles * repeats_;
  for_each_filled_bank([&](std::size_t b) {
    if (!still_refused(banks_[b])) return;
    count_for(banks_[b].queue.front().warp());
    stats_->l1d.count_refusals(banks_[b].refusal.cause, times);
  });
  if (dispatch_ == kNoOp) return;
  count_for(pool_[dispatch_].warp);
  if (direct_) stats_->l1d.count_refusals(banks_[0].refusal.cause, times);
  stats_->lsu_stalls[static_cast<std::size_t>(LsuStall::l1d_queue)] += times;
}

Cycle LoadStoreUnit::next_event() const {
  Cycle next = shared_.empty() ? Cycle::never() : shared_.front().at;
  if (!hits_.empty()) next = std::min(next, Cycle{hits_.front().step / repeats_});
  for_each_filled_bank([&](std::size_t b) {
    if (!blocked(banks_[b])) next = std::min(next, banks_[b].queue.front().at);
  });
  return next;
}

bool LoadStoreUnit::idle() const {
  if (reexecution_ && !reexecution_->empty()) return false;
  if (dispatch_ != kNoOp || !shared_.empty() || filled_banks_ || !hits_.empty()) return false;
  return quiet(Cycle{}) && bypassing_ == 0 && stores_ == 0 && constant_.idle() && texture_.idle() &&
         (!l1d_ || l1d_->idle());
}

}  // namespace heddle::sm
