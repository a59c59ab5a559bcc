// The families of instructions that can be compiled. A function emits the instruction, or returns
// false and emits nothing when it does not know the form.
#pragma once

#include "exec/compiled/lane_code.h"

namespace heddle::exec {

bool compile_integer(LaneCode& code, const DecodedInstruction& r);
bool compile_floating(LaneCode& code, const DecodedInstruction& r);
bool compile_choice(LaneCode& code, const DecodedInstruction& r);
bool compile_move(LaneCode& code, const DecodedInstruction& r);
// Jumps to `interpret` when the interpreter has to execute the access, with nothing changed.
// needs_start: then what is behind it cannot be executed without the start of the block.
bool compile_access(LaneCode& code, const DecodedInstruction& r, Xbyak::Label& interpret,
                    bool& needs_start);

// Emits op(result, i), which computes the i-th vector of the result into a register.
template <class Op>
void compile_vectors(LaneCode& code, const DecodedInstruction& r, bool wide, Op op,
                     bool canonical = true) {
  const int first = code.begin_result(wide);
  for (int i = 0; i < (wide ? LaneCode::kWideVectors : LaneCode::kVectors); ++i)
    op(Xbyak::Ymm(first + i), i);
  code.end_result(r, first, wide, 0, canonical);
}

// Single precision: subnormals become zeros with the same sign.
void flush_subnormals(LaneCode& code, const Xbyak::Ymm& x, const Xbyak::Ymm& temporary);

}  // namespace heddle::exec
