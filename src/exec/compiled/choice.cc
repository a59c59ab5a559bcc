// setp and selp.
#include "exec/compiled/families.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::BoolOp;
using ptx::Compare;
using ptx::Opcode;
using ptx::Type;
using Xbyak::Operand;
using Xbyak::Ymm;

struct Compared {
  enum class Kind : std::uint8_t { none, integer, floating } kind = Kind::none;
  bool wide = false, half = false, is_unsigned = false;
};
Compared compared(const ptx::Instruction& i) {
  using Kind = Compared::Kind;
  const bool low = i.compare == Compare::lo || i.compare == Compare::ls ||
                   i.compare == Compare::hi || i.compare == Compare::hs;
  switch (i.type) {
    case Type::s16: return {Kind::integer, false, true, low};
    case Type::b16:
    case Type::u16: return {Kind::integer, false, true, true};
    case Type::s32: return {Kind::integer, false, false, low};
    case Type::b32:
    case Type::u32: return {Kind::integer, false, false, true};
    case Type::s64: return {Kind::integer, true, false, low};
    case Type::b64:
    case Type::u64: return {Kind::integer, true, false, true};
    case Type::f32: return {Kind::floating, false, false, false};
    case Type::f64: return {Kind::floating, true, false, false};
    default: return {};
  }
}

// The immediate operand of vcmpps; -1: none.
int float_test(Compare c) {
  switch (c) {
    case Compare::eq: return 0;
    case Compare::ne: return 12;
    case Compare::lt:
    case Compare::lo: return 17;
    case Compare::le:
    case Compare::ls: return 18;
    case Compare::gt:
    case Compare::hi: return 30;
    case Compare::ge:
    case Compare::hs: return 29;
    case Compare::equ: return 8;
    case Compare::neu: return 4;
    case Compare::ltu: return 25;
    case Compare::leu: return 26;
    case Compare::gtu: return 22;
    case Compare::geu: return 21;
    case Compare::num: return 7;
    case Compare::nan: return 3;
    default: return -1;
  }
}

// An integer comparison as equality or a > b, of operands in either order, perhaps negated.
struct IntegerTest {
  bool known = false, equal = false, swapped = false, negated = false;
};
IntegerTest integer_test(Compare c) {
  switch (c) {
    case Compare::eq: return {true, true, false, false};
    case Compare::ne: return {true, true, false, true};
    case Compare::gt:
    case Compare::hi: return {true, false, false, false};
    case Compare::le:
    case Compare::ls: return {true, false, false, true};
    case Compare::lt:
    case Compare::lo: return {true, false, true, false};
    case Compare::ge:
    case Compare::hs: return {true, false, true, true};
    default: return {};
  }
}

// Compares the i-th vectors into register `to`; destroys 6 and 7.
void compare_integers(LaneCode& c, const DecodedInstruction& r, const Compared& form,
                      const IntegerTest& test, int i, const Ymm& to) {
  const RowSource &left = r.src[test.swapped ? 1 : 0], &right = r.src[test.swapped ? 0 : 1];
  const auto compare = [&](const Ymm& a, const Operand& b) {
    if (form.wide)
      test.equal ? c.vpcmpeqq(to, a, b) : c.vpcmpgtq(to, a, b);
    else
      test.equal ? c.vpcmpeqd(to, a, b) : c.vpcmpgtd(to, a, b);
  };
  const bool changes_sign = form.is_unsigned && !test.equal;
  if (!form.half && !changes_sign) {
    const Ymm a = c.value(left, i, 6, form.wide);
    return c.with(right, i, [&](const Operand& b) { compare(a, b); }, form.wide);
  }
  const auto load = [&](const Ymm& into, const RowSource& s) {
    c.with(s, i, [&](const Operand& o) { c.vmovdqa(into, o); }, form.wide);
    if (form.half) c.vpslld(into, into, 16);
    if (!changes_sign) return;
    c.vpxor(
        into, into,
        c.constant(form.wide ? offsetof(LaneConstants, wide_sign) : offsetof(LaneConstants, sign)));
  };
  load(c.ymm6, left);
  load(c.ymm7, right);
  compare(c.ymm6, c.ymm7);
}
void compare_floats(LaneCode& c, const DecodedInstruction& r, bool wide, int test, int i,
                    const Ymm& to) {
  const auto immediate = static_cast<std::uint8_t>(test);
  if (wide) {
    const Ymm a = c.value(r.src[0], i, 6, true);
    c.with(r.src[1], i, [&](const Operand& b) { c.vcmppd(to, a, b, immediate); }, true);
    return;
  }
  c.with(r.src[0], i, [&](const Operand& o) { c.vmovaps(c.ymm6, o); });
  c.with(r.src[1], i, [&](const Operand& o) { c.vmovaps(c.ymm7, o); });
  if (ptx_of(r).ftz) flush_subnormals(c, c.ymm6, c.ymm5), flush_subnormals(c, c.ymm7, c.ymm5);
  c.vcmpps(to, c.ymm6, c.ymm7, immediate);
}

// One bit for each lane of the comparisons in registers 0 to 3.
void gather_bits(LaneCode& c, const LaneCode::Reg32& to) {
  c.vpackssdw(c.ymm0, c.ymm0, c.ymm1);
  c.vpackssdw(c.ymm2, c.ymm2, c.ymm3);
  c.vpacksswb(c.ymm0, c.ymm0, c.ymm2);
  c.vmovdqa(c.ymm1, c.constant(offsetof(LaneConstants, byte_order)));
  c.vpermd(c.ymm0, c.ymm1, c.ymm0);
  c.vpmovmskb(to, c.ymm0);
}

// Emits compare(i, register) for all vectors, and gathers the bits.
template <class CompareVectors>
void compare_lanes(LaneCode& c, bool wide, const LaneCode::Reg32& to, CompareVectors compare) {
  for (int i = 0; i < LaneCode::kVectors; ++i) {
    const Ymm word(i);
    if (!wide) {
      compare(i, word);
      continue;
    }
    compare(2 * i, word);
    compare(2 * i + 1, c.ymm4);
    c.vshufps(word, word, c.ymm4, 0x88);
    c.vpermq(word, word, 0xd8);
  }
  gather_bits(c, to);
}

// p = (a cmp b) op c, q = !(a cmp b) op c, from the comparison in eax.
void store_predicates(LaneCode& c, const DecodedInstruction& r) {
  const BoolOp op = ptx_of(r).bool_op;
  for (std::size_t n = 0; n < 2; ++n) {
    if (!c.is_wanted(r.dst_predicate[n])) continue;
    c.mov(c.r13d, c.eax);
    if (n == 1) c.not_(c.r13d);
    if (op != BoolOp::none) c.load_predicate(c.r14d, r.src_predicate[2]);
    if (op == BoolOp::and_)
      c.and_(c.r13d, c.r14d);
    else if (op == BoolOp::or_)
      c.or_(c.r13d, c.r14d);
    else if (op == BoolOp::xor_)
      c.xor_(c.r13d, c.r14d);
    c.mov(n == 0 ? c.r15d : c.eax, c.r13d);
  }
  for (std::size_t n = 0; n < 2; ++n)
    if (c.is_wanted(r.dst_predicate[n]))
      c.set_predicate(r.dst_predicate[n], n == 0 ? c.r15d : c.eax);
}

bool compile_setp(LaneCode& c, const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const Compared form = compared(in);
  if (form.kind == Compared::Kind::integer) {
    const IntegerTest test = integer_test(in.compare);
    if (!test.known) return false;
    c.use_temporaries();
    compare_lanes(c, form.wide, c.eax,
                  [&](int i, const Ymm& to) { compare_integers(c, r, form, test, i, to); });
    if (test.negated) c.not_(c.eax);
  } else {
    const int test = float_test(in.compare);
    if (form.kind == Compared::Kind::none || test < 0) return false;
    c.use_temporaries();
    compare_lanes(c, form.wide, c.eax,
                  [&](int i, const Ymm& to) { compare_floats(c, r, form.wide, test, i, to); });
  }
  store_predicates(c, r);
  return true;
}

bool compile_selp(LaneCode& c, const DecodedInstruction& r) {
  const bool wide = ptx::bytes_of(ptx_of(r).type) == 8;
  c.load_predicate(c.eax, r.src_predicate[2]);
  c.vmovd(c.xmm2, c.eax);
  wide ? c.vpbroadcastq(c.ymm2, c.xmm2) : c.vpbroadcastd(c.ymm2, c.xmm2);
  compile_vectors(c, r, wide, [&](const Ymm& d, int i) {
    const auto bits =
        c.constant((wide ? offsetof(LaneConstants, wide_bit) : offsetof(LaneConstants, bit)) +
                   static_cast<std::size_t>(32 * i));
    c.vpand(c.ymm3, c.ymm2, bits);
    wide ? c.vpcmpeqq(c.ymm3, c.ymm3, bits) : c.vpcmpeqd(c.ymm3, c.ymm3, bits);
    const Ymm b = c.value(r.src[1], i, 0, wide);
    c.with(r.src[0], i, [&](const Operand& a) { c.vpblendvb(d, b, a, c.ymm3); }, wide);
  });
  return true;
}

}  // namespace

bool compile_choice(LaneCode& code, const DecodedInstruction& r) {
  if (ptx_of(r).opcode == Opcode::setp) return compile_setp(code, r);
  return ptx_of(r).opcode == Opcode::selp && compile_selp(code, r);
}

}  // namespace heddle::exec
