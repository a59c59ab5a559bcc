// Miss status holding registers: fetches under way, each with the requests that wait for it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "mem/packet.h"

namespace heddle::mem {

inline constexpr std::uint32_t kNoMshr = ~std::uint32_t{0};

struct WaitingRequest {
  std::uint32_t tag = 0;
  PacketKind kind = PacketKind::read;
};

struct MshrEntry {
  std::uint64_t key = 0;                          // address of the fetched sector or line
  std::uint32_t line = 0;                         // reserved line (allocation on miss)
  std::uint32_t waiting = 0;                      // requests merged so far
  std::uint32_t first = kNoMshr, last = kNoMshr;  // of them, as numbers of requests
  std::uint32_t generation = 0;
  std::int32_t sectors_missing = 0;
  bool has_atomic = false;
  std::uint16_t owner_sm = 0;  // whose fetch it is, for allocation on fill
  WarpSlot owner_warp;
  Pc owner_pc = kNoPc;
};

class MshrTable {
 public:
  MshrTable(std::uint32_t entries, std::uint32_t merges);

  std::uint32_t find(std::uint64_t key) const {  // a fetch under way for this key, or kNoMshr
    for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      const std::uint32_t entry = table_[slot];
      if (entry == kNoMshr || entries_[entry].key == key) return entry;
    }
  }
  bool full() const { return free_.empty(); }
  bool can_merge(std::uint32_t entry) const { return entries_[entry].waiting < merges_; }
  bool empty() const { return used_ == 0; }
  std::uint32_t used() const { return used_; }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t entries() const { return static_cast<std::uint32_t>(entries_.size()); }
  MshrEntry& operator[](std::uint32_t entry) { return entries_[entry]; }

  std::uint32_t open(std::uint64_t key);                    // a new fetch
  void merge(std::uint32_t entry, WaitingRequest request);  // one more request waits for it
  // The fetch is complete: new misses to its key open another one; its requests are handed out,
  // then the entry is free.
  void complete(std::uint32_t entry);
  bool has_ready() const { return !ready_.empty(); }
  WaitingRequest pop_ready();

 private:
  struct Waiting {
    WaitingRequest request;
    std::uint32_t next;  // of the same fetch, or free; kNoMshr ends both lists
  };
  std::uint32_t slot_of(std::uint64_t key) const {
    return static_cast<std::uint32_t>((key * 0x9E3779B97F4A7C15ull) >> shift_);
  }
  void insert(std::uint64_t key, std::uint32_t entry);
  void erase(std::uint64_t key);
  void release(std::uint32_t entry);

  std::uint32_t merges_;
  std::uint32_t used_ = 0;
  int shift_;
  std::uint32_t mask_;
  std::vector<MshrEntry> entries_;
  std::vector<Waiting> requests_;  // grows to the most that ever waited; those given back last are
                                   // used first, while caches hold them
  std::uint32_t free_request_ = kNoMshr;
  std::vector<std::uint32_t> table_;  // open addressing by key: entry or kNoMshr
  std::vector<std::uint32_t> free_;   // capacity never exceeded
  BoundedQueue<std::uint32_t> ready_;
};

}  // namespace heddle::mem
