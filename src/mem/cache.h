// A cache with its MSHRs and its miss queue, used as L1D, L1I, constant cache, texture cache and L2
// slice. It has no clock: the owner passes `now` in its own cycles, sends the miss queue to the
// next level, delivers fills, and collects the requests that fills have served.
//
//   Access a = cache.access(request, now);    // a reservation failure is retried in a later cycle
//   if (a.answer == Answer::now) ...           // a hit, or a write that ends here
//   if (cache.has_miss()) { send(cache.front_miss()); cache.pop_miss(); }
//   cache.fill(reply.tag, popcount(reply.sectors), now);
//   while (cache.has_ready()) answer(cache.pop_ready());
//
// Behaviour follows GPGPU-Sim 4.x: tags are reserved at the miss (allocation on_miss) or written at
// the fill (on_fill, streaming), writes by policy, dirty bytes tracked per sector for lazy fetch on
// read.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/cache_stats.h"
#include "mem/mshr.h"
#include "mem/packet.h"
#include "mem/replacement/lru.h"
#include "mem/tag_array.h"

namespace heddle::mem {

// One access. It must lie within one line and, in a sectored cache, within one 32-byte sector.
struct Request {
  Address address;  // first byte
  std::uint32_t bytes = 0;
  PacketKind kind = PacketKind::read;
  Client client = Client::l1d;  // local decides under local_back_global_through
  Requester requester{};
  Pc pc = kNoPc;
  std::uint32_t tag = 0;  // the owner's reference; pop_ready() or a forwarded write returns it
  ByteMask mask{};        // writes: bytes written within the 128-byte line
};

enum class Outcome : std::uint8_t { hit, pending_hit, miss, reservation_fail };

// Who answers the requester, and when.
enum class Answer : std::uint8_t {
  now,         // the owner, at once: the data are here, or the write ended here
  on_fill,     // pop_ready() after the fetch
  from_below,  // the next level acknowledges the forwarded write; its Miss carries the request's
               // tag
  none         // reservation failure
};

struct Access {
  Outcome outcome = Outcome::reservation_fail;
  FailCause cause = FailCause::port_busy;  // of a reservation failure
  Answer answer = Answer::none;
  Requester owner{};  // hit and pending hit of a read: the warp that brought the line in
  Pc owner_pc = kNoPc;
};

// A request on its way to the next level.
struct Miss {
  enum class Kind : std::uint8_t { fetch, forwarded_write, write_back };
  Kind kind = Kind::fetch;
  Client client = Client::l1d;
  std::uint8_t sectors = 0;  // 32-byte sectors of the 128-byte line
  Address address;           // of the sector or line; forwarded write: of the request
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;  // fetch: the argument of fill(); forwarded write: the request's tag
  Requester requester{};
  Pc pc = kNoPc;
  ByteMask mask{};
};

// A request served by a completed fetch.
struct Ready {
  std::uint32_t tag = 0;
  PacketKind kind = PacketKind::read;
};

// A valid line that was replaced.
struct Eviction {
  LineAddress line;
  Requester owner;
  Pc owner_pc = kNoPc;
  LineAddress replaced_by;
  Requester evictor;
};
class CacheListener {
 public:
  virtual ~CacheListener() = default;
  virtual void on_eviction(const Eviction& eviction) = 0;
};

class Cache {
 public:
  explicit Cache(const config::CacheSpec& spec);

  // The result that access() would have now. Changes nothing.
  Access probe(const Request& request, std::uint64_t now) const;
  // Whether a read would hit now; a cheaper probe().
  bool would_hit(const Request& request, std::uint64_t now) const;
  // Grows with every change that may turn a read that would not hit into one that would.
  std::uint64_t content_changes() const { return content_changes_; }
  // Performs the request. A reservation failure is counted and has no other effect.
  Access access(const Request& request, std::uint64_t now);
  // Grows with every change that a result depends on, except time. While it does not change, a
  // request that was refused for another cause than a busy port would be refused again;
  // refuse_again() counts these refusals without a search.
  std::uint64_t changes() const { return changes_; }
  void refuse_again(FailCause cause, std::uint64_t times) {
    counts().reservation_fails[static_cast<std::size_t>(cause)] += times;
  }

  // Misses to send to the next level, in order.
  bool has_miss() const { return !misses_.empty(); }
  const Miss& front_miss() const { return misses_.front(); }
  void pop_miss() {
    misses_.pop();
    ++changes_;
  }
  std::uint32_t miss_queue_free() const {
    return static_cast<std::uint32_t>(
        spec_.miss_queue > misses_.size() ? spec_.miss_queue - misses_.size() : 0);
  }

  // `sectors` 32-byte sectors of the fetch `tag` arrived. Returns whether this completes the fetch.
  bool fill(std::uint32_t tag, int sectors, std::uint64_t now);
  bool fill_port_free(std::uint64_t now) const { return now >= fill_port_free_at_; }
  // Each bank has a data port.
  bool data_port_free(std::uint64_t now, Address address = Address{0}) const {
    return now >= data_port_free_at_[bank_of(address)];
  }

  // Requests whose fetch is complete, in the order of completion; those of one fetch in the order
  // of arrival.
  bool has_ready() const { return mshrs_.has_ready(); }
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
  // Whether the bytes at this address can be read now. Changes no statistics and no order.
  bool contains(Address address) const;
  // Whether it holds the line of this address, or has a place for it while it is fetched.
  bool holds_line(Address address) const { return tags_.find(address) != kNoLine; }

  bool idle() const { return misses_.empty() && mshrs_.empty(); }
  std::uint32_t mshr_free() const { return mshrs_.free(); }
  std::uint32_t mshr_used() const { return mshrs_.used(); }
  const config::CacheSpec& spec() const { return spec_; }
  // What was counted while no other counters were set.
  const CacheStats& stats() const { return *stats_; }
  // From now on `counts` counts; null: the cache's own counters. A cache that serves several
  // kernels counts for the kernel of each request.
  void count_in(CacheStats* counts) { counts_ = counts ? counts : stats_.get(); }
  void listen(CacheListener* listener) { listener_ = listener; }
  // From now on `policy` chooses the lines to replace, instead of the policy that the parameter
  // names. The cache must be idle and empty.
  void replace_by(std::unique_ptr<ReplacementPolicy> policy);
  // Checks that the counters agree with each other.
  void check_conservation() const;

 private:
  CacheStats& counts() { return *counts_; }
  struct Plan;  // the changes that a request makes
  // found: the line of the request's address, kNoLine when absent.
  Plan plan(const Request& request, std::uint32_t found) const;
  bool readable(std::uint32_t line, Address address) const;
  Access read_hit(const Request& request, std::uint32_t line, std::uint64_t now);
  void plan_read(const Request& request, Plan& plan) const;
  void plan_write(const Request& request, Plan& plan) const;
  void plan_write_hit(const Request& request, Plan& plan) const;
  void plan_write_miss(const Request& request, Plan& plan) const;
  bool plan_fetch(const Request& request, Plan& plan, std::size_t further_misses) const;
  bool miss_room(std::size_t further, Plan& plan) const;
  void perform(const Request& request, const Plan& plan, std::uint64_t now);
  std::uint32_t victim(const Request& request) const {
    return replacement_->victim(tags_, {request.address, request.pc});
  }
  void use(std::uint32_t line, const Use& use) {
    if (lru_) [[likely]]
      lru_->touch(line);
    else
      replacement_->use(line, use);
  }
  std::uint32_t claim(const Request& request, std::uint32_t victim, Miss& write_back);
  void start_fetch(const Request& request, const Plan& plan, std::uint32_t line);
  void mark_written(Line& line, const Request& request) const;
  bool covers_sector(const ByteMask& mask, Address address) const;
  std::uint64_t fetch_key(Address a) const { return a.value & ~std::uint64_t{fetch_bytes_ - 1}; }
  std::uint8_t sectors_at(Address first, std::uint32_t bytes) const;
  void count(const Request& request, const Plan& plan);
  std::size_t bank_of(Address a) const {
    return data_port_free_at_.size() == 1 ? 0
                                          : (a.value / kSectorBytes) % data_port_free_at_.size();
  }
  void occupy(std::uint64_t& free_at, std::uint32_t bytes, std::uint64_t now) const;

  config::CacheSpec spec_;
  TagArray tags_;
  MshrTable mshrs_;
  BoundedQueue<Miss> misses_;
  CacheListener* listener_ = nullptr;
  std::unique_ptr<ReplacementPolicy> replacement_;
  Lru* lru_ = nullptr;  // replacement_, if it is that: called without dispatch
  std::vector<std::uint64_t> data_port_free_at_;
  std::uint64_t fill_port_free_at_ = 0;
  std::uint32_t port_bytes_;
  std::uint32_t fetch_bytes_;     // what one fetch brings: a sector or a line
  bool reserves_;                 // tags are reserved at the miss (allocation on miss)
  std::uint32_t generation_ = 0;  // grows with invalidate_all(); earlier fetches do not fill lines
  std::uint64_t changes_ = 0, content_changes_ = 0;
  std::uint64_t dropped_at_ = 0;  // changes_ after the last drop_filled_lines()
  std::unique_ptr<CacheStats> stats_ = std::make_unique<CacheStats>();
  CacheStats* counts_ = stats_.get();  // see count_in()
};

}  // namespace heddle::mem
