#include "sm/lsu/load_store_unit.h"

#include <algorithm>

namespace heddle::sm {

using Which = LsuCaches::Which;

namespace {

bool is_constant(isa::Space s) { return s == isa::Space::constant || s == isa::Space::param; }

}  // namespace

LoadStoreUnit::LoadStoreUnit(int sm, const config::GpuSpec& gpu, mem::SmPort& port, OpPool& pool,
                             const WarpTable& warps, OperandCollector& collector,
                             RegisterBanks& registers, KernelContext& kernel)
    : context_{sm, std::max(1u, gpu.sm.shared.warp_parts), pool, ActingKernel(warps, kernel)},
      direct_(gpu.sm.l1d_access == config::L1AccessPath::direct),
      steps_collectors_(gpu.sm.collectors_step_in_lsu),
      port_(port),
      collector_(collector),
      responses_(kResponses * gpu.sm.replies_per_cycle),
      shared_(gpu.sm),
      remote_(gpu.cluster_network.cycles_per_sector(), context_),
      bypass_(port, context_),
      l1_(gpu.sm, caches_, context_),
      l1_front_end_(make_l1_front_end(gpu.sm, l1_, context_, 0)),
      constant_(Which::constant, gpu.sm.perfect_constant_cache, caches_, context_),
      texture_(Which::texture, false, caches_, context_),
      spec_(gpu.sm),
      caches_(gpu.sm),
      writeback_(gpu.sm, {shared_, caches_, bypass_, remote_}, registers, context_) {}

ReexecutionQueue& LoadStoreUnit::reexecute_refused(std::uint32_t entries) {
  if (!l1_front_end_->reexecution())
    l1_front_end_ = make_l1_front_end(spec_, l1_, context_, entries);
  return *l1_front_end_->reexecution();
}

void LoadStoreUnit::accept(OpId id) {
  Op& op = context_.ops[id];
  op.dispatched = op.at_once = false;
  op.pending = 0;
  if (!op.instruction->is_store() && op.space != isa::Space::shared) {
    if (op.bypass)
      for (const MemoryAccess& a : op.accesses) op.pending += a.sectors();
    else
      op.pending = static_cast<std::uint32_t>(op.accesses.size());
    if (op.remote_sectors > 0) ++op.pending;
  }
  if (through_l1d(op))
    for (const MemoryAccess& a : op.accesses) caches_.prefetch(a.address);
  dispatch_ = id;
}

void LoadStoreUnit::cycle(Cycle now) {
  context_.now = now;
  for (std::uint32_t r = 0; r < context_.steps_per_cycle; ++r) {
    context_.step = now.value * context_.steps_per_cycle + r;
    if (remote_.next_answer() <= now) [[unlikely]]
      remote_.end_stores();
    if (has_load_data()) writeback_.cycle();
    if (l1_.has_delayed_hits()) l1_.end_hit_delays();
    if (steps_collectors_) collector_.step_once(now, context_.step - left_out_);
    if (!responses_.empty()) take_response();
    for (std::uint32_t n = 1; n < spec_.replies_per_cycle && !responses_.empty(); ++n) {
      if (has_load_data()) writeback_.cycle();
      take_response();
    }
    if (caches_.any_missing()) caches_.send_misses(port_, context_);
    if (!direct_ && l1_front_end_->waiting()) l1_front_end_->serve();
    if (dispatch_ != kNoOp) dispatch();
    if (direct_ && l1_front_end_->waiting()) l1_front_end_->serve();
  }
}

void LoadStoreUnit::take_response() {
  const mem::Packet& p = responses_.front();
  if (p.kind == mem::PacketKind::write)
    context_.acknowledge_store(p.origin.warp, p.sector_count());
  else if (!(BypassUnit::owns(p) ? bypass_.take_reply(p) : caches_.fill(p, context_)))
    return;
  responses_.pop();
}

void LoadStoreUnit::dispatch() {
  const OpId id = dispatch_;
  Op& op = context_.ops[id];
  if (!dispatch_accesses(op, context_.acting.of(op.warp))) return;
  dispatch_ = kNoOp;
  if (op.space == isa::Space::shared && !op.instruction->is_store()) return;
  op.dispatched = true;
  if (op.pending > 0) return;
  op.at_once = true;
  context_.listener->complete(id);
}

// Sends one access, or one per bank. Returns whether the instruction is done.
bool LoadStoreUnit::dispatch_accesses(Op& op, SmStats& stats) {
  const OpId id = dispatch_;
  if (op.space == isa::Space::shared) {
    // A load without lanes has the full latency.
    if (op.remote_sectors > 0) [[unlikely]]
      return dispatch_remote(op, stats);
    return (op.executed.none() && op.instruction->is_store()) ||
           shared_.dispatch(op, id, context_.now, stats);
  }
  if (op.remote_sectors > 0) [[unlikely]] {  // other lanes access global memory
    if (!remote_.dispatch(op, id, stats)) return false;
    op.remote_sectors = 0;
  }
  if (op.executed.none() || op.accesses.empty()) return true;
  if (is_constant(op.space)) return constant_.dispatch(op, id, stats);
  if (op.space == isa::Space::texture) return texture_.dispatch(op, id, stats);
  if (op.bypass) return bypass_.dispatch(op, id, stats);
  return l1_front_end_->dispatch(op, id, stats);
}

// First the lanes that access the SM's own shared memory.
bool LoadStoreUnit::dispatch_remote(Op& op, SmStats& stats) {
  if (op.shared_cycles > 1) {
    --op.shared_cycles;
    stats.count_stall(LsuStall::shared_conflict);
    return false;
  }
  return remote_.dispatch(op, dispatch_, stats);
}

bool LoadStoreUnit::quiet() const {
  if (writeback_.is_waiting() || bypass_.has_result() || !responses_.empty() ||
      caches_.any_ready() || caches_.any_missing())
    return false;
  return dispatch_ == kNoOp || dispatch_is_stuck();
}

bool LoadStoreUnit::dispatch_is_stuck() const {
  const Op& op = context_.ops[dispatch_];
  return through_l1d(op) && !op.accesses.empty() && l1_front_end_->is_stuck(op);
}

void LoadStoreUnit::repeat(std::uint64_t cycles) {
  const std::uint64_t times = cycles * context_.steps_per_cycle;
  l1_front_end_->repeat(times);
  if (dispatch_ == kNoOp) return;
  SmStats& stats = context_.acting.of(context_.ops[dispatch_].warp);
  l1_front_end_->repeat_dispatch(stats, times);
  stats.count_stall(LsuStall::l1d_queue, times);
}

Cycle LoadStoreUnit::next_event() const {
  return std::min({shared_.next_result(), l1_.next_event(), l1_front_end_->next_event(),
                   remote_.next_answer()});
}

bool LoadStoreUnit::idle() const {
  return dispatch_ == kNoOp && shared_.empty() && l1_front_end_->empty() &&
         !l1_.has_delayed_hits() && quiet() && bypass_.idle() && remote_.idle() &&
         context_.stores == 0 && caches_.idle();
}

}  // namespace heddle::sm
