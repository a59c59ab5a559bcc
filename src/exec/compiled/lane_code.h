// Writes machine code that computes decoded instructions for the 32 lanes of a warp.
//
// Compiled code calls nothing: where it meets an instruction that it cannot compute, it ends before
// it has changed anything, and the interpreter executes that instruction.
#pragma once

#include "exec/compiled/known_addresses.h"
#include "exec/compiled/row_code.h"

namespace heddle::exec {

class LaneCode : public RowCode {
 public:
  using Reg32 = Xbyak::Reg32;

  // General registers with a fixed meaning; rax, rbp, r13, r14 and r15 are temporary.
  const Xbyak::Reg64 predicates = rcx, left = r9, threads = r10;
  const Reg32 active = r8d, reconvergence = r11d, active_count = r12d;
  const Reg32 guarded = ebx;  // the lanes that execute the instruction, when it has a guard

  LaneCode(const DecodedKernel& kernel, RowUses uses);

  // A block begins: nothing is known. all_active: the code is for warps with all lanes active.
  void begin_block(bool all_active);
  // The instruction that is compiled next.
  void begin_instruction(const DecodedInstruction& r, Pc pc);
  void end_instruction() { end_operands(); }
  const DecodedInstruction& instruction(Pc pc) const { return kernel_.code[pc]; }
  bool is_guarded(const DecodedInstruction& r) const {
    return r.guard.row != kernel_.predicate_rows || r.guard.flip != 0;
  }
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

  void load_predicate(const Reg32& to, const PredicateSource& p);

  // The result of begin_result() is in the n-th destination for the lanes that execute the
  // instruction. canonical: NaNs are; otherwise the result is a single precision number of all
  // lanes.
  void end_result(const DecodedInstruction& r, int first, bool wide, std::size_t n = 0,
                  bool canonical = true);
  // Destroys `value` and ebp.
  void set_predicate(std::uint16_t row, const Reg32& value);
  bool is_wanted(std::uint16_t predicate_row) const {
    return predicate_row < kernel_.predicate_rows;
  }

  KnownAddresses& known_addresses() { return known_; }
  Xbyak::Label& address_description() { return address_description_; }
  // The row has changed in memory, or may have.
  void forget(std::uint32_t row, bool wide);

 private:
  enum class Lanes : std::uint8_t { all, active, guarded };

  const DecodedKernel& kernel_;
  Lanes lanes_ = Lanes::all;
  bool all_active_ = true;
  KnownAddresses known_;
  Xbyak::Label address_description_;
};

}  // namespace heddle::exec
