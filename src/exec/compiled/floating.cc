// Single and double precision, with the rounding of the host. NaNs of single precision are
// canonical; those of double precision are the host's, so operands keep the interpreter's order.
#include "exec/compiled/families.h"
#include "exec/isa/float_bits.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Type;
using Xbyak::Operand;
using Xbyak::Ymm;

// Immediate operands of vcmpps.
enum Test : std::uint8_t { kEqual = 0, kUnordered = 3 };

// Clamps to [0, 1]; NaN and -0 become +0.
void saturate(LaneCode& c, const Ymm& d, const Ymm& x, const Ymm& temporary) {
  c.vxorps(temporary, temporary, temporary);
  c.vmaxps(x, x, temporary);
  c.vminps(d, x, c.constant(offsetof(LaneConstants, one)));
}

// A copy in the n-th register, flushed if the instruction says so.
Ymm operand(LaneCode& c, const DecodedInstruction& r, std::size_t n, int i) {
  const Ymm copy(static_cast<int>(n));
  c.with(r.src[n], i, [&](const Operand& s) { c.vmovaps(copy, s); });
  if (ptx_of(r).ftz) flush_subnormals(c, copy, c.ymm3);
  return copy;
}

// op(d, i) computes the i-th vector from the sources, or, if subnormals are flushed, op(d, -1) from
// their copies in registers 0 to 2.
template <class Op>
bool arithmetic(LaneCode& c, const DecodedInstruction& r, std::size_t operands, Op op) {
  const ptx::Instruction& in = ptx_of(r);
  if (is_directed(in.rounding)) return false;
  const bool plain = !in.ftz && !in.sat && c.all_lanes();
  compile_vectors(
      c, r, false,
      [&](const Ymm& d, int i) {
        if (plain) return op(d, i);
        for (std::size_t n = 0; n < operands; ++n) operand(c, r, n, i);
        op(c.ymm0, -1);
        if (in.ftz) flush_subnormals(c, c.ymm0, c.ymm3);
        if (in.sat)
          saturate(c, d, c.ymm0, c.ymm3);
        else
          c.make_canonical(d, c.ymm0, c.ymm3);
      },
      !plain);
  return true;
}

// use(a, b) with the sources of arithmetic().
template <class Use>
void with_two(LaneCode& c, const DecodedInstruction& r, int i, Use use) {
  if (i < 0) return use(c.ymm0, c.ymm1);
  const Ymm a = c.value(r.src[0], i, 0);
  c.with(r.src[1], i, [&](const Operand& b) { use(a, b); });
}
template <class Use>
void with_one(LaneCode& c, const DecodedInstruction& r, int i, Use use) {
  if (i < 0) return use(c.ymm0);
  c.with(r.src[0], i, use);
}

// d = a * b + s; d may be any of them.
void multiply_add(LaneCode& c, const DecodedInstruction& r, const Ymm& d, int i) {
  if (i < 0) return c.vfmadd213ps(d, c.ymm1, c.ymm2);
  const Ymm b = c.value(r.src[1], i, 1), s = c.value(r.src[2], i, 2);
  c.with(r.src[0], i, [&](const Operand& a) {
    if (d.getIdx() == s.getIdx()) return c.vfmadd231ps(d, b, a);
    if (d.getIdx() == b.getIdx()) return c.vfmadd132ps(d, s, a);
    c.vmovaps(d, a);
    c.vfmadd213ps(d, b, s);
  });
}

bool extreme(LaneCode& c, const DecodedInstruction& r, bool max) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.nan || in.absolute || in.src[2]) return false;
  c.use_temporaries();
  compile_vectors(c, r, false, [&](const Ymm& d, int i) {
    const Ymm a = operand(c, r, 0, i), b = operand(c, r, 1, i);
    if (max) {
      c.vmaxps(c.ymm2, a, b);
      c.vandps(c.ymm3, a, b);
    } else {
      c.vminps(c.ymm2, a, b);
      c.vorps(c.ymm3, a, b);
    }
    c.vcmpps(c.ymm4, a, b, kEqual);
    c.vblendvps(c.ymm2, c.ymm2, c.ymm3, c.ymm4);
    c.vcmpps(c.ymm4, b, b, kUnordered);
    c.vblendvps(c.ymm2, c.ymm2, a, c.ymm4);
    c.make_canonical(d, c.ymm2, c.ymm4);
  });
  return true;
}

bool change_sign(LaneCode& c, const DecodedInstruction& r, bool negate) {
  compile_vectors(c, r, false, [&](const Ymm& d, int i) {
    c.with(r.src[0], i, [&](const Operand& s) { c.vmovaps(c.ymm0, s); });
    if (negate)
      c.vxorps(c.ymm0, c.ymm0, c.constant(offsetof(LaneConstants, sign)));
    else
      c.vandps(c.ymm0, c.ymm0, c.constant(offsetof(LaneConstants, magnitude)));
    c.make_canonical(c.ymm0, c.ymm0, c.ymm3);
    if (ptx_of(r).ftz) flush_subnormals(c, c.ymm0, c.ymm3);
    c.vmovaps(d, c.ymm0);
  });
  return true;
}

bool compile_single(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const auto two = [&](auto emit) {
    return arithmetic(c, r, 2, [&, emit](const Ymm& d, int i) {
      with_two(c, r, i, [&](const Ymm& a, const Operand& b) { emit(d, a, b); });
    });
  };
  const auto one = [&](auto emit) {
    return arithmetic(c, r, 1, [&, emit](const Ymm& d, int i) {
      with_one(c, r, i, [&](const Operand& a) { emit(d, a); });
    });
  };
  const auto divide = [&](const Ymm& d, const Ymm& a, const Operand& b) { c.vdivps(d, a, b); };
  switch (in.opcode) {
    case Opcode::add: return two([&](auto& d, auto& a, auto& b) { c.vaddps(d, a, b); });
    case Opcode::sub: return two([&](auto& d, auto& a, auto& b) { c.vsubps(d, a, b); });
    case Opcode::mul: return two([&](auto& d, auto& a, auto& b) { c.vmulps(d, a, b); });
    case Opcode::mad:
    case Opcode::fma:
      return arithmetic(c, r, 3, [&](const Ymm& d, int i) { multiply_add(c, r, d, i); });
    case Opcode::div: return !in.approx && two(divide);
    case Opcode::sqrt: return one([&](auto& d, auto& a) { c.vsqrtps(d, a); });
    case Opcode::rcp:
      return !in.ftz && one([&](auto& d, auto& a) {
        c.vmovaps(c.ymm1, c.constant(offsetof(LaneConstants, one)));
        c.vdivps(d, c.ymm1, a);
      });
    case Opcode::min: return extreme(c, r, false);
    case Opcode::max: return extreme(c, r, true);
    case Opcode::abs: return change_sign(c, r, false);
    case Opcode::neg: return change_sign(c, r, true);
    default: return false;
  }
}

template <class Op>
bool arithmetic_double(LaneCode& c, const DecodedInstruction& r, std::size_t operands, Op op) {
  if (is_directed(ptx_of(r).rounding)) return false;
  compile_vectors(c, r, true, [&](const Ymm& d, int i) {
    for (std::size_t n = 0; n < operands; ++n)
      c.with(r.src[n], i, [&](const Operand& s) { c.vmovapd(Ymm(static_cast<int>(n)), s); }, true);
    op(d);
  });
  return true;
}

bool compile_double(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const auto two = [&](auto op) { return arithmetic_double(c, r, 2, op); };
  switch (in.opcode) {
    case Opcode::add: return two([&](const Ymm& d) { c.vaddpd(d, c.ymm0, c.ymm1); });
    case Opcode::sub: return two([&](const Ymm& d) { c.vsubpd(d, c.ymm0, c.ymm1); });
    case Opcode::mul: return two([&](const Ymm& d) { c.vmulpd(d, c.ymm0, c.ymm1); });
    case Opcode::mad:
    case Opcode::fma:
      return arithmetic_double(c, r, 3, [&](const Ymm& d) {
        c.vfmadd213pd(c.ymm0, c.ymm1, c.ymm2);
        c.vmovapd(d, c.ymm0);
      });
    case Opcode::div: return two([&](const Ymm& d) { c.vdivpd(d, c.ymm0, c.ymm1); });
    case Opcode::sqrt:
      return arithmetic_double(c, r, 1, [&](const Ymm& d) { c.vsqrtpd(d, c.ymm0); });
    case Opcode::rcp:
      return !in.approx && arithmetic_double(c, r, 1, [&](const Ymm& d) {
        c.vmovapd(c.ymm1, c.constant(offsetof(LaneConstants, wide_one)));
        c.vdivpd(d, c.ymm1, c.ymm0);
      });
    default: return false;
  }
}

}  // namespace

void flush_subnormals(LaneCode& c, const Ymm& x, const Ymm& temporary) {
  constexpr std::uint8_t kLess = 17;
  c.vandps(temporary, x, c.constant(offsetof(LaneConstants, magnitude)));
  c.vcmpps(temporary, temporary, c.constant(offsetof(LaneConstants, least_normal)), kLess);
  c.vandps(temporary, temporary, c.constant(offsetof(LaneConstants, magnitude)));
  c.vandnps(x, temporary, x);
}

bool compile_floating(LaneCode& code, const DecodedInstruction& r) {
  if (ptx_of(r).type == Type::f32) return compile_single(code, r);
  return ptx_of(r).type == Type::f64 && compile_double(code, r);
}

}  // namespace heddle::exec
