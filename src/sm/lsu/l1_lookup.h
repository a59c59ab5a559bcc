// An access's lookup in the L1 data cache, as every front end makes it: performed, counted,
// reported, and answered. With sm.l1d_access = direct the data of a hit arrive after the hit
// latency, which the other front ends have spent before the lookup.
#pragma once

#include <cstdint>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "sm/lsu/lsu_caches.h"
#include "sm/lsu/lsu_context.h"
#include "sm/lsu/reexecution.h"

namespace heddle::sm {

class L1Lookup {
 public:
  L1Lookup(const config::SmSpec& spec, LsuCaches& caches, LsuContext& context);

  const mem::Cache& cache() const { return *caches_.l1d(); }
  // The instruction's next access.
  QueuedAccess next_access(const Op& op, OpId id, Cycle at) const;
  // The instruction sends the access.
  void send(const QueuedAccess& q) {
    if (q.store) context_.send_store(q.warp(), q.sectors());
  }
  [[gnu::always_inline]] inline mem::Access access(const QueuedAccess& q, SmStats& stats);
  bool would_hit(const QueuedAccess& q) const {
    return mem::would_hit(cache(), q.access.address, step());
  }
  // The cache accepted the access, which may be complete at once.
  void answer(const QueuedAccess& q, const mem::Access& access);

  bool has_delayed_hits() const { return !hits_.empty(); }
  void end_hit_delays();
  // When the data of the first delayed hit arrive; never() without one.
  Cycle next_event() const {
    return hits_.empty() ? Cycle::never() : Cycle{hits_.front().step / context_.steps_per_cycle};
  }

 private:
  struct Hit {
    std::uint64_t step;  // its data are there
    OpId op;
  };
  std::uint64_t step() const { return context_.step; }
  mem::Request request_of(const QueuedAccess& q) const;

  LsuCaches& caches_;
  LsuContext& context_;
  std::uint32_t hit_delay_;  // cycles of the unit; 0: none
  BoundedQueue<Hit> hits_;
};

inline mem::Access L1Lookup::access(const QueuedAccess& q, SmStats& stats) {
  const mem::Access access =
      caches_.access(LsuCaches::Which::l1d, request_of(q), context_.step, stats);
  stats.l1d_misses[static_cast<std::size_t>(access.miss_class)] +=
      access.outcome == mem::Outcome::miss;
  context_.listener->l1_accessed(q.warp(), q.origin.pc, q.access.address, !q.store, access);
  return access;
}

inline mem::Request L1Lookup::request_of(const QueuedAccess& q) const {
  mem::Request r;
  r.address = q.access.address;
  r.bytes = q.access.bytes;
  r.kind = q.store ? mem::PacketKind::write : mem::PacketKind::read;
  r.client = q.space == isa::Space::local ? mem::Client::local : mem::Client::l1d;
  r.origin = q.origin;
  r.tag = q.store ? StoreTag::of(q.warp(), q.sectors()).value : q.op;
  r.mask = q.access.mask;
  return r;
}

// The refusal of an access, which repeats while the cache does not change.
class Refusal {
 public:
  void note(const mem::Access& access, const mem::Cache& cache) {
    cause_ = access.cause;
    after_ = cache.changes(cause_);
  }
  bool holds(const mem::Cache& cache) const { return after_ == cache.changes(cause_); }
  void repeat(SmStats& stats, std::uint64_t times = 1) const {
    stats.l1d.count_refusals(cause_, times);
  }

 private:
  mem::FailCause cause_ = mem::FailCause::port_busy;
  std::uint64_t after_ = ~std::uint64_t{0};  // Cache::changes(cause_); at first: none
};

}  // namespace heddle::sm
