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
  RegisterUse(const isa::Instruction& i)
      : instruction(&i),
        is_long(i.is_long()),
        is_load(i.is_load() || i.op_class == isa::OpClass::atomic),
        is_long_load(loads_long(i)) {
    for (int k = 0; k < i.read_count; ++k) {
      const std::uint16_t reg = i.reads[static_cast<std::size_t>(k)];
      add(touched, reg);
      if (i.reads_value(k)) add(values, reg);
    }
    for (int k = 0; k < i.write_count; ++k) {
      add(touched, i.writes[static_cast<std::size_t>(k)]);
      add(written, i.writes[static_cast<std::size_t>(k)]);
    }
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

 private:
  static bool loads_long(const isa::Instruction& i) {
    return i.is_load() && i.space != isa::Space::shared && i.space != isa::Space::constant;
  }
  void add(Mask& mask, std::uint16_t r) {
    if (r < kMaskWords * 64)
      mask[r >> 6] |= std::uint64_t{1} << (r & 63);
    else
      masked = false;
  }
};

class Scoreboard {
 public:
  explicit Scoreboard(int warps) : warps_(static_cast<std::size_t>(warps)) {}

  // Sets the number of registers per warp. Nothing may be pending.
  void resize(std::uint32_t registers) {
    words_ = words_for(registers);
    writing_.assign(warps_ * words_, 0);
    long_.assign(warps_ * words_, 0);
    loaded_.assign(warps_ * words_, 0);
  }

  // Raises the number of registers per warp. Warps of other kernels keep their pending writes.
  void grow(std::uint32_t registers) {
    const std::size_t words = words_for(registers);
    if (words <= words_) return;
    for (auto* table : {&writing_, &long_, &loaded_}) {
      std::vector<std::uint64_t> wider(warps_ * words, 0);
      for (std::size_t w = 0; w < warps_; ++w)
        std::copy_n(table->data() + w * words_, words_, wider.data() + w * words);
      *table = std::move(wider);
    }
    words_ = words;
  }

  bool conflicts(WarpSlot warp, const RegisterUse& use) const {
    return touches(writing_.data() + slot(warp) * words_, use);
  }
  // Whether a conflict is with the result of a long operation.
  bool conflicts_with_long(WarpSlot warp, const RegisterUse& use) const {
    return touches(long_.data() + slot(warp) * words_, use);
  }
  void track_loaded() { tracks_loaded_ = true; }
  bool tracks_loaded() const { return tracks_loaded_; }
  // Whether an operand, other than the guard or an address, is marked as the result of a long load.
  // As in GPGPU-Sim 3.2.2 and 4.2 the mark outlasts the load: it is removed when another
  // instruction writes the register, or a load that a cache answers at once.
  bool reads_loaded(WarpSlot warp, const RegisterUse& use) const {
    const std::uint64_t* bits = loaded_.data() + slot(warp) * words_;
    if (use.masked) [[likely]]
      return ((bits[0] & use.values[0]) | (bits[1] & use.values[1])) != 0;
    const isa::Instruction& i = *use.instruction;
    for (int k = 0; k < i.read_count; ++k) {
      const std::uint16_t r = i.reads[static_cast<std::size_t>(k)];
      if (i.reads_value(k) && (bits[r >> 6] & bit(r)) != 0) return true;
    }
    return false;
  }
  bool writing(WarpSlot warp, std::uint16_t r) const {
    return (writing_[slot(warp) * words_ + (r >> 6)] & bit(r)) != 0;
  }

  void reserve(WarpSlot warp, const RegisterUse& use) {
    add(row(writing_, warp), use);
    if (use.is_long) add(row(long_, warp), use);
    if (tracks_loaded_ && use.is_long_load) [[unlikely]]
      add(row(loaded_, warp), use);
  }
  // at_once: of a load whose accesses were all answered when they were sent.
  void release(WarpSlot warp, const RegisterUse& use, bool at_once) {
    remove(row(writing_, warp), use);
    if (use.is_long) remove(row(long_, warp), use);
    if (tracks_loaded_ && (!use.is_load || at_once)) [[unlikely]]
      remove(row(loaded_, warp), use);
  }

 private:
  static std::size_t words_for(std::uint32_t registers) {
    return std::max<std::size_t>(RegisterUse::kMaskWords, registers / 64 + 1);
  }
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  static constexpr std::uint64_t bit(std::uint16_t r) { return std::uint64_t{1} << (r & 63); }
  std::uint64_t* row(std::vector<std::uint64_t>& table, WarpSlot w) {
    return table.data() + slot(w) * words_;
  }
  static bool touches(const std::uint64_t* bits, const RegisterUse& use) {
    if (use.masked) [[likely]]
      return ((bits[0] & use.touched[0]) | (bits[1] & use.touched[1])) != 0;
    const isa::Instruction& i = *use.instruction;
    std::uint64_t found = 0;
    const auto look = [&](std::uint16_t r) { found |= bits[r >> 6] & bit(r); };
    for (int k = 0; k < i.read_count; ++k) look(i.reads[static_cast<std::size_t>(k)]);
    for (int k = 0; k < i.write_count; ++k) look(i.writes[static_cast<std::size_t>(k)]);
    return found != 0;
  }
  static void add(std::uint64_t* bits, const RegisterUse& use) {
    if (use.masked) [[likely]] {
      bits[0] |= use.written[0];
      bits[1] |= use.written[1];
    } else {
      for_each_written(use, [&](std::uint16_t r) { bits[r >> 6] |= bit(r); });
    }
  }
  static void remove(std::uint64_t* bits, const RegisterUse& use) {
    if (use.masked) [[likely]] {
      bits[0] &= ~use.written[0];
      bits[1] &= ~use.written[1];
    } else {
      for_each_written(use, [&](std::uint16_t r) { bits[r >> 6] &= ~bit(r); });
    }
  }
  template <class F>
  static void for_each_written(const RegisterUse& use, F&& f) {
    const isa::Instruction& i = *use.instruction;
    for (int k = 0; k < i.write_count; ++k) f(i.writes[static_cast<std::size_t>(k)]);
  }

  std::size_t warps_;
  std::size_t words_ = RegisterUse::kMaskWords;
  // words_ per warp; loaded_: marks of the results of long loads
  std::vector<std::uint64_t> writing_, long_, loaded_;
  bool tracks_loaded_ = false;
};

}  // namespace heddle::sm
