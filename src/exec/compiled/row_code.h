// Writes machine code that reads and writes rows of registers, a vector of lanes at a time.
//
// Results stay in vector registers while there is room, and are stored in their rows when something
// may still read them there: at the end of the block, and where compiled code ends.
#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>

#include "exec/compiled/kept_rows.h"
#include "exec/compiled/lane_context.h"

namespace heddle::exec {

class RowCode : public Xbyak::CodeGenerator {
 public:
  using Ymm = Xbyak::Ymm;
  static constexpr int kVectors = 4, kWideVectors = 8;  // of a row of 4 and of 8 bytes per lane

  // General registers with a fixed meaning.
  const Xbyak::Reg64 context = rdi, registers = rsi, constants = rdx;

  Xbyak::Address at(std::size_t offset_in_context) const {
    return ptr[context + static_cast<int>(offset_in_context)];
  }
  Xbyak::Address constant(std::size_t offset_in_constants) const {
    return at(offsetof(LaneContext, fixed) + offset_in_constants);
  }
  Xbyak::Address source(const RowSource& s, int vector, int bytes = 32) const {
    return ptr[(s.base ? constants : registers) + (static_cast<int>(s.offset) + vector * bytes)];
  }

  // The instruction that is compiled.
  Pc pc() const { return pc_; }
  const RowUses& uses() const { return uses_; }

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
  // Stores what registers alone hold.
  void store_all();
  // What registers hold where the instruction may end compiled code, and now.
  const KeptRows& kept_at_exit() const { return kept_at_exit_; }
  const KeptRows& kept() const { return kept_; }
  void store_rows(KeptRows rows);
  void load_rows(const KeptRows& rows);
  // Replaces NaNs by the one that PTX has.
  void make_canonical(const Ymm& to, const Ymm& from, const Ymm& temporary);

 protected:
  explicit RowCode(RowUses uses);

  void begin_rows() { kept_ = {}; }
  // all_lanes: the instruction writes all lanes of its destinations.
  void begin_operands(const DecodedInstruction& r, Pc pc, bool all_lanes);
  void end_operands();
  // The result of begin_result(), of which memory has nothing yet.
  void keep_result(std::uint32_t row, int first, bool wide, std::size_t n, bool canonical);
  void forget_row(std::uint32_t row, bool wide) { kept_.forget(row, wide); }

 private:
  int kept_in(const RowSource& s, bool wide) const {
    const int group = s.base == 0 ? kept_.find(s.offset, wide) : -1;
    return group < 0 ? -1 : KeptRows::first_register(group);
  }
  void prepare_source(const DecodedInstruction& r, std::size_t n);
  void make_kept_canonical(KeptRow& kept, int group);
  void store(KeptRow& kept, int group);

  const RowUses uses_;
  Pc pc_ = 0;
  bool uses_temporaries_ = false;
  KeptRows kept_, kept_at_exit_;
};

}  // namespace heddle::exec
