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
      : mask_(static_cast<std::uint32_t>(std::bit_ceil(most) - 1)),
        shift_(static_cast<std::uint32_t>(std::bit_width(mask_))),
        ring_(banks << shift_) {}

  std::uint64_t banks() const { return banks_; }  // a bit for each bank with a request
  std::size_t front(int bank) const {
    return ring_[place(bank, queues_[static_cast<std::size_t>(bank)].head)];
  }
  void push(int bank, int collector) {
    Queue& q = queues_[static_cast<std::size_t>(bank)];
    ring_[place(bank, q.head + q.size++)] = static_cast<std::uint16_t>(collector);
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
  // Whole words: of two halves of one that were just written, the host waits for the second.
  struct Queue {
    std::uint32_t head = 0, size = 0;
  };
  std::size_t place(int bank, std::uint32_t number) const {
    return (static_cast<std::size_t>(bank) << shift_) + (number & mask_);
  }

  std::array<Queue, 64> queues_{};   // by bank
  std::uint32_t mask_, shift_;       // the length of a ring, less one; as a power of two
  std::vector<std::uint16_t> ring_;  // of each bank, one after the other
  std::uint64_t banks_ = 0;
};

}  // namespace heddle::sm
