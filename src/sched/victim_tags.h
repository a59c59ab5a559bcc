// Tags of lines that a warp lost from the L1: a small set-associative array with FIFO replacement per warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

class VictimTags {
 public:
  VictimTags(std::uint32_t entries, std::uint32_t ways, std::uint32_t line_bytes)
      : entries_(entries), ways_(std::min(ways, entries)), sets_(std::max(1u, entries / ways_)), line_bytes_(line_bytes),
        tags_(std::size_t{entries} * kMaxWarpsPerSm, kNone), next_(std::size_t{sets_} * kMaxWarpsPerSm, 0) {}

  // A tag that is there already stays where it is.
  void insert(WarpSlot warp, LineAddress line) {
    const std::size_t first = first_of(warp, line);
    std::uint64_t* const set = tags_.data() + first;
    if (std::find(set, set + ways_, line.value) != set + ways_) return;
    std::uint32_t& next = next_[static_cast<std::size_t>(warp.index) * sets_ + set_of(line)];
    set[next] = line.value;
    next = (next + 1) % ways_;
  }
  bool contains(WarpSlot warp, LineAddress line) const {
    const std::uint64_t* const set = tags_.data() + first_of(warp, line);
    return std::find(set, set + ways_, line.value) != set + ways_;
  }
  // The line was written: nobody lost this content.
  void invalidate(LineAddress line) {
    for (int w = 0; w < kMaxWarpsPerSm; ++w) {
      std::uint64_t* const set = tags_.data() + first_of(WarpSlot(w), line);
      std::replace(set, set + ways_, line.value, kNone);
    }
  }
  void clear(WarpSlot warp) {
    const auto first = tags_.begin() + warp.index * static_cast<std::ptrdiff_t>(entries_);
    std::fill(first, first + static_cast<std::ptrdiff_t>(entries_), kNone);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::size_t set_of(LineAddress line) const { return line.value / line_bytes_ % sets_; }
  std::size_t first_of(WarpSlot warp, LineAddress line) const {
    return static_cast<std::size_t>(warp.index) * entries_ + set_of(line) * ways_;
  }

  std::uint32_t entries_, ways_, sets_, line_bytes_;
  std::vector<std::uint64_t> tags_;   // by warp, then set, then way
  std::vector<std::uint32_t> next_;   // way to be replaced next, by warp and set
};

}  // namespace heddle::sched
