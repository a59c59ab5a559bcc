// The queue of locality protected insertion.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace heddle::sched {

// Short-latency warps by age, with every long-latency warp inserted into a gap between them. A
// warp's home is the gap between the two short-latency warps that are adjacent to it in age. When
// its home is taken, it gets the nearest free gap, the older of two equally near ones. When all
// gaps are taken, it joins its home.
class InsertionQueue {
 public:
  // Warps are added from the oldest to the youngest.
  void add_short(WarpSlot warp) { short_[shorts_++] = warp; }
  void add_long(WarpSlot warp) { long_[longs_++] = {warp, shorts_}; }

  // The warps in the order of the queue. Called once, after all warps were added.
  std::span<const WarpSlot> order() {
    // There is a long-latency warp, so there are at most 64 gaps: gap i is before short_[i].
    std::uint64_t free = shorts_ < 63 ? (std::uint64_t{1} << (shorts_ + 1)) - 1 : ~std::uint64_t{0};
    for (unsigned i = 0; i < longs_; ++i) {
      const unsigned home = long_[i].gap;
      if (free == 0) continue;
      long_[i].gap = static_cast<std::uint8_t>(nearest(free, home));
      free &= ~(std::uint64_t{1} << long_[i].gap);
    }
    std::array<std::uint8_t, kMaxWarpsPerSm + 2> place{};  // of the next warp of a gap
    for (unsigned i = 0; i < longs_; ++i) ++place[long_[i].gap + 1u];
    for (unsigned gap = 0; gap < shorts_; ++gap) {
      place[gap + 1] = static_cast<std::uint8_t>(place[gap + 1] + place[gap] + 1);
      queue_[place[gap + 1] - 1u] = short_[gap];
    }
    for (unsigned i = 0; i < longs_; ++i) queue_[place[long_[i].gap]++] = long_[i].warp;
    return {queue_.data(), static_cast<std::size_t>(shorts_ + longs_)};
  }

 private:
  struct Long {
    WarpSlot warp;
    std::uint8_t gap = 0;  // its home, then the gap that it gets
  };
  // The bit of `free` that is nearest to `home`.
  static unsigned nearest(std::uint64_t free, unsigned home) {
    const std::uint64_t below = free << (63 - home), above = free >> home;
    const unsigned down = static_cast<unsigned>(std::countl_zero(below)),
                   up = static_cast<unsigned>(std::countr_zero(above));
    return down <= up ? home - down : home + up;
  }

  std::array<WarpSlot, kMaxWarpsPerSm> short_, queue_;
  std::array<Long, kMaxWarpsPerSm> long_;
  std::uint8_t shorts_ = 0, longs_ = 0;
};

}  // namespace heddle::sched
