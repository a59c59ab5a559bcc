// The scoreboard: the registers of each warp with a pending write. They block every later reader
// (RAW) and writer (WAW). WAR hazards cannot occur, because the collectors read operands in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "ptx/instruction.h"

namespace heddle::sm {

class Scoreboard {
 public:
  explicit Scoreboard(int warps) : warps_(static_cast<std::size_t>(warps)), pending_(warps_) {}

  // Sets the number of registers per warp. Nothing may be pending.
  void resize(std::uint32_t registers) {
    words_ = registers / 64 + 1;
    writing_.assign(warps_ * words_, 0);
    long_.assign(warps_ * words_, 0);
    pending_.assign(warps_, 0);
  }

  // Raises the number of registers per warp. Warps of other kernels keep their pending writes.
  void grow(std::uint32_t registers) {
    const std::size_t words = registers / 64 + 1;
    if (words <= words_) return;
    for (auto* table : {&writing_, &long_}) {
      std::vector<std::uint64_t> wider(warps_ * words, 0);
      for (std::size_t w = 0; w < warps_; ++w)
        std::copy_n(table->data() + w * words_, words_, wider.data() + w * words);
      *table = std::move(wider);
    }
    words_ = words;
  }

  bool conflicts(WarpSlot warp, const ptx::Instruction& i) const {
    return touches(writing_.data(), warp, i);
  }
  // Whether a conflict is with the result of a long operation.
  bool conflicts_with_long(WarpSlot warp, const ptx::Instruction& i) const {
    return touches(long_.data(), warp, i);
  }
  bool writing(WarpSlot warp, std::uint16_t r) const {
    return (writing_[slot(warp) * words_ + (r >> 6)] & bit(r)) != 0;
  }
  bool pending(WarpSlot warp) const { return pending_[slot(warp)] != 0; }

  void reserve(WarpSlot warp, const ptx::Instruction& i) {
    const bool is_long = i.is_long();
    for (int k = 0; k < i.write_count; ++k) {
      const std::uint16_t r = i.writes[static_cast<std::size_t>(k)];
      row(writing_, warp)[r >> 6] |= bit(r);
      if (is_long) row(long_, warp)[r >> 6] |= bit(r);
    }
    pending_[slot(warp)] += i.write_count;
  }
  void release(WarpSlot warp, const ptx::Instruction& i) {
    for (int k = 0; k < i.write_count; ++k) {
      const std::uint16_t r = i.writes[static_cast<std::size_t>(k)];
      row(writing_, warp)[r >> 6] &= ~bit(r);
      row(long_, warp)[r >> 6] &= ~bit(r);
    }
    pending_[slot(warp)] -= i.write_count;
  }

 private:
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  static constexpr std::uint64_t bit(std::uint16_t r) { return std::uint64_t{1} << (r & 63); }
  std::uint64_t* row(std::vector<std::uint64_t>& table, WarpSlot w) {
    return table.data() + slot(w) * words_;
  }
  bool touches(const std::uint64_t* table, WarpSlot warp, const ptx::Instruction& i) const {
    const std::uint64_t* bits = table + slot(warp) * words_;
    std::uint64_t found = 0;
    const auto look = [&](std::uint16_t r) { found |= bits[r >> 6] & bit(r); };
    for (int k = 0; k < i.read_count; ++k) look(i.reads[static_cast<std::size_t>(k)]);
    for (int k = 0; k < i.write_count; ++k) look(i.writes[static_cast<std::size_t>(k)]);
    return found != 0;
  }

  std::size_t warps_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> writing_, long_;  // words_ per warp
  std::vector<std::uint32_t> pending_;         // registers being written, by warp
};

}  // namespace heddle::sm
