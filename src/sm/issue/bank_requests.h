// The operand collectors that wait for each register bank, in order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::sm {

class BankRequests {
 public:
  // At most 64 banks. most: requests that wait for one bank at once.
  explicit BankRequests(std::size_t banks = 0, std::size_t most = 1)
      : mask_(static_cast<std::uint16_t>(std::bit_ceil(most) - 1)) {
    const std::size_t length = std::size_t{mask_} + 1;
    for (std::size_t b = 0; b < banks; ++b)
      queues_[b].first = static_cast<std::uint32_t>(b * length);
    ring_.resize(banks * length);
  }

  std::uint64_t banks() const { return banks_; }  // a bit for each bank with a request
  std::size_t front(int bank) const {
    const Queue& q = queues_[static_cast<std::size_t>(bank)];
    return ring_[q.first + (q.head & mask_)];
  }
  void push(int bank, int collector) {
    Queue& q = queues_[static_cast<std::size_t>(bank)];
    ring_[q.first + ((q.head + q.size++) & mask_)] = static_cast<std::uint16_t>(collector);
    banks_ |= std::uint64_t{1} << bank;
  }
  void pop(int bank) {
    Queue& q = queues_[static_cast<std::size_t>(bank)];
    ++q.head;
    if (--q.size > 0) return;
    banks_ &= ~(std::uint64_t{1} << bank);
    q.head = 0;  // the first requests of a queue stay in the host's caches
  }

 private:
  struct Queue {
    std::uint32_t first = 0;  // its place in ring_
    std::uint16_t head = 0, size = 0;
  };

  std::array<Queue, 64> queues_{};   // by bank
  std::uint16_t mask_;               // the length of a ring, less one
  std::vector<std::uint16_t> ring_;  // of each bank, one after the other
  std::uint64_t banks_ = 0;
};

}  // namespace heddle::sm
