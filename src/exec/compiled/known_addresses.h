// The bases of accesses whose addresses are in the context, at a place in the code.
#pragma once

#include <array>
#include <cstddef>

#include "exec/compiled/lane_context.h"

namespace heddle::exec {

// Offsets from the base that were found to be inside the memory and aligned, for accesses of at
// most `bytes` bytes whose offsets are `start` plus a multiple of their size.
struct CheckedOffsets {
  int start = 0, bytes = 0, begin = 0, end = 0;

  bool aligns(int offset, int size) const { return size <= bytes && (offset - start) % size == 0; }
  bool covers(int offset, int size) const {
    return aligns(offset, size) && begin <= offset && offset + size <= end;
  }
};

class KnownAddresses {
 public:
  struct Base {
    std::uint32_t row = ~std::uint32_t{0};
    bool wide = false;
    CheckedOffsets loads, stores;
  };

  // -1: none.
  int find(std::uint32_t row, bool wide) const {
    for (std::size_t n = 0; n < bases_.size(); ++n)
      if (bases_[n].row == row && bases_[n].wide == wide) return static_cast<int>(n);
    return -1;
  }
  // A place for the addresses of a base that is given to keep(), or is used once.
  int replace_oldest() {
    next_ = (next_ + 1) % bases_.size();
    bases_[next_] = {};
    return static_cast<int>(next_);
  }
  void clear() { bases_.fill({}); }
  void keep(int place, std::uint32_t row, bool wide) { at(place) = {row, wide, {}, {}}; }
  void forget(std::uint32_t row, bool wide) {
    constexpr std::uint32_t kRowBytes = 128;
    for (Base& b : bases_)
      if (b.row < row + (wide ? 2 : 1) * kRowBytes && row < b.row + (b.wide ? 2 : 1) * kRowBytes)
        b = {};
  }
  Base& at(int place) { return bases_[static_cast<std::size_t>(place)]; }

 private:
  std::size_t next_ = 0;
  std::array<Base, LaneContext::kAddresses> bases_{};
};

}  // namespace heddle::exec
