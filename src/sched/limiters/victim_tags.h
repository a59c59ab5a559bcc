// Victim tags: the tags of lines that a warp brought into the L1 and lost. One small
// set-associative array with FIFO replacement per warp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

class VictimTags {
 public:
  VictimTags(std::uint32_t entries, std::uint32_t ways, std::uint32_t line_bytes)
      : entries_(entries),
        ways_(std::min(ways, entries)),
        sets_(std::max(1u, entries / ways_)),
        line_bytes_(line_bytes),
        tags_(std::size_t{entries} * kMaxWarpsPerSm, kNone),
        next_(std::size_t{sets_} * kMaxWarpsPerSm, 0) {}

  // A tag that is in the array already is not moved.
  void insert(WarpSlot warp, LineAddress line) {
    const std::size_t first = first_of(warp, line);
    std::uint64_t* const set = tags_.data() + first;
    if (std::find(set, set + ways_, line.value) != set + ways_) return;
    ++holders_of(line);
    std::uint32_t& next = next_[static_cast<std::size_t>(warp.index) * sets_ + set_of(line)];
    drop(set[next]);
    set[next] = line.value;
    next = (next + 1) % ways_;
  }
  bool contains(WarpSlot warp, LineAddress line) const {
    const std::uint64_t* const set = tags_.data() + first_of(warp, line);
    return std::find(set, set + ways_, line.value) != set + ways_;
  }
  // Removes the line from all arrays: after a store its old content is of no use.
  void invalidate(LineAddress line) {
    if (holders_of(line) == 0) return;
    for (int w = 0; w < kMaxWarpsPerSm; ++w) {
      std::uint64_t* const set = tags_.data() + first_of(WarpSlot(w), line);
      std::uint64_t* const at = std::find(set, set + ways_, line.value);
      if (at == set + ways_) continue;
      drop(*at);
      *at = kNone;
    }
  }
  void clear(WarpSlot warp) {
    const auto first = tags_.begin() + warp.index * static_cast<std::ptrdiff_t>(entries_);
    for (auto at = first; at != first + static_cast<std::ptrdiff_t>(entries_); ++at) {
      drop(*at);
      *at = kNone;
    }
  }

 private:
  // The number of tags of all warps whose lines have this hash. It makes invalidate() fast for
  // lines that no warp has lost, which are the common case.
  static constexpr std::size_t kHashes = 1024;
  std::uint32_t& holders_of(LineAddress line) {
    return holders_[line.value / line_bytes_ * 0x9E3779B97F4A7C15ull >> 54];
  }
  void drop(std::uint64_t tag) {
    if (tag != kNone) --holders_of(LineAddress{tag});
  }

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::size_t set_of(LineAddress line) const { return line.value / line_bytes_ % sets_; }
  std::size_t first_of(WarpSlot warp, LineAddress line) const {
    return static_cast<std::size_t>(warp.index) * entries_ + set_of(line) * ways_;
  }

  std::array<std::uint32_t, kHashes> holders_{};
  std::uint32_t entries_, ways_, sets_, line_bytes_;
  std::vector<std::uint64_t> tags_;  // by warp, then set, then way
  std::vector<std::uint32_t> next_;  // the way to replace next, by warp and set
};

}  // namespace heddle::sched
