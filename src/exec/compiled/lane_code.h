// Writes machine code that computes decoded instructions for the 32 lanes of a warp.
//
// Results stay in vector registers while there is room, and are stored in their register rows when
// something may still read them there: at the end of the block, and where compiled code ends.
// Compiled code calls nothing: where it meets an instruction that it cannot compute, it ends before
// it has changed anything, and the interpreter executes that instruction.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstddef>

#include "exec/compiled/kept_rows.h"
#include "exec/compiled/known_addresses.h"
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

  LaneCode(const DecodedKernel& kernel, RowUses uses);

  // A block begins: nothing is known. all_active: the code is for warps with all lanes active.
  void begin_block(bool all_active);
  // The instruction that is compiled next.
  void begin_instruction(const DecodedInstruction& r, Pc pc);
  void end_instruction();
  // Stores what registers alone hold.
  void store_all();
  Pc pc() const { return pc_; }
  const DecodedInstruction& instruction(Pc pc) const { return kernel_.code[pc]; }
  bool is_guarded(const DecodedInstruction& r) const {
    return r.guard.row != kernel_.predicate_rows || r.guard.flip != 0;
  }
  const RowUses& uses() const { return uses_; }
  std::int64_t parameter_bytes() const { return kernel_.kernel->parameter_bytes; }
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

  // Lets the instruction destroy vector registers 4 to 7, too; 0 to 3 are always temporary. Emits
  // no branch, and comes before any.
  void use_temporaries();
  // The source will be read from memory: from now on, or where this is emitted.
  void store_source(const RowSource& s);
  void write_back(const RowSource& s);

  // The first of the four, or eight, registers to compute a result into, vector by vector. They may
  // keep sources of the same width, or wide sources of a narrow result: the last instruction of a
  // vector writes them.
  int begin_result(bool wide);
  // The result is in the n-th destination for the lanes that execute the instruction. canonical:
  // NaNs are; otherwise the result is a single precision number of all lanes.
  void end_result(const DecodedInstruction& r, int first, bool wide, std::size_t n = 0,
                  bool canonical = true);
  // Destroys `value` and ebp.
  void set_predicate(std::uint16_t row, const Reg32& value);
  bool is_wanted(std::uint16_t predicate_row) const { return predicate_row < kernel_.predicate_rows; }

  KnownAddresses& known_addresses() { return known_; }
  Xbyak::Label& address_description() { return address_description_; }
  // What registers hold where the instruction may leave, and now.
  const KeptRows& kept_at_exit() const { return kept_at_exit_; }
  const KeptRows& kept() const { return kept_; }
  void store_rows(KeptRows rows);
  void load_rows(const KeptRows& rows);
  // The row has changed in memory, or may have.
  void forget(std::uint32_t row, bool wide);

 private:
  enum class Lanes : std::uint8_t { all, active, guarded };

  int kept_in(const RowSource& s, bool wide) const {
    const int group = s.base == 0 ? kept_.find(s.offset, wide) : -1;
    return group < 0 ? -1 : KeptRows::first_register(group);
  }
  void prepare_source(const DecodedInstruction& r, std::size_t n);
  void make_canonical(KeptRow& kept, int group);
  void store(KeptRow& kept, int group);

  const DecodedKernel& kernel_;
  const RowUses uses_;
  Lanes lanes_ = Lanes::all;
  bool all_active_ = true, uses_temporaries_ = false;
  Pc pc_ = 0;
  KeptRows kept_, kept_at_exit_;
  KnownAddresses known_;
  Xbyak::Label address_description_;
};

// Replaces NaNs by the one that PTX has.
void make_canonical(LaneCode& code, const Xbyak::Ymm& to, const Xbyak::Ymm& from,
                    const Xbyak::Ymm& temporary);

}  // namespace heddle::exec
