// The load/store unit sends the accesses of an instruction to shared memory, to a cache, or past
// the L1 data cache to the network.
#include "sm/lsu/load_store_unit.h"

namespace heddle::sm {
namespace {

bool is_constant(ptx::Space s) { return s == ptx::Space::constant || s == ptx::Space::param; }

}  // namespace

void LoadStoreUnit::dispatch(Cycle now) {
  Op& op = pool_[dispatch_];
  count_for(op.warp);
  const bool shared = op.space == ptx::Space::shared;
  bool done = true;
  if (shared && (op.executed.any() ||
                 !op.instruction->is_store())) {  // a load without lanes has the full latency
    done = dispatch_shared(op, now);
  } else if (op.executed.any()) {
    if (op.accesses.empty())
      done = true;
    else if (is_constant(op.space))
      done = dispatch_constant(op);
    else if (op.space == ptx::Space::texture)
      done = dispatch_read_only(Owned::texture, mem::Client::texture, LsuStall::texture_cache, op);
    else if (op.bypass)
      done = dispatch_bypass(op, now);
    else
      done = direct_ ? dispatch_direct(op, now) : dispatch_cached(op, now);
  }
  if (!done) return;
  const OpId id = dispatch_;
  dispatch_ = kNoOp;
  if (shared && !op.instruction->is_store()) return;
  op.dispatched = true;
  if (op.pending > 0) return;
  op.at_once = true;
  listener_->complete(id);
}

bool LoadStoreUnit::dispatch_shared(Op& op, Cycle now) {
  if (op.shared_cycles > 1) {
    --op.shared_cycles;
    stall(LsuStall::shared_conflict);
    return false;
  }
  if (op.instruction->is_store()) return true;
  if (shared_.full()) return false;
  shared_.push({now + shared_latency_, dispatch_});
  return true;
}

bool LoadStoreUnit::dispatch_constant(Op& op) {
  if (perfect_constants_) {
    op.pending = 0;
    op.accesses.clear();
    return true;
  }
  return dispatch_read_only(Owned::constant, mem::Client::constant, LsuStall::constant_cache, op);
}

bool LoadStoreUnit::dispatch_read_only(Owned which, mem::Client client, LsuStall why, Op& op) {
  mem::Cache& cache = owned(which);
  if (!cache.ports().data_free(step_)) {
    stall(why);
    return false;
  }
  const MemoryAccess& a = op.accesses.back();
  mem::Request r;
  r.address = a.address;
  r.bytes = a.bytes;
  r.client = client;
  r.origin = origin_of(op);
  r.tag = dispatch_;
  const mem::Access answer = cache.access(r, step_, counters(which));
  update_flags(which);
  if (answer.outcome == mem::Outcome::reservation_fail) {
    stall(why);
    return false;
  }
  op.accesses.pop_back();
  if (answer.answer == mem::Answer::now) --op.pending;
  if (!op.accesses.empty()) stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

bool LoadStoreUnit::dispatch_cached(Op& op, Cycle now) {
  for (std::size_t n = 0; n < banks_.size() && !op.accesses.empty(); ++n) {
    const MemoryAccess& a = op.accesses.back();
    Bank& bank = bank_of(a.address);
    BoundedQueue<QueuedAccess>& q = bank.queue;
    const Cycle at = now + l1_latency_;
    if (q.full() || (q.size() >= repeats_ && q[q.size() - repeats_].at == at)) {
      stall(LsuStall::l1d_queue);
      return false;
    }
    const QueuedAccess& queued =
        q.emplace(at, origin_of(op), a, dispatch_, op.instruction->is_store(), op.space);
    filled_banks_ |= std::uint64_t{1} << (&bank - banks_.data());
    count_store(queued);
    op.accesses.pop_back();
  }
  if (!op.accesses.empty()) stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

void LoadStoreUnit::count_store(const QueuedAccess& q) {
  if (!q.store) return;
  const auto sectors = static_cast<std::int32_t>(q.sectors());
  stores_ += sectors;
  listener_->stores_changed(q.warp(), sectors);
}

// The L1 answers the instruction's next access in this cycle. When it refuses, the instruction
// stays and tries again.
bool LoadStoreUnit::dispatch_direct(Op& op, Cycle now) {
  const bool queue_in_use = reexecution_ && !reexecution_->idle();
  if (!queue_in_use && still_refused(banks_[0])) {
    stats_->l1d.count_refusals(banks_[0].refusal.cause);
    stall(LsuStall::l1d_queue);
    return false;
  }
  const QueuedAccess q{
      now, origin_of(op), op.accesses.back(), dispatch_, op.instruction->is_store(), op.space};
  const Attempt attempt = queue_in_use ? access_or_queue(q) : access_directly(q);
  if (attempt != Attempt::accepted) {
    stall(LsuStall::l1d_queue);
    return false;
  }
  op.accesses.pop_back();
  if (!op.accesses.empty()) stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

LoadStoreUnit::Attempt LoadStoreUnit::access_directly(const QueuedAccess& q) {
  const mem::Access a = l1d_->access(request_of(q), step_, stats_->l1d);
  update_flags(Owned::l1d);
  report_access(q, a);
  if (a.outcome == mem::Outcome::reservation_fail) {
    if (a.cause == mem::FailCause::port_busy) return Attempt::port_busy;
    banks_[0].refusal = a;
    banks_[0].refused_after = l1d_->changes();
    return Attempt::refused;
  }
  count_store(q);
  finish_access(q, a);
  return Attempt::accepted;
}

bool LoadStoreUnit::dispatch_bypass(Op& op, Cycle now) {
  if (!port_.can_send()) {
    stall(LsuStall::network);
    return false;
  }
  const MemoryAccess& a = op.accesses.back();
  const bool store = op.instruction->is_store(),
             atomic = op.instruction->op_class == ptx::OpClass::atomic;
  const std::uint32_t sectors = a.sectors();
  mem::Packet p;
  p.address = a.address;
  p.bytes = a.bytes;
  p.kind = store    ? mem::PacketKind::write
           : atomic ? mem::PacketKind::atomic
                    : mem::PacketKind::read;
  p.client = op.space == ptx::Space::local ? mem::Client::local : mem::Client::l1d;
  p.sectors = a.sector_bits();
  p.origin = origin_of(op);
  p.tag = store ? 0 : dispatch_ | kBypassTag;
  p.atomic = op.atomic;
  p.lanes = a.lanes;
  p.mask = a.mask;
  p.issued = now;
  port_.send(now, p);
  ++stats_->packets_sent;
  ++stats_->bypassing_packets;
  if (store) {
    stores_ += sectors;
    listener_->stores_changed(op.warp, static_cast<std::int32_t>(sectors));
  } else {
    bypassing_ += sectors;
  }
  op.accesses.pop_back();
  if (!op.accesses.empty()) stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

}  // namespace heddle::sm
