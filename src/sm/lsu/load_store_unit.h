// The load/store unit: loads, stores and atomics after operand collection. An instruction goes to
// shared memory, the constant cache, the texture cache, the L1 data cache, or bypasses the L1 to
// the network. load_store_unit.cc holds the cycle; lsu_dispatch.cc sends an instruction to one of
// the five; lsu_reexecution.cc serves the L1 with a re-execution queue.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/cache.h"
#include "mem/sm_port.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/op.h"
#include "sm/issue/operand_collector.h"
#include "sm/lsu/reexecution.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

// Receives what happens to memory instructions.
class LsuListener {
 public:
  virtual ~LsuListener() = default;
  virtual void complete(OpId op) = 0;  // all its data have arrived, or all its accesses are done
  // The number of the warp's store sectors that are not acknowledged changed by `sectors`.
  virtual void stores_changed(WarpSlot warp, std::int32_t sectors) = 0;
  // An access entered or left the re-execution queue.
  virtual void reexecution_changed() = 0;
  // The L1 data cache answered an access.
  virtual void l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                           const mem::Access& access) = 0;
};

class LoadStoreUnit {
 public:
  LoadStoreUnit(int sm, const config::SmSpec& spec, mem::SmPort& port, OpPool& pool,
                const WarpTable& warps, OperandCollector& collector, KernelContext& kernel);
  // What concerns no resident warp counts for the kernel.
  void count_for(KernelContext& kernel);
  // Before the first instruction.
  void listen(LsuListener& listener) { listener_ = &listener; }

  bool can_accept() const { return dispatch_ == kNoOp; }
  void accept(OpId op);
  // Replies other than those for the instruction cache. At most kResponses of them wait.
  bool can_take_reply() const { return !responses_.full(); }
  void take_reply(const mem::Packet& packet) { responses_.emplace(packet); }
  void cycle(Cycle now);

  // Without a reply, nothing but the count of stalls and refusals changes before next_event().
  bool quiet(Cycle now) const;
  Cycle next_event() const;
  // Counts the stalls and refusals of `cycles` cycles in which the unit is quiet.
  void repeat(std::uint64_t cycles);
  bool idle() const;  // empty, and no reply outstanding

  bool through_l1d(const Op& op) const {
    return l1d_ && !op.bypass && (op.space == ptx::Space::global || op.space == ptx::Space::local);
  }
  // Machines that process a warp in two parts run the unit at twice the SM's clock.
  std::uint32_t lsu_cycles_per_sm_cycle() const { return repeats_; }
  mem::Cache* l1d() { return l1d_ ? &*l1d_ : nullptr; }
  const mem::Cache* l1d() const { return l1d_ ? &*l1d_ : nullptr; }
  // Resizes the L1 data cache, which must be idle and is empty afterwards.
  void set_l1d_ways(std::uint32_t ways) { l1d_->set_ways(ways); }
  // From now on accesses that the L1 refuses move to a queue and are retried from there.
  ReexecutionQueue& reexecute_refused(std::uint32_t entries);
  mem::Cache& constant() { return constant_; }
  const mem::Cache& constant() const { return constant_; }
  mem::Cache& texture() { return texture_; }
  const mem::Cache& texture() const { return texture_; }

 private:
  static constexpr std::size_t kResponses = 2;
  static constexpr std::uint32_t kBypassTag = 1u << 31;
  enum class Source : std::uint8_t { shared, constant, bypass, l1d, texture };
  static constexpr int kSources = 5;

  // The caches that belong to the unit.
  enum class Owned : std::uint8_t { constant, texture, l1d };
  static constexpr std::uint8_t bit(Owned which) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(which));
  }
  mem::Cache& owned(Owned which) {
    return which == Owned::constant ? constant_ : which == Owned::texture ? texture_ : *l1d_;
  }
  mem::CacheStats& counters(Owned which) {
    return which == Owned::constant  ? stats_->constant
           : which == Owned::texture ? stats_->texture
                                     : stats_->l1d;
  }
  void update_flags(Owned which);  // after every change of that cache

  struct InShared {
    Cycle at;
    OpId op;
  };
  struct Hit {
    std::uint64_t step;  // its data are there
    OpId op;
  };
  static constexpr std::uint64_t kNotRefused = ~std::uint64_t{0};
  struct Bank {
    BoundedQueue<QueuedAccess> queue;
    mem::Access refusal;                        // of the first access
    std::uint64_t refused_after = kNotRefused;  // Cache::changes() at that time
  };

  // The warp acts from here on.
  void count_for(WarpSlot warp) {
    if (KernelContext& kernel = *warps_[warp].kernel; &kernel.stats != stats_) [[unlikely]]
      count_for(kernel);
  }
  // Whether the warp of a miss or reply still is in its slot. The owner of a line may have ended.
  bool is_resident(const mem::Requester& r) const {
    return r.warp && warps_.resident.test(r.warp) && warps_[r.warp].kernel->index == r.kernel;
  }
  void write_back(Cycle now);
  void end_hit_delays();
  std::uint32_t sources_with_results(Cycle now) const;
  void take_result(Source source);
  void take_response();
  void send_misses(Cycle now);
  void access_l1d(Bank& bank);
  bool still_refused(const Bank& bank) const { return bank.refused_after == l1d_->changes(); }
  // The bank's first access cannot proceed until the cache or the re-execution queue changes.
  bool blocked(const Bank& bank) const {
    if (still_refused(bank)) return true;
    return reexecution_ && !accepts_new(bank.queue.front());
  }
  mem::Request request_of(const QueuedAccess& q) const;
  void finish_access(const QueuedAccess& q, const mem::Access& access);
  // lsu_reexecution.cc
  enum class Attempt : std::uint8_t { accepted, refused, port_busy };
  bool accepts_new(const QueuedAccess& access) const;
  void access_or_reexecute(Cycle now);
  void access_new(Bank& bank);
  Attempt access_or_queue(const QueuedAccess& q);
  void reexecute_after_dispatch();
  void reexecute();
  Attempt try_access(const QueuedAccess& q);
  void report_access(const QueuedAccess& q, const mem::Access& access);
  void dispatch(Cycle now);
  // Each sends one access, or one per bank, and returns whether the instruction is done.
  bool dispatch_shared(Op& op, Cycle now);
  bool dispatch_constant(Op& op);
  bool dispatch_read_only(Owned which, mem::Client client, LsuStall why, Op& op);
  bool dispatch_cached(Op& op, Cycle now);
  bool dispatch_direct(Op& op, Cycle now);
  Attempt access_directly(const QueuedAccess& q);
  void count_store(const QueuedAccess& q);
  bool dispatch_bypass(Op& op, Cycle now);
  void receive_data(OpId id, std::uint32_t accesses);
  mem::Origin origin_of(const Op& op) const {
    return {{static_cast<std::uint16_t>(sm_), op.warp, op.kernel}, op.pc};
  }
  void stall(LsuStall why) { ++stats_->lsu_stalls[static_cast<std::size_t>(why)]; }
  void pop_access(Bank& bank) {
    bank.queue.pop();
    if (bank.queue.empty()) filled_banks_ &= ~(std::uint64_t{1} << (&bank - banks_.data()));
  }
  template <class F>
  void for_each_filled_bank(F&& f) const {
    for (std::uint64_t rest = filled_banks_; rest; rest &= rest - 1)
      f(static_cast<std::size_t>(std::countr_zero(rest)));
  }
  Bank& bank_of(Address a) {
    return banks_[banks_.size() == 1 ? 0 : (a.value / mem::kSectorBytes) % banks_.size()];
  }
  // The instruction to dispatch waits for room in the queue of an L1 that refuses accesses.
  bool dispatch_is_stuck() const;

  int sm_;
  mem::SmPort& port_;
  OpPool& pool_;
  const WarpTable& warps_;
  OperandCollector& collector_;
  SmStats* stats_;
  LsuListener* listener_ = nullptr;
  std::uint32_t shared_latency_, l1_latency_;
  std::uint32_t repeats_;    // cycles of the unit per cycle of the SM
  std::uint32_t hit_delay_;  // cycles of the unit from a hit to its data; 0 with L1Access::queued
  bool direct_, steps_collectors_;
  bool l1_served_new_ = false;  // in this cycle of the unit
  std::uint64_t step_ = 0;      // now in cycles of the unit, the clock of its caches' ports
  bool perfect_constants_;
  std::optional<mem::Cache> l1d_;
  mem::Cache constant_, texture_;
  std::uint8_t ready_ = 0;    // bit per cache: it has served requests
  std::uint8_t missing_ = 0;  // bit per cache: it has misses to send
  OpId dispatch_ = kNoOp;     // the instruction whose accesses are sent out
  OpId result_ = kNoOp;       // the load that writes its data to the register file next
  bool result_is_shared_ = false;
  OpId bypass_result_ = kNoOp;
  std::uint32_t bypass_sectors_ = 0, result_accesses_ = 1;
  int next_source_ = 0;          // of results, in round robin
  std::uint32_t bypassing_ = 0;  // sectors that bypass the L1 and are outstanding
  std::int64_t stores_ = 0;      // sectors that are not acknowledged
  BoundedQueue<InShared> shared_;
  BoundedQueue<mem::Packet> responses_;
  std::vector<Bank> banks_;                        // the L1's pipelines of its hit latency
  std::uint64_t filled_banks_ = 0;                 // banks with accesses
  BoundedQueue<Hit> hits_;                         // with a hit delay behind the tags
  std::unique_ptr<ReexecutionQueue> reexecution_;  // null unless a policy requested it
};

}  // namespace heddle::sm
