// A cache with its MSHRs and its miss queue, used as L1D, L1I, constant cache and L2 slice. It
// knows no clock: the owner says `now` in its own cycles, drains the miss queue towards the next
// level, brings fills back and collects the requests they served.
//
//   Access a = cache.access(request, now);         // may be a reservation fail: try again in a later cycle
//   if (a.answer == Answer::now) ...                // hit, or a write that ends here
//   if (cache.has_miss()) { send(cache.front_miss()); cache.pop_miss(); }
//   cache.fill(reply.tag, popcount(reply.sectors), now);   // a fetch is complete when all its 32-byte sectors came
//   while (cache.has_ready()) answer(cache.pop_ready());   // requests served by completed fetches, in order
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
#include "mem/critical_partition.h"
#include "mem/mshr.h"
#include "mem/packet.h"
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
  std::uint32_t tag =
      0;            // the owner's reference, given back by pop_ready() or with a forwarded write
  ByteMask mask{};  // writes: bytes written within the 128-byte line
};

enum class Outcome : std::uint8_t { hit, pending_hit, miss, reservation_fail };

// Who answers the requester.
enum class Answer : std::uint8_t {
  now,         // the owner, at once: data are here, or the write ended here
  on_fill,     // pop_ready() after the fetch
  from_below,  // the next level acknowledges the forwarded write, whose Miss carries the request's
               // tag
  none         // reservation fail
};

struct Access {
  Outcome outcome = Outcome::reservation_fail;
  FailCause cause = FailCause::port_busy;  // of a reservation fail
  Answer answer = Answer::none;
  Requester owner{};  // hit: who had brought the line in
  Pc owner_pc = kNoPc;
};

// A request on its way to the next level.
struct Miss {
  enum class Kind : std::uint8_t { fetch, forwarded_write, write_back };
  Kind kind = Kind::fetch;
  Client client = Client::l1d;
  std::uint8_t sectors = 0;  // 32-byte sectors of the 128-byte line
  Address address;  // fetch: start of the sector or line; write: as asked; write-back: start of the
                    // line
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;  // fetch: to be given back to fill(); forwarded write: the request's tag;
                          // write-back: unused, no answer wanted
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

  // What access() would say now. Changes nothing.
  Access probe(const Request& request, std::uint64_t now) const;
  // Whether a read would hit now; a cheaper probe().
  bool would_hit(const Request& request, std::uint64_t now) const;
  // Grows with everything that may turn a read that would not hit into one that would.
  std::uint64_t content_changes() const { return content_changes_; }
  // Does it. A reservation fail is counted and leaves no trace otherwise.
  Access access(const Request& request, std::uint64_t now);
  // Grows with everything that an answer depends on but time. While it stands still, what was
  // refused for another cause than the busy port would be refused again; refuse_again() counts that
  // without a search.
  std::uint64_t changes() const { return changes_; }
  void refuse_again(FailCause cause, std::uint64_t times) {
    stats_.reservation_fails[static_cast<std::size_t>(cause)] += times;
  }

  // Towards the next level, in order.
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

  // `sectors` 32-byte sectors of the fetch `tag` arrived. True when that completed the fetch.
  bool fill(std::uint32_t tag, int sectors, std::uint64_t now);
  bool fill_port_free(std::uint64_t now) const { return now >= fill_port_free_at_; }
  // Every bank has a data port of its own; caches of one bank have one.
  bool data_port_free(std::uint64_t now, Address address = Address{0}) const {
    return now >= data_port_free_at_[bank_of(address)];
  }

  // Requests whose fetch is complete, in the order of completion; those of one fetch in the order
  // of arrival.
  bool has_ready() const { return mshrs_.has_ready(); }
  Ready pop_ready();

  // Puts a sector (or line) in as clean data without any request: what a copy from the host leaves
  // behind.
  void preload(Address address);
  // Forgets every line. Fetches under way still serve their requests, but leave nothing behind;
  // dirty data are dropped.
  void invalidate_all();
  // Forgets every line but those of fetches under way, which leave what they bring; dirty data are
  // dropped.
  void forget_what_came();
  // Changes the number of ways, and with them the size. The cache must be idle; it is empty
  // afterwards.
  void set_ways(std::uint32_t ways);
  // Whether the bytes at this address could be read now. For tests and policies that peek; no
  // statistics, no LRU update.
  bool contains(Address address) const;

  bool idle() const { return misses_.empty() && mshrs_.empty(); }
  std::uint32_t mshr_free() const { return mshrs_.free(); }
  std::uint32_t mshr_used() const { return mshrs_.used(); }
  const config::CacheSpec& spec() const { return spec_; }
  const CacheStats& stats() const { return stats_; }
  void listen(CacheListener* listener) { listener_ = listener; }
  // From now on this decides which line gives way, not the replacement of the specification. The
  // cache must be idle and empty.
  void partition(std::unique_ptr<CriticalPartition> partition) {
    partition_ = std::move(partition);
  }
  const CriticalPartition* partition() const { return partition_.get(); }
  CriticalPartition* partition() { return partition_.get(); }
  // Promises that what was counted adds up.
  void check_conservation() const;

 private:
  struct Plan;  // what is to be done for a request
  Plan plan(const Request& request) const;
  void plan_read(const Request& request, Plan& plan) const;
  void plan_write(const Request& request, Plan& plan) const;
  void plan_write_hit(const Request& request, Plan& plan) const;
  void plan_write_miss(const Request& request, Plan& plan) const;
  bool plan_fetch(const Request& request, Plan& plan, std::size_t further_misses) const;
  bool miss_room(std::size_t further, Plan& plan) const;
  void perform(const Request& request, const Plan& plan, std::uint64_t now);
  std::uint32_t victim(const Request& request) const {
    return partition_ ? partition_->victim(tags_, request.address, request.pc)
                      : tags_.victim(request.address);
  }
  std::uint32_t claim(const Request& request, std::uint32_t victim, Miss& write_back);
  void start_fetch(const Request& request, const Plan& plan, std::uint32_t line);
  void mark_written(Line& line, const Request& request) const;
  bool covers_sector(const ByteMask& mask, Address address) const;
  std::uint64_t fetch_key(Address a) const { return a.value & ~std::uint64_t{fetch_bytes_ - 1}; }
  std::uint8_t sectors_at(Address first, std::uint32_t bytes) const;
  void count(const Request& request, const Access& access);
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
  std::unique_ptr<CriticalPartition> partition_;
  std::vector<std::uint64_t> data_port_free_at_;
  std::uint64_t fill_port_free_at_ = 0;
  std::uint32_t port_bytes_;
  std::uint32_t fetch_bytes_;  // what one fetch brings: a sector or a line
  bool reserves_;              // tags are reserved at the miss
  std::uint32_t generation_ =
      0;  // grows with invalidate_all(): fills of earlier fetches are not kept
  std::uint64_t changes_ = 0, content_changes_ = 0;
  std::uint64_t forgotten_at_ = 0;  // changes seen when forget_what_came() was last asked
  CacheStats stats_;
};

}  // namespace heddle::mem
