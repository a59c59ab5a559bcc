// Bit operations: and, or, xor, not, cnot, lop3, shifts, counting, bit fields, permutation, and
// small dot products.
#pragma GCC optimize("O3")
#include <type_traits>

#include "exec/isa/bit_words.h"
#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Type;

int bits_of(Type t) {
  switch (t) {
    case Type::pred: return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16: return 16;
    case Type::b32:
    case Type::u32:
    case Type::s32: return 32;
    case Type::b64:
    case Type::u64:
    case Type::s64: return 64;
    default: return 0;
  }
}

template <class T>
void and_(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a & b; });
}
template <class T>
void or_(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a | b; });
}
template <class T>
void xor_(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a ^ b; });
}
template <class T>
void not_(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<T, 1>(w, r, m, [](auto a) { return ~a; });
}

template <Opcode kOp>
void predicate_logic(Warp& w, const DecodedInstruction& r, U32 m) {
  const U32 a = predicate(w, r.src_predicate[0]), b = predicate(w, r.src_predicate[1]);
  set_predicate(w, r.dst_predicate[0],
                kOp == Opcode::and_   ? a & b
                : kOp == Opcode::or_  ? a | b
                : kOp == Opcode::xor_ ? a ^ b
                                      : ~a,
                m);
}

// A lane's value, `kBits` wide.
template <int kBits>
using Cell = std::conditional_t<kBits == 64, U64, U32>;
template <int kBits>
Cell<kBits> low(Cell<kBits> v) {
  return kBits == 16 ? v & 0xffff : v;
}

template <int kBits>
void cnot(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<Cell<kBits>, Cell<kBits>>(w, r, m,
                                    [](auto a) -> Cell<kBits> { return low<kBits>(a) == 0; });
}

// Shift amounts beyond the width clamp to it.
template <int kBits>
void shift_left(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<Cell<kBits>, Cell<kBits>, U32>(w, r, m, [](auto a, U32 n) -> Cell<kBits> {
    return n >= kBits ? 0 : low<kBits>(a) << (n & 63);
  });
}
template <int kBits>
void shift_right(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<Cell<kBits>, Cell<kBits>, U32>(w, r, m, [](auto a, U32 n) -> Cell<kBits> {
    return n >= kBits ? 0 : low<kBits>(a) >> (n & 63);
  });
}
template <int kBits>
void shift_right_signed(Warp& w, const DecodedInstruction& r, U32 m) {
  using S = std::conditional_t<kBits == 16, std::int16_t,
                               std::conditional_t<kBits == 32, std::int32_t, std::int64_t>>;
  lane_op<Cell<kBits>, Cell<kBits>, U32>(w, r, m, [](auto a, U32 n) {
    return static_cast<Cell<kBits>>(static_cast<S>(a) >> (n >= kBits ? kBits - 1 : n));
  });
}
// The common 32-bit shifts have vector instructions with the same semantics.
void shl32(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 2>(w, r, m,
                    [](auto a, auto n) { return _mm256_sllv_epi32((__m256i)a, (__m256i)n); });
}
void shr32(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 2>(w, r, m,
                    [](auto a, auto n) { return _mm256_srlv_epi32((__m256i)a, (__m256i)n); });
}
void sar32(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 2>(w, r, m,
                    [](auto a, auto n) { return _mm256_srav_epi32((__m256i)a, (__m256i)n); });
}

template <bool kLeft, bool kClamp>
void funnel(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, U32, U32, U32>(w, r, m, [](U32 a, U32 b, U32 c) {
    const U32 n = kClamp ? (c > 32 ? 32 : c) : c & 31;
    const U64 both = U64{b} << 32 | a;
    return static_cast<U32>(kLeft ? (both << n) >> 32 : both >> n);
  });
}

void lop3(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto* a = reinterpret_cast<const Vector<U32>*>(row(w, r.src[0]));
  const auto* b = reinterpret_cast<const Vector<U32>*>(row(w, r.src[1]));
  const auto* c = reinterpret_cast<const Vector<U32>*>(row(w, r.src[2]));
  const U32 table = ptx_of(r).as<ptx::Lop3Table>().bits;
  alignas(64) Vector<U32> result[4] = {};
  for (int i = 0; i < 4; ++i) {
    for (U32 k = 0; k < 8; ++k) {
      if (table >> k & 1)
        result[i] |= (k & 4 ? a[i] : ~a[i]) & (k & 2 ? b[i] : ~b[i]) & (k & 1 ? c[i] : ~c[i]);
    }
  }
  const bool wanted = ptx_of(r).dst[0].kind == ptx::Operand::Kind::reg;
  if (wanted) store_lanes<4>(w.bases[0] + r.dst[0], result, mask);
  if (ptx_of(r).bool_op == ptx::BoolOp::none) return;
  const auto* words = reinterpret_cast<const Lane<U32>*>(result);
  const U32 with = predicate(w, r.src_predicate[3]);
  U32 holds = 0;
  for (int l = 0; l < kWarpSize; ++l) holds |= U32{words[l] != 0} << l;
  set_predicate(w, r.dst_predicate[1],
                ptx_of(r).bool_op == ptx::BoolOp::and_ ? holds & with : holds | with, mask);
}

template <int kBits>
void popc(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, Cell<kBits>>(w, r, m, [](auto a) { return static_cast<U32>(std::popcount(a)); });
}
template <int kBits>
void clz(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, Cell<kBits>>(w, r, m, [](auto a) { return static_cast<U32>(std::countl_zero(a)); });
}
// The highest bit that differs from the sign bit; shiftamt: the shift that moves it to the top.
template <int kBits, bool kSigned, bool kShift>
void bfind(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, Cell<kBits>>(w, r, m, [](auto a) -> U32 {
    if (kSigned && (a >> (kBits - 1))) a = ~a;
    if (a == 0) return ~U32{0};
    const U32 zeros = static_cast<U32>(std::countl_zero(a));
    return kShift ? zeros : kBits - 1 - zeros;
  });
}
template <int kBits>
Handler bfind_of(bool is_signed, bool shift) {
  if (is_signed) return shift ? bfind<kBits, true, true> : bfind<kBits, true, false>;
  return shift ? bfind<kBits, false, true> : bfind<kBits, false, false>;
}

U32 reverse(U32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}
template <int kBits>
void brev(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<Cell<kBits>, Cell<kBits>>(w, r, m, [](auto a) -> Cell<kBits> {
    if constexpr (kBits == 32)
      return reverse(a);
    else
      return U64{reverse(static_cast<U32>(a))} << 32 | reverse(static_cast<U32>(a >> 32));
  });
}

// Position or length of a bit field. PTX allows 0 to 255; beyond, an H200 takes the low 8 bits for
// 32-bit words and all bits for 64-bit words.
template <int kBits>
U64 field_number(U32 operand) {
  return kBits == 32 ? operand & 0xff : operand;
}

// Bit field extract: bits beyond the word read as the sign of the field.
template <int kBits, bool kSigned>
void bfe(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<Cell<kBits>, Cell<kBits>, U32, U32>(w, r, m, [](auto a, U32 b, U32 c) -> Cell<kBits> {
    using T = Cell<kBits>;
    const U64 pos = field_number<kBits>(b), len = field_number<kBits>(c);
    if (len == 0) return 0;
    const U64 last = pos + len - 1 < kBits - 1 ? pos + len - 1 : kBits - 1;
    const bool sign = kSigned && (a >> last & 1);
    T field = pos >= kBits ? 0 : a >> pos;
    const U64 there = pos >= kBits ? 0 : (len < kBits - pos ? len : kBits - pos);
    const T keep = there >= kBits ? ~T{0} : (T{1} << there) - 1;
    field &= keep;
    return sign ? field | ~keep : field;
  });
}
template <int kBits>
void bfi(Warp& w, const DecodedInstruction& r, U32 mask) {
  using T = Cell<kBits>;
  const auto *a = source<T>(w, r, 0), *b = source<T>(w, r, 1);
  const auto *c = source<U32>(w, r, 2), *d = source<U32>(w, r, 3);
  alignas(64) T result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) {
    const U64 pos = field_number<kBits>(c[l]), len = field_number<kBits>(d[l]);
    const T width = len >= kBits ? ~T{0} : (T{1} << len) - 1;
    const T field = pos >= kBits ? 0 : width << pos;
    result[l] = (b[l] & ~field) | (pos >= kBits ? 0 : a[l] << pos & field);
  }
  store_result(w, r, result, mask);
}
// The position of the n-th set bit at or above (n > 0) or below (n < 0) the base; n = 0: whether
// the base's own bit is set.
U32 find_nth_set(U32 value, U32 base, std::int32_t n) {
  if (base > 31) return ~U32{0};
  if (n == 0) return value >> base & 1 ? base : ~U32{0};
  std::int32_t left = n > 0 ? n : -n;
  for (std::int32_t i = static_cast<std::int32_t>(base); i >= 0 && i < 32; i += n > 0 ? 1 : -1)
    if ((value >> i & 1) && --left == 0) return static_cast<U32>(i);
  return ~U32{0};
}
void fns(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, U32, U32, U32>(w, r, m, [](U32 a, U32 b, U32 c) {
    return find_nth_set(a, b, static_cast<std::int32_t>(c));
  });
}

// `b` ones from bit `a` on. clamp: values above 32 count as 32; wrap: both are taken modulo 32.
void bmsk(Warp& w, const DecodedInstruction& r, U32 m) {
  const bool clamp = ptx_of(r).clamp;
  lane_op<U32, U32, U32>(w, r, m, [clamp](U32 a, U32 b) -> U32 {
    const U32 pos = clamp ? a : a & 31, len = clamp ? b : b & 31;
    if (pos > 31) return 0;
    return (len > 31 ? ~U32{0} : (U32{1} << len) - 1) << pos;
  });
}
// Sign or zero extension from n bits.
template <bool kSigned>
void szext(Warp& w, const DecodedInstruction& r, U32 m) {
  const bool clamp = ptx_of(r).clamp;
  lane_op<U32, U32, U32>(
      w, r, m, [clamp](U32 a, U32 b) { return extend_from<kSigned>(a, clamp ? b : b & 31); });
}

void prmt(Warp& w, const DecodedInstruction& r, U32 m) {
  const auto mode = ptx_of(r).as<ptx::PrmtMode>();
  lane_op<U32, U32, U32, U32>(
      w, r, m, [mode](U32 a, U32 b, U32 c) { return select_bytes(a, b, byte_selectors(mode, c)); });
}

std::int64_t element(U32 word, int i, int bits, bool is_signed) {
  const U32 v = word >> (bits * i) & ((1u << bits) - 1);
  return is_signed && (v >> (bits - 1)) ? static_cast<std::int64_t>(v) - (1 << bits)
                                        : static_cast<std::int64_t>(v);
}
void dp4a(Warp& w, const DecodedInstruction& r, U32 m) {
  const auto dot = ptx_of(r).as<ptx::DotProduct>();
  lane_op<U32, U32, U32, U32>(w, r, m, [dot](U32 a, U32 b, U32 c) {
    std::int64_t sum = c;
    for (int i = 0; i < 4; ++i)
      sum += element(a, i, 8, dot.signed_a) * element(b, i, 8, dot.signed_b);
    return static_cast<U32>(sum);
  });
}
void dp2a(Warp& w, const DecodedInstruction& r, U32 m) {
  const auto dot = ptx_of(r).as<ptx::DotProduct>();
  lane_op<U32, U32, U32, U32>(w, r, m, [dot](U32 a, U32 b, U32 c) {
    std::int64_t sum = c;
    const int first = dot.high ? 2 : 0;
    for (int i = 0; i < 2; ++i)
      sum += element(a, i, 16, dot.signed_a) * element(b, first + i, 8, dot.signed_b);
    return static_cast<U32>(sum);
  });
}

template <Opcode kOp, class T>
Handler bitwise() {
  if constexpr (kOp == Opcode::and_)
    return and_<T>;
  else if constexpr (kOp == Opcode::or_)
    return or_<T>;
  else if constexpr (kOp == Opcode::xor_)
    return xor_<T>;
  else
    return not_<T>;
}
template <Opcode kOp>
Handler bitwise_handler(int bits) {
  return bits == 1    ? predicate_logic<kOp>
         : bits == 64 ? bitwise<kOp, U64>()
         : bits       ? bitwise<kOp, U32>()
                      : nullptr;
}

}  // namespace

Handler logic_handler(const ptx::Instruction& i) {
  const int bits = bits_of(i.type);
  const bool wide = bits == 64,
             is_signed = i.type == Type::s16 || i.type == Type::s32 || i.type == Type::s64;
  switch (i.opcode) {
    case Opcode::and_: return bitwise_handler<Opcode::and_>(bits);
    case Opcode::or_: return bitwise_handler<Opcode::or_>(bits);
    case Opcode::xor_: return bitwise_handler<Opcode::xor_>(bits);
    case Opcode::not_: return bitwise_handler<Opcode::not_>(bits);
    case Opcode::cnot: return bits == 16 ? cnot<16> : wide ? cnot<64> : cnot<32>;
    case Opcode::shl: return bits == 16 ? shift_left<16> : wide ? shift_left<64> : shl32;
    case Opcode::shr:
      if (is_signed)
        return bits == 16 ? shift_right_signed<16> : wide ? shift_right_signed<64> : sar32;
      return bits == 16 ? shift_right<16> : wide ? shift_right<64> : shr32;
    case Opcode::shf:
      if (i.left) return i.clamp ? funnel<true, true> : funnel<true, false>;
      return i.clamp ? funnel<false, true> : funnel<false, false>;
    case Opcode::lop3: return lop3;
    case Opcode::popc: return wide ? popc<64> : popc<32>;
    case Opcode::clz: return wide ? clz<64> : clz<32>;
    case Opcode::bfind:
      return wide ? bfind_of<64>(is_signed, i.shift_amount)
                  : bfind_of<32>(is_signed, i.shift_amount);
    case Opcode::brev: return wide ? brev<64> : brev<32>;
    case Opcode::bfe:
      if (wide) return is_signed ? bfe<64, true> : bfe<64, false>;
      return is_signed ? bfe<32, true> : bfe<32, false>;
    case Opcode::bfi: return wide ? bfi<64> : bfi<32>;
    case Opcode::fns: return fns;
    case Opcode::bmsk: return bmsk;
    case Opcode::szext: return i.type == Type::s32 ? szext<true> : szext<false>;
    case Opcode::prmt: return prmt;
    case Opcode::dp4a: return dp4a;
    case Opcode::dp2a: return dp2a;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
