// Who brought each line (with filling by sectors: each sector) into a cache last. It says whose
// line a miss had been: nobody's before, the requester's, or another one's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "mem/packet.h"

namespace heddle::mem {

// The class of a miss, by the warp that had brought the line in before it was lost.
enum class MissClass : std::uint8_t { cold, same_warp, other_warp };
inline constexpr std::size_t kMissClasses = 3;
inline constexpr std::array<std::string_view, kMissClasses> kMissClassNames{"cold", "same_warp",
                                                                            "other_warp"};

class LineOwners {
 public:
  // The owner of the line until now, if it had one. From now on it is `owner`.
  std::optional<Requester> replace(std::uint64_t line, const Requester& owner) {
    if (used_ * 2 >= entries_.size()) grow();
    Entry& entry = entry_of(line);
    if (entry.line == line) return std::exchange(entry.owner, owner);
    entry = {line, owner};
    ++used_;
    return {};
  }
  std::optional<Requester> find(std::uint64_t line) const {
    if (used_ == 0) return {};
    const Entry& entry = const_cast<LineOwners*>(this)->entry_of(line);
    return entry.line == line ? std::optional(entry.owner) : std::nullopt;
  }
  // Prefetches the line's place, which the host's caches seldom hold, for replace() or find().
  void prefetch(std::uint64_t line) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[place_of(line)]);
  }
  void clear() {
    entries_.clear();
    used_ = 0;
  }

 private:
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t line = kNoLine;
    Requester owner{};
  };

  std::size_t place_of(std::uint64_t line) const {
    return (line * 0x9E3779B97F4A7C15ull) >> 32 & (entries_.size() - 1);
  }
  // That of the line, or the empty one where it belongs.
  Entry& entry_of(std::uint64_t line) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = place_of(line);
    while (entries_[at].line != line && entries_[at].line != kNoLine) at = (at + 1) & mask;
    return entries_[at];
  }
  void grow() {
    std::vector<Entry> old(std::max<std::size_t>(64, entries_.size() * 2));
    old.swap(entries_);
    for (const Entry& one : old)
      if (one.line != kNoLine) entry_of(one.line) = one;
  }

  std::vector<Entry> entries_;  // a power of two of them, or none
  std::size_t used_ = 0;
};

inline MissClass class_of_miss(const std::optional<Requester>& owner, const Requester& requester) {
  return !owner                ? MissClass::cold
         : *owner == requester ? MissClass::same_warp
                               : MissClass::other_warp;
}

}  // namespace heddle::mem
