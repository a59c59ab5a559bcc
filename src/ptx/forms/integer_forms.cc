// Integer arithmetic, logic and video instructions.
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& integer_rows() {
  static const std::vector<FormRow> rows = {
      // Integer arithmetic (9.7.1) and extended-precision arithmetic, .cc and addc (9.7.2)
      {"add", O::add, "I", "d, a, b"},
      {"add", O::add, "sat s32", "d, a, b"},
      {"add", O::add, "cc I3264", "d, a, b"},
      {"addc", O::addc, "cc? I3264", "d, a, b"},
      {"sub", O::sub, "I", "d, a, b"},
      {"sub", O::sub, "sat s32", "d, a, b"},
      {"sub", O::sub, "cc I3264", "d, a, b"},
      {"subc", O::subc, "cc? I3264", "d, a, b"},
      {"mul", O::mul, "lo|hi I", "d, a, b"},
      {"mul", O::mul, "wide u16|s16|u32|s32", "d:wide, a, b"},
      {"mad", O::mad, "lo|hi I", "d, a, b, c"},
      {"mad", O::mad, "hi sat s32", "d, a, b, c"},
      {"mad", O::mad, "wide u16|s16|u32|s32", "d:wide, a, b, c:wide"},
      {"mad", O::mad, "lo|hi cc I3264", "d, a, b, c"},
      {"madc", O::madc, "lo|hi cc? I3264", "d, a, b, c"},
      {"mul24", O::mul24, "lo|hi I32", "d, a, b"},
      {"mad24", O::mad24, "lo|hi I32", "d, a, b, c"},
      {"mad24", O::mad24, "hi sat s32", "d, a, b, c"},
      {"sad", O::sad, "I", "d, a, b, c"},
      {"div", O::div, "I", "d, a, b"},
      {"rem", O::rem, "I", "d, a, b"},
      {"abs", O::abs, "s16|s32|s64", "d, a"},
      {"neg", O::neg, "s16|s32|s64", "d, a"},
      {"add", O::add, "u16x2|s16x2", "d, a, b"},
      {"min", O::min, "I", "d, a, b"},
      {"min", O::min, "u16x2", "d, a, b"},
      {"min", O::min, "relu? s16x2", "d, a, b"},
      {"min", O::min, "relu s32", "d, a, b"},
      {"max", O::max, "I", "d, a, b"},
      {"max", O::max, "u16x2", "d, a, b"},
      {"max", O::max, "relu? s16x2", "d, a, b"},
      {"max", O::max, "relu s32", "d, a, b"},
      {"popc", O::popc, "b32|b64", "d:b32, a"},
      {"clz", O::clz, "b32|b64", "d:b32, a"},
      {"bfind", O::bfind, "shiftamt? I3264", "d:b32, a"},
      {"brev", O::brev, "b32|b64", "d, a"},
      {"bfe", O::bfe, "I3264", "d, a, pos:u32, len:u32"},
      {"bfi", O::bfi, "b32|b64", "d, a, b, pos:u32, len:u32"},
      {"fns", O::fns, "b32", "d, mask, base:u32, offset:s32"},
      {"bmsk", O::bmsk, "clamp|wrap b32", "d, a, b:u32"},
      {"szext", O::szext, "clamp|wrap u32|s32", "d, a, b:u32"},
      {"dp2a", O::dp2a, "lo|hi I32 I32", "d:b32, a:b32, b:b32, c:b32"},
      {"dp4a", O::dp4a, "I32 I32", "d:b32, a:b32, b:b32, c:b32"},
      // Logic and shift (9.7.7)
      {"and", O::and_, "pred|b16|b32|b64", "d, a, b"},
      {"or", O::or_, "pred|b16|b32|b64", "d, a, b"},
      {"xor", O::xor_, "pred|b16|b32|b64", "d, a, b"},
      {"not", O::not_, "pred|b16|b32|b64", "d, a"},
      {"cnot", O::cnot, "b16|b32|b64", "d, a"},
      {"lop3", O::lop3, "b32", "d, a, b, c, immLut:imm"},
      {"lop3", O::lop3, "and|or b32", "d[|p], a, b, c, immLut:imm, {!}q"},
      {"shf", O::shf, "l|r clamp|wrap b32", "d, a, b, c:u32"},
      {"shl", O::shl, "b16|b32|b64", "d, a, b:u32"},
      {"shr", O::shr, "b16|b32|b64|u16|u32|u64|s16|s32|s64", "d, a, b:u32"},
  };
  return rows;
}

// Video instructions (9.7.16). VT is the type of a source or of the destination.
const std::vector<FormRow>& video_rows() {
  static const std::vector<FormRow> rows = {
      // Scalar: d.dsel, a.asel, b.bsel{, c} selects parts of the registers
      {"vadd", O::video, "VT VT VT sat?", "d, a:u32, b:u32{, c:u32}"},
      {"vadd", O::video, "VT VT VT sat? OP2", "d, a:u32, b:u32, c:u32"},
      {"vsub", O::video, "VT VT VT sat?", "d, a:u32, b:u32{, c:u32}"},
      {"vsub", O::video, "VT VT VT sat? OP2", "d, a:u32, b:u32, c:u32"},
      {"vabsdiff", O::video, "VT VT VT sat?", "d, a:u32, b:u32{, c:u32}"},
      {"vabsdiff", O::video, "VT VT VT sat? OP2", "d, a:u32, b:u32, c:u32"},
      {"vmin", O::video, "VT VT VT sat?", "d, a:u32, b:u32{, c:u32}"},
      {"vmin", O::video, "VT VT VT sat? OP2", "d, a:u32, b:u32, c:u32"},
      {"vmax", O::video, "VT VT VT sat?", "d, a:u32, b:u32{, c:u32}"},
      {"vmax", O::video, "VT VT VT sat? OP2", "d, a:u32, b:u32, c:u32"},
      {"vshl", O::video, "VT VT u32 sat? clamp|wrap", "d, a:u32, b:u32{, c:u32}"},
      {"vshl", O::video, "VT VT u32 sat? clamp|wrap OP2", "d, a:u32, b:u32, c:u32"},
      {"vshr", O::video, "VT VT u32 sat? clamp|wrap", "d, a:u32, b:u32{, c:u32}"},
      {"vshr", O::video, "VT VT u32 sat? clamp|wrap OP2", "d, a:u32, b:u32, c:u32"},
      {"vmad", O::video, "VT VT VT po? sat? shr7|shr15?", "d, a:u32, b:u32, c:u32"},
      {"vset", O::video, "VT VT CMPS", "d, a:u32, b:u32{, c:u32}"},
      {"vset", O::video, "VT VT CMPS OP2", "d, a:u32, b:u32, c:u32"},
      // SIMD
      {"vadd2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vsub2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vavrg2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vabsdiff2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vmin2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vmax2", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vset2", O::video, "VT VT CMPS add?", "d, a:u32, b:u32, c:u32"},
      {"vadd4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vsub4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vavrg4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vabsdiff4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vmin4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vmax4", O::video, "VT VT VT sat|add?", "d, a:u32, b:u32, c:u32"},
      {"vset4", O::video, "VT VT CMPS add?", "d, a:u32, b:u32, c:u32"},
  };
  return rows;
}

}  // namespace heddle::ptx
