// The operands of a form as the form tables write them. The notation is that of the syntax lines in
// the PTX manual; types and a few marks are added where the manual explains them in prose.
//
//   d, a, b         operands of the instruction's type. d, p, {d} are destinations, other names are
//                   sources; p is a predicate. Names do not matter, except those listed below.
//   d[|p]  p[|q]    an optional second destination after '|', a predicate
//   {, b}           may be left out. {, cache-policy}: only with .L2::cache_hint, has no effect
//   {!}c            a predicate, perhaps negated
//   b:u32           has this type; b:atype has the second type of the instruction (the manual's
//                   .atype, .stype or .ctype); b:wide has twice the width of the instruction's type
//   d+              the register may be wider than the type (section 9.4.1)
//   n:imm           an integer constant
//   d/_             may be '_'
//   a/var           may be the name of a variable, which means its address
//   b:u32/pred      may be a predicate
//   unused b        is checked and has no effect
//   [a]             an address in the instruction's state space
//   [a:shared]      an address in shared memory; [mbar:shared] is that of a bulk copy's mbarrier
//   [tex, c]        a texture and coordinates; [surf, c] a surface and coordinates; [tex], [surf]
//   [tensorMap, c]  a tensor map and the coordinates of a box
//   dPdx, dPdy      gradients: a vector with a float for each coordinate but the layer
//   offsets         a vector with an integer for each coordinate but the layer
//   im2colOffsets   a vector with an integer for each dimension of pixels
//   d.vec, b.vec    a vector in braces with .v2, .v4, else a register; each register may be wider
//                   than the type, and '_' may replace a destination
//   d.pack, a.pack  mov: a register, or a vector of the registers that it is unpacked to or packed
//                   from
//   {d}, {a}        registers in braces: a matrix fragment or a long vector
//   {a}/desc        registers in braces, or a descriptor of a matrix in shared memory
//   tgt  tlist  (ret), func, (params)     label; table of labels; call
#pragma once

#include <string_view>
#include <vector>

#include "ptx/forms/forms.h"

namespace heddle::ptx {

// An operand of a form before the instruction's types are known.
struct OperandPattern {
  enum class TypeOf { fixed, instruction, second, wide };
  OperandShape shape;
  TypeOf type = TypeOf::instruction;  // fixed: shape.type
  char fragment = 0;                  // {d}, {a}, ...: the letter
  bool with_cache_hint = false;       // {, cache-policy}
};

std::vector<OperandPattern> parse_operands(std::string_view notation);
OperandShape shape_of(const OperandPattern& pattern, const Instruction& instruction);

}  // namespace heddle::ptx
