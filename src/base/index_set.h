#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heddle {

// A set of indices below 192: ports of a network, SMs, slices.
struct IndexSet {
  static constexpr std::uint32_t kWords = 3, kCapacity = 64 * kWords;
  std::array<std::uint64_t, kWords> words{};
  bool any() const { return (words[0] | words[1] | words[2]) != 0; }
  bool test(std::uint32_t i) const { return words[i >> 6] >> (i & 63) & 1; }
  void set(std::uint32_t i) { words[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void reset(std::uint32_t i) { words[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  std::uint32_t lowest() const { return next_cyclic(0); }  // not for empty sets
  IndexSet& operator|=(const IndexSet& o) {
    for (std::uint32_t w = 0; w < kWords; ++w) words[w] |= o.words[w];
    return *this;
  }
  IndexSet without(const IndexSet& o) const {
    return {{words[0] & ~o.words[0], words[1] & ~o.words[1], words[2] & ~o.words[2]}};
  }
  IndexSet from(std::uint32_t first) const {
    IndexSet rest = *this;
    for (std::uint32_t w = 0; w < (first >> 6); ++w) rest.words[w] = 0;
    rest.words[first >> 6] &= ~std::uint64_t{0} << (first & 63);
    return rest;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::uint32_t w = 0; w < kWords; ++w)
      for (std::uint64_t rest = words[w]; rest; rest &= rest - 1)
        f(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
  // The first member at or after `from`, wrapping around. Not for empty sets.
  std::uint32_t next_cyclic(std::uint32_t from) const {
    std::uint64_t mask = ~std::uint64_t{0} << (from & 63);
    for (std::uint32_t w = from >> 6; w < kWords; ++w, mask = ~std::uint64_t{0})
      if (const std::uint64_t here = words[w] & mask)
        return w * 64 + static_cast<std::uint32_t>(std::countr_zero(here));
    for (std::uint32_t w = 0;; ++w)
      if (words[w]) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(words[w]));
  }
};

}  // namespace heddle
