// The lines that a cache evicted recently, with their owners (warps, or warps of SMs): a
// set-associative list with FIFO replacement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::mem {

template <class Owner>
class VictimList {
 public:
  VictimList(std::uint32_t entries, std::uint32_t line_bytes)
      : sets_(std::max(1u, entries / kWays)),
        line_bytes_(line_bytes),
        entries_(std::size_t{sets_} * kWays),
        next_(sets_) {}

  void insert(LineAddress line, const Owner& owner) {
    Entry* const set = set_of(line);
    for (Entry* e = set; e != set + kWays; ++e)
      if (e->used && e->line == line && e->owner == owner) return;
    std::uint8_t& next = next_[index_of(line)];
    set[next] = {line, owner, true};
    next = static_cast<std::uint8_t>((next + 1) % kWays);
  }
  struct Found {
    bool own = false, other = false;
  };
  Found find(LineAddress line, const Owner& owner) const {
    return find(line, owner, [](const Owner& a, const Owner& b) { return a != b; });
  }
  // is_other(owner, requester): whether the owner counts as another one.
  template <class IsOther>
  Found find(LineAddress line, const Owner& owner, IsOther&& is_other) const {
    const Entry* const set = const_cast<VictimList*>(this)->set_of(line);
    Found found;
    for (const Entry* e = set; e != set + kWays; ++e) {
      if (!e->used || e->line != line) continue;
      found.own |= e->owner == owner;
      found.other |= is_other(e->owner, owner);
    }
    return found;
  }
  void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

 private:
  static constexpr std::uint32_t kWays = 8;
  struct Entry {
    LineAddress line{};
    Owner owner{};
    bool used = false;
  };
  std::size_t index_of(LineAddress line) const { return line.value / line_bytes_ % sets_; }
  Entry* set_of(LineAddress line) { return entries_.data() + index_of(line) * kWays; }

  std::uint32_t sets_, line_bytes_;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> next_;  // by set: the way to replace next
};

}  // namespace heddle::mem
