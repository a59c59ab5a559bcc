// The scoreboard: the registers of each warp with a pending write. They block every later reader
// (RAW) and writer (WAW). WAR hazards cannot occur, because the collectors read operands in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::sm {

// The registers of one instruction, as the scoreboard compares them.
struct RegisterUse {
  RegisterUse() = default;
  // loose_atomic: the instruction is an atomic that sm.loose_atomics describes.
  RegisterUse(const isa::Instruction& i, bool loose_atomic = false)
      : instruction(&i),
        is_long(i.is_long()),
        is_load(i.is_load() || i.op_class == isa::OpClass::atomic),
        is_long_load((i.is_load() || loose_atomic) && is_slow(i.space)),
        ignores_base(loose_atomic) {
    for (int k = 0; k < i.read_count; ++k) {
      const std::uint16_t reg = i.reads[static_cast<std::size_t>(k)];
      if (waits_for(k)) add(touched, reg);
      if (i.reads_value(k)) add(values, reg);
    }
    for (int k = 0; k < i.write_count; ++k) {
      add(touched, i.writes[static_cast<std::size_t>(k)]);
      add(written, i.writes[static_cast<std::size_t>(k)]);
    }
  }

  // Whether the instruction waits for the register reads[k].
  bool waits_for(int k) const {
    const isa::Instruction& i = *instruction;
    return !ignores_base || i.reads_value(k) ||
           i.reads[static_cast<std::size_t>(k)] != i.base_register;
  }

  // Sets of the registers below kMaskWords * 64. Most kernels have no others, and then the sets
  // replace a search through the instruction.
  static constexpr std::size_t kMaskWords = 2;
  using Mask = std::array<std::uint64_t, kMaskWords>;
  // touched: read or written; values: read other than as the guard or an address.
  Mask touched{}, written{}, values{};
  const isa::Instruction* instruction = nullptr;
  bool is_long = false;
  bool is_load = false;       // of any memory, or an atomic
  bool is_long_load = false;  // of global, local, parameter or texture memory
  bool masked = true;         // the sets have all its registers
  bool ignores_base = false;  // waits for no register that is only the base of its address

 private:
  static bool is_slow(isa::Space s) { return s != isa::Space::shared && s != isa::Space::constant; }
  void add(Mask& mask, std::uint16_t r) {
    if (r < kMaskWords * 64)
      mask[r >> 6] |= std::uint64_t{1} << (r & 63);
    else
      masked = false;
  }
};

inline bool meet(const RegisterUse::Mask& a, const RegisterUse::Mask& b) {
  return ((a[0] & b[0]) | (a[1] & b[1])) != 0;
}

class Scoreboard {
  // Of 64 registers: those with a pending write, by a long operation, and the marks of the results
  // of long loads.
  struct Sets {
    std::uint64_t writing = 0, long_ones = 0, loaded = 0;
  };
  // Those of a warp for which RegisterUse has sets.
  struct alignas(64) Row : std::array<Sets, RegisterUse::kMaskWords> {};

  static std::size_t more_words_for(std::uint32_t registers) {
    return std::max<std::size_t>(RegisterUse::kMaskWords, registers / 64 + 1) -
           RegisterUse::kMaskWords;
  }
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  static constexpr std::uint64_t bit(std::uint16_t r) { return std::uint64_t{1} << (r & 63); }
  // The sets that have the register.
  template <class Self>
  static auto& word(Self& self, WarpSlot w, std::uint16_t r) {
    const std::size_t n = r >> 6;
    return n < RegisterUse::kMaskWords
               ? self.rows_[slot(w)][n]
               : self.more_[slot(w) * self.more_words_ + n - RegisterUse::kMaskWords];
  }

 public:
  explicit Scoreboard(int warps) : rows_(static_cast<std::size_t>(warps)) {}

  // Sets the number of registers per warp. Nothing may be pending.
  void resize(std::uint32_t registers) {
    std::fill(rows_.begin(), rows_.end(), Row{});
    more_words_ = more_words_for(registers);
    more_.assign(rows_.size() * more_words_, {});
  }

  // Raises the number of registers per warp. Warps of other kernels keep their pending writes.
  void grow(std::uint32_t registers) {
    const std::size_t words = more_words_for(registers);
    if (words <= more_words_) return;
    std::vector<Sets> wider(rows_.size() * words);
    for (std::size_t w = 0; w < rows_.size(); ++w)
      std::copy_n(more_.data() + w * more_words_, more_words_, wider.data() + w * words);
    more_ = std::move(wider);
    more_words_ = words;
  }

  bool conflicts(WarpSlot warp, const RegisterUse& use) const {
    return touches(warp, use, &Sets::writing);
  }
  // Whether a conflict is with the result of a long operation.
  bool conflicts_with_long(WarpSlot warp, const RegisterUse& use) const {
    return touches(warp, use, &Sets::long_ones);
  }
  void track_loaded() { tracks_loaded_ = true; }
  bool tracks_loaded() const { return tracks_loaded_; }
  // Whether an operand, other than the guard or an address, is marked as the result of a long load.
  // As in GPGPU-Sim 3.2.2 and 4.2 the mark outlasts the load: it is removed when another
  // instruction writes the register, or a load that a cache answers at once.
  bool reads_loaded(WarpSlot warp, const RegisterUse& use) const {
    const Row& row = rows_[slot(warp)];
    if (use.masked) [[likely]]
      return ((row[0].loaded & use.values[0]) | (row[1].loaded & use.values[1])) != 0;
    const isa::Instruction& i = *use.instruction;
    for (int k = 0; k < i.read_count; ++k) {
      const std::uint16_t r = i.reads[static_cast<std::size_t>(k)];
      if (i.reads_value(k) && (word(*this, warp, r).loaded & bit(r)) != 0) return true;
    }
    return false;
  }
  bool writing(WarpSlot warp, std::uint16_t r) const {
    return (word(*this, warp, r).writing & bit(r)) != 0;
  }

  void reserve(WarpSlot warp, const RegisterUse& use) {
    for_each_written(warp, use, [&](Sets& sets, std::uint64_t registers) {
      sets.writing |= registers;
      if (use.is_long) sets.long_ones |= registers;
      if (tracks_loaded_ && use.is_long_load) [[unlikely]]
        sets.loaded |= registers;
    });
  }
  // at_once: of a load whose accesses were all answered when they were sent.
  void release(WarpSlot warp, const RegisterUse& use, bool at_once) {
    for_each_written(warp, use, [&](Sets& sets, std::uint64_t registers) {
      sets.writing &= ~registers;
      if (use.is_long) sets.long_ones &= ~registers;
      if (tracks_loaded_ && (!use.is_load || at_once)) [[unlikely]]
        sets.loaded &= ~registers;
    });
  }

 private:
  bool touches(WarpSlot w, const RegisterUse& use, std::uint64_t Sets::* set) const {
    const Row& row = rows_[slot(w)];
    if (use.masked) [[likely]]
      return ((row[0].*set & use.touched[0]) | (row[1].*set & use.touched[1])) != 0;
    return touches_one_by_one(w, use, set);
  }
  [[gnu::noinline]] bool touches_one_by_one(WarpSlot w, const RegisterUse& use,
                                            std::uint64_t Sets::* set) const {
    const isa::Instruction& i = *use.instruction;
    std::uint64_t found = 0;
    const auto look = [&](std::uint16_t r) { found |= word(*this, w, r).*set & bit(r); };
    for (int k = 0; k < i.read_count; ++k)
      if (use.waits_for(k)) look(i.reads[static_cast<std::size_t>(k)]);
    for (int k = 0; k < i.write_count; ++k) look(i.writes[static_cast<std::size_t>(k)]);
    return found != 0;
  }
  // Calls f(sets, registers) for the registers that the instruction writes.
  template <class F>
  void for_each_written(WarpSlot w, const RegisterUse& use, F&& f) {
    if (use.masked) [[likely]] {
      Row& row = rows_[slot(w)];
      f(row[0], use.written[0]);
      f(row[1], use.written[1]);
      return;
    }
    const isa::Instruction& i = *use.instruction;
    for (int k = 0; k < i.write_count; ++k) {
      const std::uint16_t r = i.writes[static_cast<std::size_t>(k)];
      f(word(*this, w, r), bit(r));
    }
  }

  std::vector<Row> rows_;       // by warp slot
  std::size_t more_words_ = 0;  // per warp
  std::vector<Sets> more_;      // of the registers for which rows_ has no sets
  bool tracks_loaded_ = false;
};

}  // namespace heddle::sm
