// The queue of locality protected insertion.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

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

  // The first warp of `among` in the queue; none: it has none. Called once, after all warps were
  // added.
  WarpSlot first(WarpMask among) {
    // There is a long-latency warp, so there are at most 64 gaps: gap i is before short_[i].
    std::uint64_t free = shorts_ < 63 ? (std::uint64_t{1} << (shorts_ + 1)) - 1 : ~std::uint64_t{0};
    WarpSlot first = WarpSlot::none;
    unsigned gap_of_first = kMaxWarpsPerSm;
    for (unsigned i = 0; i < longs_; ++i) {
      auto [warp, gap] = long_[i];
      if (free != 0) {
        gap = static_cast<std::uint8_t>(nearest(free, gap));
        free &= ~(std::uint64_t{1} << gap);
      }
      if (gap >= gap_of_first || !among.test(warp)) continue;
      first = warp;
      gap_of_first = gap;
    }
    for (unsigned i = 0; i < std::min<unsigned>(gap_of_first, shorts_); ++i)
      if (among.test(short_[i])) return short_[i];
    return first;
  }

 private:
  struct Long {
    WarpSlot warp;
    std::uint8_t gap = 0;  // its home
  };
  // The bit of `free` that is nearest to `home`.
  static unsigned nearest(std::uint64_t free, unsigned home) {
    const std::uint64_t below = free << (63 - home), above = free >> home;
    const unsigned down = static_cast<unsigned>(std::countl_zero(below)),
                   up = static_cast<unsigned>(std::countr_zero(above));
    return down <= up ? home - down : home + up;
  }

  std::array<WarpSlot, kMaxWarpsPerSm> short_;
  std::array<Long, kMaxWarpsPerSm> long_;
  std::uint8_t shorts_ = 0, longs_ = 0;
};

}  // namespace heddle::sched
