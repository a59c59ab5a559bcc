// Which register rows compiled code holds in vector registers, at a place in the code.
#pragma once

#include <array>
#include <cstdint>

#include "exec/compiled/row_uses.h"

namespace heddle::exec {

struct KeptRow {
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

  std::uint32_t row = kNothing;
  bool wide = false;
  bool stored = true;                               // memory has the same value
  bool canonical = true;                            // its NaNs are the one that PTX has
  Pc next = kNeverRead, after = kReadInOtherBlock;  // reader: the next, and the one behind that

  bool overlaps(std::uint32_t other, bool other_wide) const {
    constexpr std::uint32_t kRowBytes = 128;
    return row != kNothing && row < other + (other_wide ? 2 : 1) * kRowBytes &&
           other < row + (wide ? 2 : 1) * kRowBytes;
  }
  // It has to be in memory when no register holds it.
  bool is_missing() const { return row != kNothing && !stored && next != kNeverRead; }
  Pc read_after(Pc pc) const { return row == kNothing ? kNeverRead : next == pc ? after : next; }
};

// Groups of four vector registers; a wide row is in the last two, and named by the first of them.
class KeptRows {
 public:
  static constexpr int kGroups = 3, kRegisters = 4, kFirstRegister = 4, kWideGroup = 1;
  static int first_register(int group) { return kFirstRegister + kRegisters * group; }

  // -1: none.
  int find(std::uint32_t row, bool wide) const {
    for (int g = 0; g < kGroups; ++g)
      if (at(g).row == row && at(g).wide == wide) return g;
    return -1;
  }
  // Where to compute a narrow result of the instruction: it replaces the row that is read last.
  int choose(Pc pc, bool first_is_free) const {
    int best = first_is_free ? 0 : 1;
    for (int g = best + 1; g < (at(kWideGroup).wide ? kWideGroup + 1 : kGroups); ++g)
      if (at(g).read_after(pc) > at(best).read_after(pc)) best = g;
    return best;
  }
  void put(int group, const KeptRow& kept) {
    if (kept.wide) groups_[kWideGroup + 1] = {};
    groups_[static_cast<std::size_t>(group)] = kept;
  }
  void forget(std::uint32_t row, bool wide) {
    for (KeptRow& k : groups_)
      if (k.overlaps(row, wide)) k = {};
  }
  KeptRow& at(int group) { return groups_[static_cast<std::size_t>(group)]; }
  const KeptRow& at(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  template <class Act>
  void for_each(Act act) {
    for (int g = 0; g < kGroups; ++g)
      if (at(g).row != KeptRow::kNothing) act(at(g), g);
  }

 private:
  std::array<KeptRow, kGroups> groups_{};
};

}  // namespace heddle::exec
