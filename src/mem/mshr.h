// Miss status holding registers (MSHRs): the fetches in flight, each with the requests that wait
// for it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/diagnostics.h"
#include "base/types.h"
#include "mem/packet.h"

namespace heddle::mem {

inline constexpr std::uint32_t kNoMshr = ~std::uint32_t{0};

struct WaitingRequest {
  std::uint32_t tag = 0;
  PacketKind kind = PacketKind::read;
  bool forwarded = false;  // a store that the next level acknowledges
};

struct MshrEntry {
  std::uint64_t key = 0;                          // address of the fetched sector or line
  std::uint32_t line = 0;                         // reserved line (allocation on miss)
  std::uint32_t waiting = 0;                      // requests merged so far
  std::uint32_t first = kNoMshr, last = kNoMshr;  // requests, as indices
  std::uint32_t generation = 0;
  std::int32_t sectors_missing = 0;
  bool complete = false;
  std::uint8_t sectors = 0, atomic_sectors = 0;  // fetched; accessed by atomics
  Origin owner;                                  // of the first request, for allocation on fill
};

class MshrTable {
 public:
  // merges_while_draining: find() finds an entry until it is free.
  MshrTable(std::uint32_t entries, std::uint32_t merges, bool merges_while_draining = false);

  std::uint32_t find(std::uint64_t key) const {  // the fetch of this key, or kNoMshr
    for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      const std::uint32_t entry = table_[slot];
      if (entry == kNoMshr || entries_[entry].key == key) return entry;
    }
  }
  bool full() const { return used_ == capacity_; }
  bool can_merge(std::uint32_t entry) const { return entries_[entry].waiting < merges_; }
  bool empty() const { return used_ == 0; }
  std::uint64_t releases() const { return releases_; }  // entries that became free, so far
  std::uint32_t used() const { return used_; }
  std::uint32_t free() const { return capacity_ - used_; }
  std::uint32_t entries() const { return capacity_; }
  MshrEntry& operator[](std::uint32_t entry) { return entries_[entry]; }
  const MshrEntry& operator[](std::uint32_t entry) const { return entries_[entry]; }

  std::uint32_t open(std::uint64_t key);                    // starts a fetch
  void merge(std::uint32_t entry, WaitingRequest request);  // adds a request that waits
  // The fetch is complete. The entry is free after pop_ready() has returned all its requests. Only
  // while it merges can a new miss to its key not open another one.
  void complete(std::uint32_t entry);
  void check_conservation() const {
    check_invariant(used_ + free_.size() == entries_.size(), "an MSHR was lost");
  }
  bool has_ready() const { return !ready_.empty(); }
  WaitingRequest pop_ready();

 private:
  struct Waiting {
    WaitingRequest request;
    std::uint32_t next;  // in the list of the fetch or of free requests; kNoMshr ends it
  };
  std::uint32_t slot_of(std::uint64_t key) const {
    return static_cast<std::uint32_t>((key * 0x9E3779B97F4A7C15ull) >> shift_);
  }
  void insert(std::uint64_t key, std::uint32_t entry);
  void erase(std::uint64_t key);
  void release(std::uint32_t entry);

  std::uint32_t capacity_, merges_;
  bool merges_while_draining_;
  std::uint32_t used_ = 0;
  std::uint64_t releases_ = 0;
  int shift_;
  std::uint32_t mask_;
  // Grow to the largest number in use: a cache that has an MSHR for each line uses few of them.
  std::vector<MshrEntry> entries_;
  std::vector<std::uint32_t> free_;
  // Grows to the largest number of waiting requests. The free list is last in, first out, so that
  // requests stay in the host's caches.
  std::vector<Waiting> requests_;
  std::uint32_t free_request_ = kNoMshr;
  std::vector<std::uint32_t> table_;  // open addressing by key; kNoMshr: empty
  BoundedQueue<std::uint32_t> ready_;
};

}  // namespace heddle::mem
