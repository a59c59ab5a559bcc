// Events by the cycle in which they are due, at most so many cycles ahead as the wheel has places.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::sm {

template <class Event>
class EventWheel {
 public:
  // For events that are due less than `cycles` cycles later.
  explicit EventWheel(std::uint64_t cycles)
      : lists_(std::bit_ceil(std::max<std::uint64_t>(64, cycles))),
        mask_(lists_.size() - 1),
        filled_(lists_.size() / 64) {}

  void add(Cycle at, const Event& event) {
    std::uint32_t n = free_;
    if (n == kNone) {
      n = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({event, kNone});
    } else {
      free_ = nodes_[n].next;
      nodes_[n] = {event, kNone};
    }
    const std::uint64_t place = at.value & mask_;
    List& list = lists_[place];
    (list.first == kNone ? list.first : nodes_[list.last].next) = n;
    list.last = n;
    filled_[place / 64] |= std::uint64_t{1} << place % 64;
    ++size_;
  }
  // Calls f(event) for those due at `now`, in the order in which they were added. Must be called in
  // every cycle that has some. f adds none.
  template <class F>
  void take(Cycle now, F&& f) {
    const std::uint64_t place = now.value & mask_;
    List& list = lists_[place];
    if (list.first == kNone) return;
    for (std::uint32_t n = list.first; n != kNone; n = nodes_[n].next) {
      f(nodes_[n].event);
      --size_;
    }
    nodes_[list.last].next = free_;
    free_ = list.first;
    list.first = kNone;
    filled_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  }
  // The first cycle >= from that has an event; never() without events.
  Cycle next(Cycle from) const {
    if (size_ == 0) return Cycle::never();
    const std::uint64_t place = from.value & mask_, words = filled_.size();
    for (std::uint64_t n = 0; n <= words; ++n) {
      std::uint64_t word = filled_[(place / 64 + n) & (words - 1)];
      if (n == 0) word &= ~std::uint64_t{0} << place % 64;
      if (word != 0) {
        const std::uint64_t first = place / 64 * 64 + n * 64;
        return from + (first + static_cast<std::uint64_t>(std::countr_zero(word)) - place);
      }
    }
    return Cycle::never();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Node {
    Event event;
    std::uint32_t next;
  };
  struct List {
    std::uint32_t first = kNone, last = kNone;
  };
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
  std::vector<List> lists_;
  std::uint64_t mask_;
  std::vector<std::uint64_t> filled_;  // a bit for each list
  std::uint64_t size_ = 0;             // events
};

}  // namespace heddle::sm
