// A cache with its MSHRs and its miss queue, used as L1D, L1I, constant cache, texture cache and L2
// slice. It has no clock: the owner passes `now` in its own cycles, sends the miss queue to the
// next level, delivers fills, and collects the requests that fills have served.
//
//   Access a = cache.access(request, now, stats);  // a reservation failure is retried later
//   if (a.answer == Answer::now) ...           // a hit, or a write that ends here
//   if (cache.has_miss()) { send(cache.front_miss()); cache.pop_miss(); }
//   cache.fill(reply.tag, reply.sector_count(), now, stats);
//   while (cache.has_ready()) answer(cache.pop_ready());
//
// Behaviour follows GPGPU-Sim 4.x: tags are reserved at the miss (allocation on_miss) or written at
// the fill (on_fill, streaming), writes by policy, dirty bytes tracked per sector for lazy fetch on
// read. With fills_partial_writes the read of a partly written sector precedes its write-back.
// `stats` counts an access or a fill: the counters of the kernel that it concerns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/access_plan.h"
#include "mem/cache_ports.h"
#include "mem/cache_state.h"
#include "mem/cache_stats.h"
#include "mem/request.h"

namespace heddle::mem {

class CacheListener {
 public:
  virtual ~CacheListener() = default;
  virtual void on_eviction(const Eviction& eviction) = 0;
};

class Cache {
 public:
  // fills: see CachePorts.
  explicit Cache(const config::CacheSpec& spec, std::uint32_t fills = 1);

  // Grows with every change that may turn a read that would not hit into one that would.
  std::uint64_t content_changes() const { return content_changes_; }
  // Performs the request. A reservation failure is counted and has no other effect.
  Access access(const Request& request, std::uint64_t now, CacheStats& stats);
  // Performs a read of `bytes` if it hits now. Returns false, and does nothing, when it does not.
  bool read_if_hit(Address address, std::uint32_t bytes, const Origin& origin, std::uint64_t now,
                   CacheStats& stats) {
    if (!ports_.data_free(now, address)) return false;
    const std::uint32_t at = state_.tags.find(address, found_);
    if (!state_.tags.readable(at, address)) return false;
    read_hit(at, address, bytes, origin, now, stats);
    return true;
  }
  // Grows with every change that a result depends on, except time. While it does not change, a
  // request that was refused for another cause than a busy port would be refused again;
  // CacheStats::count_refusals() counts these refusals without a search.
  // cause: of such a request; its changes are fewer.
  std::uint64_t changes(std::optional<FailCause> cause = {}) const {
    if (!cause) return changes_;
    switch (*cause) {
      case FailCause::mshr_full: return other_changes_ + state_.mshrs.releases();
      case FailCause::miss_queue_full: return other_changes_ + fills_ + sent_misses_;
      default: return other_changes_ + fills_;
    }
  }

  // Misses to send to the next level, in order.
  bool has_miss() const { return !state_.misses.empty(); }
  const Miss& front_miss() const { return state_.misses.front(); }
  void pop_miss() {
    state_.misses.pop();
    ++sent_misses_;
    ++changes_;
  }
  std::uint32_t miss_queue_free() const {
    return static_cast<std::uint32_t>(state_.spec.miss_queue > state_.misses.size()
                                          ? state_.spec.miss_queue - state_.misses.size()
                                          : 0);
  }

  // `sectors` 32-byte sectors of the fetch `tag` arrived, but not its last: nothing else changes.
  // Returns false, and does nothing, when they complete the fetch.
  bool fill_part(std::uint32_t tag, std::uint32_t sectors) {
    std::int32_t& missing = state_.mshrs[tag].sectors_missing;
    if (missing <= static_cast<std::int32_t>(sectors)) return false;
    missing -= static_cast<std::int32_t>(sectors);
    return true;
  }
  // `sectors` 32-byte sectors of the fetch `tag` arrived. Returns whether this completes the fetch.
  bool fill(std::uint32_t tag, std::uint32_t sectors, std::uint64_t now, CacheStats& stats);

  // Requests whose fetch is complete, in the order of completion; those of one fetch in the order
  // of arrival.
  bool has_ready() const { return state_.mshrs.has_ready(); }
  Ready pop_ready();

  // Inserts a sector (or line) as clean data without a request, as a copy from the host does.
  void preload(Address address);
  // Invalidates all lines and drops dirty data. Fetches in flight serve their requests, but do not
  // fill lines.
  void invalidate_all();
  // Invalidates all lines except those that are being fetched, which are filled as usual. Drops
  // dirty data.
  void drop_filled_lines();
  // Changes the number of ways, and so the size. The cache must be idle and is empty afterwards.
  void set_ways(std::uint32_t ways);

  bool idle() const { return state_.misses.empty() && state_.mshrs.empty(); }
  const TagArray& tags() const { return state_.tags; }
  const MshrTable& mshrs() const { return state_.mshrs; }
  const CachePorts& ports() const { return ports_; }
  const config::CacheSpec& spec() const { return state_.spec; }
  void listen(CacheListener* listener) { listener_ = listener; }
  // From now on misses have a class, found in what is returned. The cache must be empty.
  const LineOwners& remember_owners() { return owners_.emplace(); }
  // From now on `policy` chooses the lines to replace, instead of the policy that the parameter
  // names. The cache must be idle and empty.
  void replace_by(std::unique_ptr<ReplacementPolicy> policy);

 private:
  friend class FreePorts;  // while a request passes functionally

  // What plan_access() and perform() do for the most frequent kind of access, without a plan.
  void read_hit(std::uint32_t at, Address address, std::uint32_t bytes, const Origin& origin,
                std::uint64_t now, CacheStats& stats) {
    found_ = at;
    ++stats.accesses;
    ++stats.hits;
    ++(state_.tags.line(at).owner == origin ? stats.hits_same_warp : stats.hits_other_warp);
    state_.use(at, {true, PacketKind::read, origin.warp, now});
    if (state_.spec.write != config::WritePolicy::read_only) ports_.pass_data(address, bytes, now);
    ++changes_;
    if (!state_.lru) ++other_changes_;
  }
  // Alone, because hits are faster in a function that needs few registers.
  [[gnu::noinline]] Access access_by_plan(const Request& request, std::uint32_t found,
                                          std::uint64_t now, CacheStats& stats);
  void perform(const Request& request, const AccessPlan& plan, std::uint64_t now,
               CacheStats& stats);
  Departure replace(std::uint32_t line, const Request& by, CacheStats& stats);
  void start_fetch(const Request& request, const AccessPlan& plan, std::uint32_t line,
                   CacheStats& stats);

  CacheState state_;
  CachePorts ports_;
  CacheListener* listener_ = nullptr;
  std::optional<LineOwners> owners_;
  std::uint32_t generation_ = 0;  // grows with invalidate_all(); earlier fetches do not fill lines
  std::uint64_t changes_ = 0, content_changes_ = 0;
  // Parts of changes_: fetches that were completed, misses that were sent, and all that is neither
  // this nor the end of an MSHR nor a hit that changes no more than the order of ages.
  std::uint64_t fills_ = 0, sent_misses_ = 0, other_changes_ = 0;
  std::uint64_t dropped_at_ = 0;  // changes_ after the last drop_filled_lines()
  std::uint32_t found_ = 0;       // a guess: the line that an access found last
};

// Whether a read would hit now. Changes nothing.
inline bool would_hit(const Cache& cache, Address address, std::uint64_t now) {
  return cache.ports().data_free(now, address) &&
         cache.tags().readable(cache.tags().find(address), address);
}

}  // namespace heddle::mem
