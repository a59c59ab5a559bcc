// Writes machine code that computes decoded instructions for the 32 lanes of a warp.
//
// Every result is stored in its register row at once, so a warp's registers are complete wherever
// compiled code ends. The rows that were written last are also kept in vector registers. Compiled
// code calls nothing: where it meets an instruction that it cannot compute, it ends before it has
// changed anything, and the interpreter executes that instruction.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstddef>

#include "exec/compiled/lane_context.h"

namespace heddle::exec {

class LaneCode : public Xbyak::CodeGenerator {
 public:
  using Ymm = Xbyak::Ymm;
  using Reg32 = Xbyak::Reg32;
  static constexpr int kVectors = 4, kWideVectors = 8;  // of a row of 4 and of 8 bytes per lane

  // General registers with a fixed meaning; rax, rbp, r13, r14 and r15 are temporary.
  const Xbyak::Reg64 context = rdi, registers = rsi, constants = rdx, predicates = rcx, left = r9,
                     threads = r10;
  const Reg32 active = r8d, reconvergence = r11d, active_count = r12d;
  const Reg32 guarded = ebx;  // the lanes that execute the instruction, when it has a guard

  explicit LaneCode(const DecodedKernel& kernel);

  // A block begins: nothing is known. all_active: the code is for warps with all lanes active.
  void begin_block(bool all_active);
  // The instruction that is compiled next.
  void begin_instruction(const DecodedInstruction& r);
  std::int64_t parameter_bytes() const { return parameter_bytes_; }
  bool has_guard() const { return lanes_ == Lanes::guarded; }
  bool all_lanes() const { return lanes_ == Lanes::all; }
  bool all_active() const { return all_active_; }
  Reg32 lane_mask() const { return has_guard() ? guarded : active; }
  // Of the context: all ones for each lane of lane_mask().
  std::size_t lane_vectors() const {
    return has_guard() ? offsetof(LaneContext, guarded_lanes) : offsetof(LaneContext, active_lanes);
  }
  // Writes all ones for the lanes in `mask`; destroys vector registers 0 and 1.
  void expand(const Reg32& mask, std::size_t offset_in_context);

  Xbyak::Address at(std::size_t offset_in_context) const {
    return ptr[context + static_cast<int>(offset_in_context)];
  }
  Xbyak::Address constant(std::size_t offset_in_constants) const {
    return at(offsetof(LaneContext, fixed) + offset_in_constants);
  }
  Xbyak::Address source(const RowSource& s, int vector, int bytes = 32) const {
    return ptr[(s.base ? constants : registers) + (static_cast<int>(s.offset) + vector * bytes)];
  }
  void load_predicate(const Reg32& to, const PredicateSource& p);

  // A vector of a source, in the register that keeps it or loaded into `temporary`.
  Ymm value(const RowSource& s, int i, int temporary, bool wide = false);
  // Calls use(operand) with the register that keeps the vector, or with its place in memory.
  template <class Use>
  void with(const RowSource& s, int i, Use use, bool wide = false) {
    if (const int first = kept_in(s, wide); first >= 0)
      use(Ymm(first + i));
    else
      use(source(s, i));
  }

  // The first of the four, or eight, registers to compute a result into, vector by vector. They may
  // keep sources of the same width, or wide sources of a narrow result: the last instruction of a
  // vector writes them.
  int begin_result(bool wide);
  // Stores the result in the n-th destination for the lanes that execute the instruction.
  void end_result(const DecodedInstruction& r, int first, bool wide, std::size_t n = 0);
  // Destroys `value` and ebp.
  void set_predicate(std::uint16_t row, const Reg32& value);
  bool is_wanted(std::uint16_t predicate_row) const { return predicate_row < predicate_rows_; }

  // Where the addresses of an earlier access of the block are kept.
  struct KnownAddresses {
    std::uint32_t row = kNothing;
    bool wide = false;
  };
  int find_addresses(std::uint32_t row, bool wide) const;
  int keep_addresses(std::uint32_t row, bool wide);

  // What vector registers hold.
  struct Kept {
    std::uint32_t row = kNothing;
    bool wide = false;
  };
  using KeptRows = std::array<Kept, 2>;  // registers 8 to 11 and 12 to 15; a wide row has both
  const KeptRows& kept() const { return kept_; }
  void load_kept(const KeptRows& rows);
  // What was known of the row does not hold any more.
  void forget(std::uint32_t row, bool wide);

 private:
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  enum class Lanes : std::uint8_t { all, active, guarded };

  int kept_in(const RowSource& s, bool wide) const;

  Lanes lanes_ = Lanes::all;
  bool all_active_ = true;
  std::uint32_t predicate_rows_, parameter_bytes_;
  KeptRows kept_{};
  std::size_t next_group_ = 0, next_addresses_ = 0;
  std::array<KnownAddresses, LaneContext::kAddresses> known_{};
};

}  // namespace heddle::exec
