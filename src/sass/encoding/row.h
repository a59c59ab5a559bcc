// The encoding tables: one row an instruction form, one file a family. A row says how the bits are
// read and how the listing is written; the decoder and the listing use nothing else.
//
//   {"FADD", "221 421 621 1e21", ".FTZ@80 .Rounding@79:78 .SAT@77", "Rd, -|Ra|, -|Sc|:f32"}
//
// name       the opcode; what follows its first point belongs to the listing only (IMAD.MOV)
// opcodes    bit 91 and bits 11:0, in hexadecimal. Bits 11:9 are the form number: which kind of
//            operand is in bits 63:32, the wide slot
// modifiers  .NAME@BITS: an enumeration of modifiers.inc, otherwise a flag of one bit
//            (.NAME@!BIT: set when the bit is 0)
// operands   in the order of the listing
//   Rd Ra Rb Rc       registers in bits 23:16, 31:24, 39:32, 71:64; URd ... uniform registers
//   Pu Pv Pp Pq Pr    predicates in 83:81, 86:84, 89:87 (90: not), 79:77 (80), 70:68 (71); UPu ...
//   Sb Sc             the wide slot, as operand b or c: register (form 1), immediate (2, 4),
//                     constant (3, 5), uniform register (6, 7); USb ... in the uniform datapath
//   B C               B is the wide slot in forms 1, 4, 5, 6 and bits 71:64 in 2, 3, 7; C the other
//   Bd                a convergence barrier, 19:16
//   R@BITS UR@ P@BITS/NOT UP@ SB@ SBs@ SR@ rel@ shape@ flat@   the same kinds elsewhere (flat: a
//                     shape without faces; next: like rel, but
//                     in bytes); u@ and s@ are immediates (u4, s4: times 4); @~BITS: the
//                     complement of the bits; =P@: a destination;
//                     R@BITS/SIGN/ABSOLUTE/REUSE: bits of its own for these, - for none
//   c[Ra s@BITS]  [Ra UR s@BITS]  [UR]  desc[UR][Ra s@BITS]  desc[UR]   constants and memory
//                     desc[UR+1]: the register after that in the field
//   gdesc[UR@BITS]    matrix descriptors: of A and of B, in four uniform registers
//   -X |X| ~X !P      sign, absolute value, complement and not, at the bits of their slot
//   X:f32 f64 f16 h2 b2 u32    how an immediate is written; the default is a signed number
//   X?                left out when it is PT, RZ or 0
//   X*2               the number of registers
//   X.NAME@BITS       a modifier of the operand
//   {X}               decoded, not written
//   ^X                after a blank instead of a comma
// when       BITS=HEX that must hold; sm>=80, sm<90; pow2@BITS: one bit is set. The first row that
//            fits decides. @UP: the guard is a uniform predicate;
//            noreuse: no operand has a reuse bit
//
// A bit that no column names must be 0: an instruction with any other bit is refused.
#pragma once

#include <span>

namespace heddle::sass {

struct Row {
  const char* name;
  const char* opcodes;
  const char* modifiers;
  const char* operands;
  const char* when = "";
};

std::span<const Row> integer_rows();
std::span<const Row> float_rows();
std::span<const Row> half_rows();
std::span<const Row> conversion_rows();
std::span<const Row> move_rows();
std::span<const Row> uniform_rows();
std::span<const Row> control_rows();
std::span<const Row> memory_rows();
std::span<const Row> atomic_rows();
std::span<const Row> texture_rows();
std::span<const Row> matrix_rows();
std::span<const Row> warpgroup_rows();
std::span<const Row> hopper_rows();

}  // namespace heddle::sass
