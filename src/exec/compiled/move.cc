// Moves, and conversions that vector instructions have.
#include "exec/compiled/families.h"
#include "exec/isa/conversion.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Type;
using Xbyak::Operand;
using Xbyak::Ymm;

bool copy(LaneCode& c, const DecodedInstruction& r) {
  const bool wide = r.dst_bytes[0] == 8;
  compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
    c.with(r.src[0], i, [&](const Operand& s) { c.vmovdqa(d, s); }, wide);
  });
  return true;
}

bool copy_predicate(LaneCode& c, const DecodedInstruction& r) {
  c.load_predicate(c.eax, r.src_predicate[0]);
  c.set_predicate(r.dst_predicate[0], c.eax);
  return true;
}

// 64 bits from two words.
bool pack(LaneCode& c, const DecodedInstruction& r) {
  compile_vectors(c, r, true, [&](const Ymm& d, int i) {
    c.vpmovzxdq(c.ymm0, c.source(r.src[0], i, 16));
    c.vpmovzxdq(c.ymm1, c.source(r.src[1], i, 16));
    c.vpsllq(c.ymm1, c.ymm1, 32);
    c.vpor(d, c.ymm0, c.ymm1);
  });
  return true;
}

bool move(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.type == Type::b128) return false;
  if (in.vector == 2)
    return in.src[1] && in.src[0].bytes == 4 && in.src[1].bytes == 4 && in.dst[0].bytes == 8 &&
           in.type != Type::b32 && pack(c, r);
  if (in.vector > 1) return false;
  if (in.dst[0].kind == ptx::Operand::Kind::pred) return copy_predicate(c, r);
  return in.dst[0].bytes == in.src[0].bytes && copy(c, r);
}

// Addresses of global memory are the same in the generic space.
bool convert_address(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const bool is_window = in.space == ptx::Space::shared || in.space == ptx::Space::local ||
                         in.space == ptx::Space::param;
  return !is_window && in.src[0].bytes == in.dst[0].bytes && copy(c, r);
}

bool is_double_word(Type t) { return t == Type::s64 || t == Type::u64; }
bool is_word(Type t) { return t == Type::s32 || t == Type::u32; }

bool extend(LaneCode& c, const DecodedInstruction& r, bool is_signed) {
  compile_vectors(c, r, true, [&](const Ymm& d, int i) {
    if (is_signed)
      c.vpmovsxdq(d, c.source(r.src[0], i, 16));
    else
      c.vpmovzxdq(d, c.source(r.src[0], i, 16));
  });
  return true;
}

bool truncate(LaneCode& c, const DecodedInstruction& r) {
  compile_vectors(c, r, false, [&](const Ymm& d, int i) {
    const Ymm low = c.value(r.src[0], 2 * i, 0, true);
    c.with(
        r.src[0], 2 * i + 1, [&](const Operand& high) { c.vshufps(c.ymm0, low, high, 0x88); },
        true);
    c.vpermq(d, c.ymm0, 0xd8);
  });
  return true;
}

bool convert(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.sat || in.ftz || in.src[0].kind == ptx::Operand::Kind::pred || is_directed(in.rounding) ||
      rounds_to_integral(in.rounding))
    return false;
  const bool from_wide = in.src[0].bytes == 8, to_wide = in.dst[0].bytes == 8;
  if (is_double_word(in.type) && is_word(in.source_type) && to_wide && !from_wide)
    return extend(c, r, in.source_type == Type::s32);
  if (is_word(in.type) && is_double_word(in.source_type) && !to_wide && from_wide)
    return truncate(c, r);
  if (in.type == Type::f32 && in.source_type == Type::s32 && !to_wide && !from_wide) {
    compile_vectors(c, r, false, [&](const Ymm& d, int i) {
      c.with(r.src[0], i, [&](const Operand& s) { c.vcvtdq2ps(d, s); });
    });
    return true;
  }
  if (in.type == Type::f64 && in.source_type == Type::f32 && to_wide) {
    compile_vectors(c, r, true,
                    [&](const Ymm& d, int i) { c.vcvtps2pd(d, c.source(r.src[0], i, 16)); });
    return true;
  }
  if (in.type == Type::f64 && in.source_type == Type::s32 && to_wide && !from_wide) {
    compile_vectors(c, r, true,
                    [&](const Ymm& d, int i) { c.vcvtdq2pd(d, c.source(r.src[0], i, 16)); });
    return true;
  }
  return false;
}

}  // namespace

bool compile_move(LaneCode& code, const DecodedInstruction& r) {
  switch (ptx_of(r).opcode) {
    case Opcode::mov: return move(code, r);
    case Opcode::cvta: return convert_address(code, r);
    case Opcode::cvt: return convert(code, r);
    default: return false;
  }
}

}  // namespace heddle::exec
