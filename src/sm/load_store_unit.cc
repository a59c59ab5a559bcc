#include "sm/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

namespace {

bool is_store(const Op& op) { return op.instruction->is_store(); }
bool is_atomic(const Op& op) { return op.instruction->op_class == ptx::OpClass::atomic; }
bool is_constant(ptx::Space s) { return s == ptx::Space::constant || s == ptx::Space::param; }

std::uint32_t sectors_of(const mem::Packet& packet) {
  return packet.sectors ? static_cast<std::uint32_t>(std::popcount(packet.sectors))
                        : sm::sectors_of(packet.address, packet.bytes);
}

std::uint8_t sector_bits(Address address, std::uint32_t bytes) {
  const unsigned first = static_cast<unsigned>(address.value & 127) / mem::kSectorBytes;
  return static_cast<std::uint8_t>(((1u << sm::sectors_of(address, bytes)) - 1) << first);
}

}  // namespace

std::uint32_t sectors_of(Address address, std::uint32_t bytes) {
  const std::uint64_t first = address.value / mem::kSectorBytes,
                      last = (address.value + std::max(1u, bytes) - 1) / mem::kSectorBytes;
  return static_cast<std::uint32_t>(last - first + 1);
}

LoadStoreUnit::LoadStoreUnit(int sm, const config::SmSpec& spec, mem::SmPort& port, OpPool& pool,
                             OperandCollector& collector, SmStats& stats)
    : sm_(sm),
      port_(port),
      pool_(pool),
      collector_(collector),
      stats_(stats),
      shared_latency_(std::max(1u, spec.shared.latency)),
      l1_latency_(std::max(1u, spec.l1d.hit_latency)),
      repeats_(std::max(1u, spec.shared.warp_parts)),
      perfect_constants_(spec.perfect_constant_cache),
      constant_(spec.constant),
      texture_(spec.texture),
      shared_(shared_latency_),
      responses_(kResponses) {
  if (spec.l1d.size_bytes > 0) l1d_.emplace(spec.l1d);
  check_invariant(spec.l1d.banks <= 64, "an L1 data cache has at most 64 banks");
  banks_.assign(std::max(1u, spec.l1d.banks),
                Bank{BoundedQueue<QueuedAccess>(l1_latency_ * repeats_), {}});
}

ReexecutionQueue& LoadStoreUnit::reexecute_refused(std::uint32_t entries) {
  if (!reexecution_) reexecution_ = std::make_unique<ReexecutionQueue>(entries);
  return *reexecution_;
}

void LoadStoreUnit::accept(OpId id) {
  Op& op = pool_[id];
  op.left_unit = false;
  op.pending = 0;
  if (!is_store(op) && op.space != ptx::Space::shared) {
    if (op.bypass)
      for (const MemoryAccess& a : op.accesses) op.pending += sm::sectors_of(a.address, a.bytes);
    else
      op.pending = static_cast<std::uint32_t>(op.accesses.size());
  }
  dispatch_ = id;
}

void LoadStoreUnit::cycle(Cycle now) {
  for (std::uint32_t r = 0; r < repeats_; ++r) {
    step_ = now.value * repeats_ + r;
    write_back(now);
    if (!responses_.empty()) take_response();
    if (missing_) send_misses(now);
    if (reexecution_ && !reexecution_->idle()) {
      access_or_reexecute(now);
    } else {
      for_each_filled_bank([&](std::size_t b) {
        if (banks_[b].queue.front().at <= now) access_l1d(banks_[b]);
      });
    }
    if (dispatch_ != kNoOp) dispatch(now);
  }
}

// One load's data enter the register file per cycle; shared memory, the caches and the bypass take
// turns.
void LoadStoreUnit::write_back(Cycle now) {
  if (result_ != kNoOp) {
    Op& op = pool_[result_];
    if (!collector_.write(op.warp, op.home, *op.instruction)) return;
    const OpId id = result_;
    result_ = kNoOp;
    if (result_is_shared_)
      listener_->complete(id);
    else
      data_came(id, result_accesses_);
  }
  if (shared_.empty() && !ready_ && bypass_result_ == kNoOp) return;
  for (int c = 0; c < kSources; ++c) {
    const int source = (turn_ + c) % kSources;
    if (!next_result(static_cast<Source>(source), now)) continue;
    turn_ = (source + 1) % kSources;
    return;
  }
}

bool LoadStoreUnit::next_result(Source source, Cycle now) {
  result_is_shared_ = false;
  result_accesses_ = 1;
  const auto take_ready = [&](Owned which) {
    if (!(ready_ & bit(which))) return false;
    mem::Cache& cache = owned(which);
    const mem::Ready ready = cache.pop_ready();
    look_at(which);
    if (ready.kind == mem::PacketKind::write) {
      const WarpSlot warp(static_cast<int>(ready.tag & 0xff));
      const auto sectors = static_cast<std::int32_t>(ready.tag >> 8);
      stores_ -= sectors;
      listener_->stores_changed(warp, -sectors);
    } else {
      result_ = ready.tag;
    }
    return true;
  };
  switch (source) {
    case Source::shared:
      if (shared_.empty() || shared_.front().at > now) return false;
      result_ = shared_.pop().op;
      result_is_shared_ = true;
      return true;
    case Source::constant: return take_ready(Owned::constant);
    case Source::texture: return take_ready(Owned::texture);
    case Source::bypass:
      if (bypass_result_ == kNoOp) return false;
      result_ = bypass_result_;
      result_accesses_ = bypass_sectors_;
      bypass_result_ = kNoOp;
      return true;
    case Source::l1d: return take_ready(Owned::l1d);
  }
  return false;
}

void LoadStoreUnit::take_response() {
  const mem::Packet& p = responses_.front();
  if (p.kind == mem::PacketKind::write) {
    const auto sectors = static_cast<std::int32_t>(sectors_of(p));
    stores_ -= sectors;
    listener_->stores_changed(p.warp, -sectors);
  } else if (p.tag & kBypassTag) {
    if (bypass_result_ != kNoOp) return;
    bypass_result_ = p.tag & ~kBypassTag;
    bypass_sectors_ = sectors_of(p);
    bypassing_ -= bypass_sectors_;
  } else {
    const Owned which = p.client == mem::Client::constant  ? Owned::constant
                        : p.client == mem::Client::texture ? Owned::texture
                                                           : Owned::l1d;
    mem::Cache& cache = owned(which);
    if (!cache.fill_port_free(step_)) return;
    cache.fill(p.tag, static_cast<int>(sectors_of(p)), step_);
    look_at(which);
  }
  responses_.pop();
}

mem::Packet packet_of(const mem::Miss& miss, int sm, Cycle now) {
  mem::Packet p;
  p.address = miss.address;
  p.bytes = miss.bytes;
  p.kind = miss.kind == mem::Miss::Kind::fetch ? mem::PacketKind::read : mem::PacketKind::write;
  p.client = miss.client;
  p.sectors = miss.sectors;
  p.sm = static_cast<std::uint16_t>(sm);
  p.warp = miss.requester.warp;
  p.tag = miss.kind == mem::Miss::Kind::fetch ? miss.tag : 0;
  p.wants_reply = miss.kind != mem::Miss::Kind::write_back;
  p.mask = miss.mask;
  p.issued = now;
  p.pc = miss.pc;
  return p;
}

// One of each cache.
void LoadStoreUnit::send_misses(Cycle now) {
  for (const Owned which : {Owned::constant, Owned::texture, Owned::l1d}) {
    if (!(missing_ & bit(which)) || !port_.can_send()) continue;
    mem::Cache& cache = owned(which);
    port_.send(now, packet_of(cache.front_miss(), sm_, now));
    cache.pop_miss();
    look_at(which);
    ++stats_.packets_sent;
  }
}

void LoadStoreUnit::look_at(Owned which) {
  const mem::Cache& cache = owned(which);
  const std::uint8_t kept = static_cast<std::uint8_t>(~bit(which));
  ready_ = static_cast<std::uint8_t>((ready_ & kept) | (cache.has_ready() ? bit(which) : 0));
  missing_ = static_cast<std::uint8_t>((missing_ & kept) | (cache.has_miss() ? bit(which) : 0));
}

// The access that has waited for the hit latency meets the tags. When it is refused it tries again
// in the next cycle, and all behind it wait.
void LoadStoreUnit::access_l1d(Bank& bank) {
  const QueuedAccess& q = bank.queue.front();
  if (still_refused(bank)) {
    l1d_->refuse_again(bank.refusal.cause, 1);
    return;
  }
  const mem::Access a = l1d_->access(request_of(q), step_);
  look_at(Owned::l1d);
  tell_access(q, a);
  if (a.outcome == mem::Outcome::reservation_fail) {
    if (a.cause == mem::FailCause::port_busy) return;
    bank.refusal = a;
    bank.refused_after = l1d_->changes();
    return;
  }
  answered(q, a);
  pop_access(bank);
}

mem::Request LoadStoreUnit::request_of(const QueuedAccess& q) const {
  mem::Request r;
  r.address = q.access.address;
  r.bytes = q.access.bytes;
  r.kind = q.store ? mem::PacketKind::write : mem::PacketKind::read;
  r.client = q.space == ptx::Space::local ? mem::Client::local : mem::Client::l1d;
  r.requester = {static_cast<std::uint16_t>(sm_), q.warp};
  r.pc = q.pc;
  r.tag = q.store ? static_cast<std::uint32_t>(q.warp.index) |
                        sm::sectors_of(q.access.address, q.access.bytes) << 8
                  : q.op;
  r.mask = q.access.mask;
  return r;
}

// What the L1 has accepted may be complete at once.
void LoadStoreUnit::answered(const QueuedAccess& q, const mem::Access& access) {
  if (access.answer != mem::Answer::now) return;
  if (!q.store) return data_came(q.op, 1);
  const std::uint32_t sectors = sm::sectors_of(q.access.address, q.access.bytes);
  stores_ -= sectors;
  listener_->stores_changed(q.warp, -static_cast<std::int32_t>(sectors));
}

void LoadStoreUnit::tell_access(const QueuedAccess& q, const mem::Access& access) {
  listener_->l1_accessed(q.warp, q.pc, q.access.address, !q.store, access);
}

void LoadStoreUnit::data_came(OpId id, std::uint32_t accesses) {
  Op& op = pool_[id];
  check_invariant(op.pending >= accesses, "data came that nobody waits for");
  op.pending -= accesses;
  if (op.pending == 0 && op.left_unit) listener_->complete(id);
}

void LoadStoreUnit::dispatch(Cycle now) {
  Op& op = pool_[dispatch_];
  const bool shared = op.space == ptx::Space::shared;
  bool done = true;
  if (shared &&
      (op.executed.any() || !is_store(op))) {  // a load of no lane takes as long as another
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
      done = dispatch_cached(op, now);
  }
  if (!done) return;
  const OpId id = dispatch_;
  dispatch_ = kNoOp;
  if (shared && !is_store(op)) return;
  op.left_unit = true;
  if (op.pending == 0) listener_->complete(id);
}

bool LoadStoreUnit::dispatch_shared(Op& op, Cycle now) {
  if (op.shared_cycles > 1) {
    --op.shared_cycles;
    stall(LsuStall::shared_conflict);
    return false;
  }
  if (is_store(op)) return true;
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
  if (!cache.data_port_free(step_)) {
    stall(why);
    return false;
  }
  const MemoryAccess& a = op.accesses.back();
  mem::Request r;
  r.address = a.address;
  r.bytes = a.bytes;
  r.client = client;
  r.requester = {static_cast<std::uint16_t>(sm_), op.warp};
  r.pc = op.pc;
  r.tag = dispatch_;
  const mem::Access answer = cache.access(r, step_);
  look_at(which);
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
    const bool store = is_store(op);
    q.push({at, dispatch_, a, store, op.warp, op.space, op.pc});
    filled_banks_ |= std::uint64_t{1} << (&bank - banks_.data());
    if (store) {
      const auto sectors = static_cast<std::int32_t>(sm::sectors_of(a.address, a.bytes));
      stores_ += sectors;
      listener_->stores_changed(op.warp, sectors);
    }
    op.accesses.pop_back();
  }
  if (!op.accesses.empty()) stall(LsuStall::coalesced_accesses);
  return op.accesses.empty();
}

bool LoadStoreUnit::dispatch_bypass(Op& op, Cycle now) {
  if (!port_.can_send()) {
    stall(LsuStall::network);
    return false;
  }
  const MemoryAccess& a = op.accesses.back();
  const bool store = is_store(op), atomic = is_atomic(op);
  const std::uint32_t sectors = sm::sectors_of(a.address, a.bytes);
  mem::Packet p;
  p.address = a.address;
  p.bytes = a.bytes;
  p.kind = store    ? mem::PacketKind::write
           : atomic ? mem::PacketKind::atomic
                    : mem::PacketKind::read;
  p.client = op.space == ptx::Space::local ? mem::Client::local : mem::Client::l1d;
  p.sectors = sector_bits(a.address, a.bytes);
  p.sm = static_cast<std::uint16_t>(sm_);
  p.warp = op.warp;
  p.tag = store ? 0 : dispatch_ | kBypassTag;
  p.atomic = op.atomic;
  p.lanes = a.lanes;
  p.mask = a.mask;
  p.issued = now;
  p.pc = op.pc;
  port_.send(now, p);
  ++stats_.packets_sent;
  ++stats_.bypassing_packets;
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

bool LoadStoreUnit::quiet(Cycle now) const {
  if (result_ != kNoOp || bypass_result_ != kNoOp || !responses_.empty() || ready_ || missing_)
    return false;
  if (reexecution_ && reexecution_->worth_trying(l1d_->changes())) return false;
  return (dispatch_ == kNoOp || dispatch_is_stuck()) && next_event() > now;
}

bool LoadStoreUnit::dispatch_is_stuck() const {
  const Op& op = pool_[dispatch_];
  if (banks_.size() != 1 || op.bypass || op.accesses.empty() ||
      !(op.space == ptx::Space::global || op.space == ptx::Space::local))
    return false;
  return banks_[0].queue.full() && blocked(banks_[0]);
}

void LoadStoreUnit::repeat(std::uint64_t cycles) {
  const std::uint64_t times = cycles * repeats_;
  for_each_filled_bank([&](std::size_t b) {
    if (still_refused(banks_[b])) l1d_->refuse_again(banks_[b].refusal.cause, times);
  });
  if (dispatch_ != kNoOp) stats_.lsu_stalls[static_cast<std::size_t>(LsuStall::l1d_queue)] += times;
}

Cycle LoadStoreUnit::next_event() const {
  Cycle next = shared_.empty() ? Cycle::never() : shared_.front().at;
  for_each_filled_bank([&](std::size_t b) {
    if (!blocked(banks_[b])) next = std::min(next, banks_[b].queue.front().at);
  });
  return next;
}

bool LoadStoreUnit::idle() const {
  if (reexecution_ && !reexecution_->empty()) return false;
  if (dispatch_ != kNoOp || !shared_.empty() || filled_banks_) return false;
  return quiet(Cycle{}) && bypassing_ == 0 && stores_ == 0 && constant_.idle() && texture_.idle() &&
         (!l1d_ || l1d_->idle());
}

}  // namespace heddle::sm
