// The packets inside the memory system. Queues hold parts of packets, which refer to them by index.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "mem/packet.h"

namespace heddle::mem {

// A point in time common to all clock domains of a device; see Clocks.
using Time = std::uint64_t;

// Aligned because partitions on different host cores use adjacent transactions.
struct alignas(64) Transaction {
  Packet packet;
  std::uint8_t parts_left = 0;   // parts that are not answered
  std::array<Reuse, 4> reuse{};  // of each part, see Part::place()
  std::uint32_t cluster = 0;     // of its SM
  Address local;                 // packet.address as the slice sees it
  Cycle reached_slice;           // core cycle
};

// One part of a transaction: a 32-byte sector of its line, or the whole packet when the L2 has no
// sectors.
struct Part {
  static constexpr std::uint32_t kWhole = 7;
  std::uint32_t value = 0;
  static Part of(std::uint32_t transaction, std::uint32_t sector) {
    return {transaction << 3 | sector};
  }
  std::uint32_t transaction() const { return value >> 3; }
  std::uint32_t sector() const { return value & 7; }
  std::size_t place() const { return value & 3; }
};

class TransactionPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) grow();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void release(std::uint32_t index) { free_.push_back(index); }
  void release(std::vector<std::uint32_t>& ended) {
    free_.insert(free_.end(), ended.begin(), ended.end());
    ended.clear();
  }
  Transaction& operator[](std::uint32_t index) { return all_[index]; }
  const Transaction& operator[](std::uint32_t index) const { return all_[index]; }
  // Prefetches a transaction that will be read soon into the host's caches.
  void prefetch(std::uint32_t index) const {
    const char* const place = reinterpret_cast<const char*>(&all_[index]);
    for (std::size_t line = 0; line < sizeof(Transaction); line += 64)
      __builtin_prefetch(place + line);
  }
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  void grow() {
    const std::size_t old = all_.size();
    check_invariant(old < (std::size_t{1} << 28),
                    "more than 2^28 packets are inside the memory system");
    all_.resize(old ? old * 2 : 1024);
    free_.reserve(all_.size());
    for (std::size_t i = all_.size(); i-- > old;) free_.push_back(static_cast<std::uint32_t>(i));
  }

  std::vector<Transaction> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle::mem
