// The families of machine code. A family makes the handler of an instruction; null when it does not
// know the form, which is then refused when it is reached.
//
// Operands, as a DecodedInstruction has them, in the order of EncodingForm::operands:
//
//   src[k]            the k-th source that is a register, uniform register, immediate or constant;
//                     optional (RZ) and fixed ones included, labels and texts not
//   dst[k]            the k-th destination that is a register or uniform register
//   src_predicate[k]  the k-th source that is a predicate; `flip` has its negation
//   dst_predicate[k]  the k-th destination that is a predicate
//   src_flags         three bits for each src[k], from bit 3k: kNegated, kAbsolute, kInverted. The
//                     values of src[k] are before these
//
// A register is a row of 32 lanes of 4 bytes, and Rn+1 is the row behind Rn, so a pair is two rows,
// low first; never 32 lanes of 8 bytes. Uniform registers, immediates and constants are rows with
// the same word in all lanes. An operand of two registers (`*2` in the encoding table) that is a
// constant or immediate has two rows; of a 64-bit float as an immediate, the row of the low half is
// 0. RZ and URZ as a source are kMostRegisters rows of zeros, as a destination rows that nobody
// reads. PT is a mask of all lanes; as a destination it is a mask that nobody reads.
//
// `direct` has the meaning that lanes.h gives it: 0 when a destination overlaps a source otherwise
// than lane by lane. Rows of one operand beyond its first are included.
//
// A handler of the uniform datapath writes all 32 lanes of its destination, whatever its mask is;
// the mask is not 0. A uniform predicate is a mask of all lanes or of none.
//
// Handlers read modifiers at decode, not when they run. A family may keep what it computes from
// them in `decoded.offset`, and may change operands and flags; the operands are set when it is
// called.
#pragma once

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"
#include "sass/kernel.h"

namespace heddle::exec {

inline constexpr int kMostRegisters = 16;  // of one operand
enum SourceFlag : std::uint8_t { kNegated = 1, kAbsolute = 2, kInverted = 4 };

constexpr bool has_source_flag(const DecodedInstruction& r, int k, SourceFlag flag) {
  return (r.src_flags >> (3 * k) & flag) != 0;
}

// Rows of predicates: P0 to P6, then UP0 to UP6.
constexpr std::uint16_t predicate_row(int number) { return static_cast<std::uint16_t>(number); }
constexpr std::uint16_t uniform_predicate_row(int number) {
  return static_cast<std::uint16_t>(7 + number);
}
inline constexpr std::uint32_t kPredicateRows = 14;

// Constants begin with the rows of zeros, then a row of ones (the number).
inline constexpr RowSource kOneRow{kMostRegisters * 128, 1, 4, true};

inline const sass::Instruction& sass_of(const DecodedInstruction& r) {
  return static_cast<const sass::KernelInstruction&>(*r.instruction).code;
}

// Arithmetic, in the files of these names.
Handler integer_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler logic_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler move_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler predicate_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler float_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler double_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler half_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler convert_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler lane_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler warpgroup_product_handler(const sass::Instruction& instruction,
                                  DecodedInstruction& decoded);
// When it ends a group: its handler, then the barrier of the warpgroup.
bool multiply_and_arrive(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out);
Handler matrix_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
// Memory.
Handler memory_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler atomic_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler texture_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler barrier_object_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
Handler async_copy_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);
// S2R, S2UR, CS2R, B2R, BMOV and what does nothing.
Handler system_handler(const sass::Instruction& instruction, DecodedInstruction& decoded);

}  // namespace heddle::exec
