// The load/store unit: loads, stores and atomics after operand collection. It sends an
// instruction's accesses to shared memory, the constant cache, the texture cache, the L1 data cache
// or past the L1 to the network.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/sm_port.h"
#include "sm/issue/op.h"
#include "sm/issue/operand_collector.h"
#include "sm/lsu/bypass_unit.h"
#include "sm/lsu/l1_front_end.h"
#include "sm/lsu/l1_lookup.h"
#include "sm/lsu/load_writeback.h"
#include "sm/lsu/lsu_caches.h"
#include "sm/lsu/lsu_context.h"
#include "sm/lsu/read_only_unit.h"
#include "sm/lsu/reexecution.h"
#include "sm/lsu/remote_unit.h"
#include "sm/lsu/shared_memory_unit.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

class LoadStoreUnit {
 public:
  LoadStoreUnit(int sm, const config::GpuSpec& gpu, mem::SmPort& port, OpPool& pool,
                const WarpTable& warps, OperandCollector& collector, RegisterBanks& registers,
                KernelContext& kernel);
  // What concerns no resident warp counts for the kernel.
  void count_for(KernelContext& kernel) { context_.acting.set(kernel); }
  // Before the first instruction.
  void listen(LsuListener& listener) { context_.listener = &listener; }

  bool can_accept() const { return dispatch_ == kNoOp; }
  void accept(OpId op);
  // Replies other than those for the instruction cache. A few of them wait.
  bool can_take_reply() const { return !responses_.full(); }
  void take_reply(const mem::Packet& packet, Cycle now) {
    const bool alone = responses_.empty() && spec_.replies_per_cycle == 1;
    if (!alone || !take_part(packet, now)) responses_.emplace(packet);
  }
  // A reply that changes nothing but what its fetch misses, while no other waits. Returns false,
  // and does nothing, when it changes more.
  bool take_part(const mem::Packet& packet, Cycle now) {
    return packet.kind == mem::PacketKind::read && packet.client != mem::Client::instruction &&
           !BypassUnit::owns(packet) &&
           caches_.fill_part(packet, now.value * context_.steps_per_cycle);
  }
  void cycle(Cycle now);

  // Without a reply, nothing but the count of stalls and refusals changes before next_event().
  bool quiet() const;
  Cycle next_event() const;
  // Counts the stalls and refusals of `cycles` cycles in which the unit is quiet.
  void repeat(std::uint64_t cycles);
  bool idle() const;  // empty, and no reply outstanding

  bool through_l1d(const Op& op) const {
    return l1d() && !op.bypass && (op.space == isa::Space::global || op.space == isa::Space::local);
  }
  // Machines that process a warp in two parts run the unit at twice the SM's clock.
  std::uint32_t lsu_cycles_per_sm_cycle() const { return context_.steps_per_cycle; }
  // The collectors make no steps in so many cycles: their arbiter's diagonal rests.
  void stand_still(std::uint64_t cycles) { left_out_ += cycles * context_.steps_per_cycle; }
  mem::Cache* l1d() { return caches_.l1d(); }
  const mem::Cache* l1d() const { return caches_.l1d(); }
  mem::Cache& texture() { return caches_.texture(); }
  RemoteUnit& remote() { return remote_; }
  const RemoteUnit& remote() const { return remote_; }
  // From now on accesses that the L1 refuses move to a queue and are retried from there. Before the
  // first instruction.
  ReexecutionQueue& reexecute_refused(std::uint32_t entries);

 private:
  static constexpr std::size_t kResponses = 2;  // for each that it takes in a cycle

  bool has_load_data() const {
    return writeback_.is_waiting() || caches_.any_ready() || bypass_.has_result() ||
           shared_.next_result() <= context_.now || remote_.next_answer() <= context_.now;
  }
  void take_response();
  void dispatch();
  bool dispatch_accesses(Op& op, SmStats& stats);
  bool dispatch_remote(Op& op, SmStats& stats);
  bool dispatch_is_stuck() const;

  LsuContext context_;
  OpId dispatch_ = kNoOp;  // the instruction whose accesses are sent out
  bool direct_, steps_collectors_;
  std::uint64_t left_out_ = 0;  // steps of the collectors
  mem::SmPort& port_;
  OperandCollector& collector_;
  BoundedQueue<mem::Packet> responses_;
  SharedMemoryUnit shared_;
  RemoteUnit remote_;
  BypassUnit bypass_;
  L1Lookup l1_;
  std::unique_ptr<L1FrontEnd> l1_front_end_;
  ReadOnlyUnit constant_, texture_;
  const config::SmSpec& spec_;
  LsuCaches caches_;
  LoadWriteback writeback_;
};

}  // namespace heddle::sm
