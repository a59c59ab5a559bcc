// Integer arithmetic, logic and shifts.
#include "exec/compiled/families.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;
using Xbyak::Operand;
using Xbyak::Ymm;

bool is_wide(Type t) { return t == Type::u64 || t == Type::s64 || t == Type::b64; }
bool is_word(Type t) { return t == Type::u32 || t == Type::s32 || t == Type::b32; }

// d = op(a, b)
template <class Op>
bool two(LaneCode& c, const DecodedInstruction& r, bool wide, Op op) {
  compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
    const Ymm a = c.value(r.src[0], i, 0, wide);
    c.with(r.src[1], i, [&](const Operand& b) { op(d, a, b); }, wide);
  });
  return true;
}

// The low 64 bits of the product of a and b, both in registers; destroys registers 2 and 3.
void multiply_wide(LaneCode& c, const Ymm& d, const Ymm& a, const Ymm& b) {
  c.vpsrlq(c.ymm2, a, 32);
  c.vpmuludq(c.ymm2, c.ymm2, b);
  c.vpsrlq(c.ymm3, b, 32);
  c.vpmuludq(c.ymm3, c.ymm3, a);
  c.vpaddq(c.ymm2, c.ymm2, c.ymm3);
  c.vpsllq(c.ymm2, c.ymm2, 32);
  c.vpmuludq(c.ymm3, a, b);
  c.vpaddq(d, c.ymm2, c.ymm3);
}

// 32 x 32 -> 64 bits.
bool widening_product(LaneCode& c, const DecodedInstruction& r, bool add) {
  const bool is_signed = ptx_of(r).type == Type::s32;
  compile_vectors(c, r, true, [&](const Ymm& d, int i) {
    const auto load = [&](const Ymm& to, const RowSource& s) {
      if (is_signed)
        c.vpmovsxdq(to, c.source(s, i, 16));
      else
        c.vpmovzxdq(to, c.source(s, i, 16));
    };
    load(c.ymm0, r.src[0]);
    if (i == 0 || r.src[1].base == 0) load(c.ymm1, r.src[1]);  // a constant is the same for all
    const Ymm& product = add ? c.ymm0 : d;
    if (is_signed)
      c.vpmuldq(product, c.ymm0, c.ymm1);
    else
      c.vpmuludq(product, c.ymm0, c.ymm1);
    if (add) c.with(r.src[2], i, [&](const Operand& s) { c.vpaddq(d, c.ymm0, s); }, true);
  });
  return true;
}

// The high halves of the products of words.
bool high_product(LaneCode& c, const DecodedInstruction& r, bool add) {
  const bool is_signed = ptx_of(r).type == Type::s32;
  const auto multiply = [&](const Ymm& to, const Ymm& with) {
    if (is_signed)
      c.vpmuldq(to, to, with);
    else
      c.vpmuludq(to, to, with);
  };
  compile_vectors(c, r, false, [&](const Ymm& d, int i) {
    c.vpsrlq(c.ymm2, c.value(r.src[0], i, 0), 32);
    c.vpsrlq(c.ymm3, c.value(r.src[1], i, 1), 32);
    c.vmovdqa(c.ymm0, c.value(r.src[0], i, 0));
    multiply(c.ymm0, c.value(r.src[1], i, 1));
    multiply(c.ymm2, c.ymm3);
    c.vpsrlq(c.ymm0, c.ymm0, 32);
    if (!add) return c.vpblendd(d, c.ymm0, c.ymm2, 0xaa);
    c.vpblendd(c.ymm0, c.ymm0, c.ymm2, 0xaa);
    c.with(r.src[2], i, [&](const Operand& s) { c.vpaddd(d, c.ymm0, s); });
  });
  return true;
}

bool product(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const bool add = in.opcode == Opcode::mad;
  if (in.sat || in.carry_out) return false;
  if (in.part == MulPart::wide) return is_word(in.type) && widening_product(c, r, add);
  if (in.part == MulPart::hi) return is_word(in.type) && high_product(c, r, add);
  if (!is_word(in.type) && !is_wide(in.type)) return false;
  const bool wide = is_wide(in.type);
  compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
    const Ymm a = c.value(r.src[0], i, 0, wide);
    const Ymm& to = add ? c.ymm2 : d;
    if (wide)
      multiply_wide(c, to, a, c.value(r.src[1], i, 1, true));
    else
      c.with(r.src[1], i, [&](const Operand& b) { c.vpmulld(to, a, b); });
    if (!add) return;
    c.with(
        r.src[2], i,
        [&](const Operand& s) { wide ? c.vpaddq(d, c.ymm2, s) : c.vpaddd(d, c.ymm2, s); }, wide);
  });
  return true;
}

bool add_or_subtract(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const bool add = in.opcode == Opcode::add, wide = is_wide(in.type);
  if (in.sat || in.carry_out || !(wide || is_word(in.type))) return false;
  return two(c, r, wide, [&](const Ymm& d, const Ymm& a, const Operand& b) {
    if (wide)
      add ? c.vpaddq(d, a, b) : c.vpsubq(d, a, b);
    else
      add ? c.vpaddd(d, a, b) : c.vpsubd(d, a, b);
  });
}

bool extreme(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.relu || (in.type != Type::s32 && in.type != Type::u32)) return false;
  const bool is_signed = in.type == Type::s32, min = in.opcode == Opcode::min;
  return two(c, r, false, [&](const Ymm& d, const Ymm& a, const Operand& b) {
    if (is_signed)
      min ? c.vpminsd(d, a, b) : c.vpmaxsd(d, a, b);
    else
      min ? c.vpminud(d, a, b) : c.vpmaxud(d, a, b);
  });
}

bool negate(LaneCode& c, const DecodedInstruction& r) {
  const Type type = ptx_of(r).type;
  if (type != Type::s32 && type != Type::s64) return false;
  const bool wide = type == Type::s64;
  compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
    c.vpxor(c.ymm1, c.ymm1, c.ymm1);
    c.with(
        r.src[0], i,
        [&](const Operand& a) { wide ? c.vpsubq(d, c.ymm1, a) : c.vpsubd(d, c.ymm1, a); }, wide);
  });
  return true;
}

bool predicate_logic(LaneCode& c, const DecodedInstruction& r) {
  c.load_predicate(c.eax, r.src_predicate[0]);
  const Opcode opcode = ptx_of(r).opcode;
  if (opcode != Opcode::not_) c.load_predicate(c.r13d, r.src_predicate[1]);
  switch (opcode) {
    case Opcode::and_: c.and_(c.eax, c.r13d); break;
    case Opcode::or_: c.or_(c.eax, c.r13d); break;
    case Opcode::xor_: c.xor_(c.eax, c.r13d); break;
    default: c.not_(c.eax); break;
  }
  c.set_predicate(r.dst_predicate[0], c.eax);
  return true;
}

bool bitwise(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.type == Type::pred) return predicate_logic(c, r);
  const int bytes = ptx::bytes_of(in.type);
  if (bytes != 2 && bytes != 4 && bytes != 8) return false;
  const bool wide = bytes == 8;
  if (in.opcode == Opcode::not_) {
    compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
      c.vpcmpeqd(c.ymm1, c.ymm1, c.ymm1);
      c.with(r.src[0], i, [&](const Operand& a) { c.vpxor(d, c.ymm1, a); }, wide);
    });
    return true;
  }
  return two(c, r, wide, [&](const Ymm& d, const Ymm& a, const Operand& b) {
    if (in.opcode == Opcode::and_)
      c.vpand(d, a, b);
    else if (in.opcode == Opcode::or_)
      c.vpor(d, a, b);
    else
      c.vpxor(d, a, b);
  });
}

// Amounts beyond the width give what PTX wants: zero, or the sign.
bool shift(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const bool left = in.opcode == Opcode::shl;
  if (is_word(in.type))
    return two(c, r, false, [&](const Ymm& d, const Ymm& a, const Operand& n) {
      if (left)
        c.vpsllvd(d, a, n);
      else if (in.type == Type::s32)
        c.vpsravd(d, a, n);
      else
        c.vpsrlvd(d, a, n);
    });
  if (!is_wide(in.type) || (!left && in.type == Type::s64)) return false;
  compile_vectors(c, r, true, [&](const Ymm& d, int i) {
    const Ymm a = c.value(r.src[0], i, 0, true);
    c.vpmovzxdq(c.ymm1, c.source(r.src[1], i, 16));
    left ? c.vpsllvq(d, a, c.ymm1) : c.vpsrlvq(d, a, c.ymm1);
  });
  return true;
}

// The sum of the products that the table has.
bool lop3(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const std::uint32_t table = in.as<ptx::Lop3Table>().bits;
  if (in.bool_op != ptx::BoolOp::none || in.dst[0].kind != ptx::Operand::Kind::reg) return false;
  c.use_temporaries();
  compile_vectors(c, r, false, [&](const Ymm& d, int i) {
    const Ymm value[3] = {c.value(r.src[0], i, 0), c.value(r.src[1], i, 1),
                          c.value(r.src[2], i, 2)};
    c.vpxor(c.ymm3, c.ymm3, c.ymm3);
    for (std::uint32_t k = 0; k < 8; ++k) {
      if (!(table >> k & 1)) continue;
      c.vpcmpeqd(c.ymm4, c.ymm4, c.ymm4);
      for (std::uint32_t n = 0; n < 3; ++n)
        if (k >> (2 - n) & 1) c.vpand(c.ymm4, c.ymm4, value[n]);
      for (std::uint32_t n = 0; n < 3; ++n)
        if (!(k >> (2 - n) & 1)) c.vpandn(c.ymm4, value[n], c.ymm4);
      c.vpor(c.ymm3, c.ymm3, c.ymm4);
    }
    c.vmovdqa(d, c.ymm3);
  });
  return true;
}

}  // namespace

bool compile_integer(LaneCode& code, const DecodedInstruction& r) {
  switch (ptx_of(r).opcode) {
    case Opcode::add:
    case Opcode::sub: return add_or_subtract(code, r);
    case Opcode::mul:
    case Opcode::mad: return product(code, r);
    case Opcode::min:
    case Opcode::max: return extreme(code, r);
    case Opcode::neg: return negate(code, r);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_: return bitwise(code, r);
    case Opcode::shl:
    case Opcode::shr: return shift(code, r);
    case Opcode::lop3: return lop3(code, r);
    default: return false;
  }
}

}  // namespace heddle::exec
