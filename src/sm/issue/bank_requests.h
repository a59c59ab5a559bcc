// The operand collectors that wait for each register bank, in order.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::sm {

class BankRequests {
 public:
  // At most 64 banks. most: requests that wait for one bank at once.
  explicit BankRequests(std::size_t banks = 0, std::size_t most = 1)
      : queues_(banks), shift_(std::countr_zero(std::bit_ceil(most))) {
    ring_.resize(banks << shift_);
  }

  std::uint64_t banks() const { return banks_; }  // a bit for each bank with a request
  std::uint8_t front(int bank) const { return ring_[place(bank, queue(bank).head)]; }
  void push(int bank, std::uint8_t collector) {
    Queue& q = queues_[static_cast<std::size_t>(bank)];
    ring_[place(bank, q.head + q.size++)] = collector;
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
    std::uint32_t head = 0, size = 0;
  };
  const Queue& queue(int bank) const { return queues_[static_cast<std::size_t>(bank)]; }
  std::size_t place(int bank, std::uint32_t n) const {
    return (static_cast<std::size_t>(bank) << shift_) + (n & ((std::uint32_t{1} << shift_) - 1));
  }

  std::vector<Queue> queues_;       // by bank
  int shift_;                       // logarithm of the length of a ring
  std::vector<std::uint8_t> ring_;  // of each bank, one after the other
  std::uint64_t banks_ = 0;
};

}  // namespace heddle::sm
