// Integer arithmetic: add, sub, mul, mad, sad, div, rem, abs, neg, min, max, mul24, mad24, and
// carry chains.
#pragma GCC optimize("O3")
#include <algorithm>
#include <limits>
#include <type_traits>

#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"

namespace heddle::exec {
namespace {

using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;

__extension__ using S128 = __int128;
__extension__ using U128 = unsigned __int128;
template <class T>
struct WideOf;
template <>
struct WideOf<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct WideOf<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct WideOf<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct WideOf<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct WideOf<std::int64_t> {
  using type = S128;
};
template <>
struct WideOf<std::uint64_t> {
  using type = U128;
};
template <class T>
using Wide = typename WideOf<T>::type;
// The type that a lane of T is stored in: 16-bit values are in 32-bit lanes, whose upper bits are
// undefined.
template <class T>
using Cell = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Forms that have vector instructions.
template <class T>
void add(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a + b; });
}
template <class T>
void sub(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a - b; });
}
template <class T>
void mul_lo(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a * b; });
}
template <class T>
void mad_lo(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 3>(w, r, m, [](auto a, auto b, auto c) { return a * b + c; });
}
template <class T>
void neg(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 1>(w, r, m, [](auto a) { return -a; });
}
template <class T>
void min_(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a < b ? a : b; });
}
template <class T>
void max_(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  vector_op<T, 2>(w, r, m, [](auto a, auto b) { return a > b ? a : b; });
}

// 32 x 32 -> 64 bits for the four lanes at `i`.
template <class T>
[[gnu::always_inline]] inline __m256i product(const std::uint8_t* a, const std::uint8_t* b, int i) {
  const __m128i x = _mm_load_si128(reinterpret_cast<const __m128i*>(a) + i),
                y = _mm_load_si128(reinterpret_cast<const __m128i*>(b) + i);
  if constexpr (std::is_signed_v<T>)
    return _mm256_mul_epi32(_mm256_cvtepi32_epi64(x), _mm256_cvtepi32_epi64(y));
  else
    return _mm256_mul_epu32(_mm256_cvtepu32_epi64(x), _mm256_cvtepu32_epi64(y));
}
template <class T, bool kAdd>
void wide32(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const std::uint8_t *a = row(w, r.src[0]), *b = row(w, r.src[1]), *c = row(w, r.src[2]);
  alignas(64) __m256i result[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    result[i] = product<T>(a, b, i);
    if constexpr (kAdd)
      result[i] =
          _mm256_add_epi64(result[i], _mm256_load_si256(reinterpret_cast<const __m256i*>(c) + i));
  }
  store_lanes<8>(w.bases[0] + r.dst[0], result, mask);
}
template <class T, bool kAdd>
void high32(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const std::uint8_t *a = row(w, r.src[0]), *b = row(w, r.src[1]);
  const auto* c = source<std::uint32_t>(w, r, 2);
  alignas(64) std::uint64_t wide[kWarpSize];
  alignas(64) std::uint32_t result[kWarpSize];
  for (int i = 0; i < 8; ++i)
    _mm256_store_si256(reinterpret_cast<__m256i*>(wide) + i, product<T>(a, b, i));
  for (int l = 0; l < kWarpSize; ++l)
    result[l] = static_cast<std::uint32_t>(wide[l] >> 32) + (kAdd ? c[l] : 0);
  store_result(w, r, result, mask);
}

// Lane by lane, of any width.
template <class T>
T narrow(Cell<T> v) {
  return static_cast<T>(v);
}
template <class T>
Cell<T> widen(T v) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<Cell<T>>(static_cast<std::make_signed_t<Cell<T>>>(v));
  else
    return static_cast<Cell<T>>(v);
}

enum class Op { add, sub, mul_lo, mul_hi, min, max, div, rem, add_sat, sub_sat };

template <class T, Op kOp>
T two(T a, T b) {
  using U = Wide<T>;
  if constexpr (kOp == Op::add)
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  if constexpr (kOp == Op::sub)
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  if constexpr (kOp == Op::mul_lo)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  if constexpr (kOp == Op::mul_hi)
    return static_cast<T>((static_cast<U>(a) * static_cast<U>(b)) >> (8 * sizeof(T)));
  if constexpr (kOp == Op::min) return a < b ? a : b;
  if constexpr (kOp == Op::max) return a > b ? a : b;
  // Division by zero is undefined in PTX; an H200 returns all ones as quotient and remainder. The
  // most negative number divided by -1 wraps.
  if constexpr (kOp == Op::div) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
    return static_cast<T>(a / b);
  }
  if constexpr (kOp == Op::rem) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return T{0};
    return static_cast<T>(a % b);
  }
  if constexpr (kOp == Op::add_sat || kOp == Op::sub_sat) {
    const U sum = kOp == Op::add_sat ? static_cast<U>(a) + static_cast<U>(b)
                                     : static_cast<U>(a) - static_cast<U>(b);
    constexpr U low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(sum < low ? low : sum > high ? high : sum);
  }
}
template <class T, Op kOp>
void binary(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<Cell<T>, Cell<T>, Cell<T>>(w, r, m, [](Cell<T> a, Cell<T> b) {
    return widen<T>(two<T, kOp>(narrow<T>(a), narrow<T>(b)));
  });
}
// Saturation of mad.hi.sat and add.sat exists for s32 only.
template <class T, bool kHigh, bool kSat>
void mad(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<Cell<T>, Cell<T>, Cell<T>, Cell<T>>(w, r, m, [](Cell<T> a, Cell<T> b, Cell<T> c) {
    const T part = two<T, kHigh ? Op::mul_hi : Op::mul_lo>(narrow<T>(a), narrow<T>(b));
    return widen<T>(two<T, kSat ? Op::add_sat : Op::add>(part, narrow<T>(c)));
  });
}
template <class T, bool kAdd>
void wide16(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
      w, r, m, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        return static_cast<std::uint32_t>(static_cast<Wide<T>>(narrow<T>(a)) * narrow<T>(b)) +
               (kAdd ? c : 0);
      });
}
// Two 16-bit elements; min and max may have negative results replaced by zero.
template <class T, Op kOp>
void pairs(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  const bool relu = ptx_of(r).relu;
  lane_op<std::uint32_t, std::uint32_t, std::uint32_t>(
      w, r, m, [relu](std::uint32_t a, std::uint32_t b) {
        const auto element = [&](int shift) {
          T v = two<T, kOp>(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
          if constexpr (std::is_signed_v<T>)
            if (relu && v < 0) v = 0;
          return static_cast<std::uint32_t>(static_cast<std::uint16_t>(v)) << shift;
        };
        return element(0) | element(16);
      });
}
template <Op kOp>
Handler pairs_of(Type t) {
  return t == Type::s16x2 ? pairs<std::int16_t, kOp> : pairs<std::uint16_t, kOp>;
}
bool is_pair(Type t) { return t == Type::u16x2 || t == Type::s16x2; }
template <Op kOp>
void with_relu(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<std::int32_t, std::int32_t, std::int32_t>(w, r, m, [](std::int32_t a, std::int32_t b) {
    return std::max(two<std::int32_t, kOp>(a, b), 0);
  });
}

template <class T>
void negate(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<Cell<T>, Cell<T>>(
      w, r, m, [](Cell<T> a) { return widen<T>(two<T, Op::sub>(T{0}, narrow<T>(a))); });
}
template <class T>
void absolute(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<Cell<T>, Cell<T>>(w, r, m, [](Cell<T> a) {
    return widen<T>(narrow<T>(a) < 0 ? two<T, Op::sub>(T{0}, narrow<T>(a)) : narrow<T>(a));
  });
}
template <class T>
void sad(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<Cell<T>, Cell<T>, Cell<T>, Cell<T>>(w, r, m, [](Cell<T> a, Cell<T> b, Cell<T> c) {
    const T x = narrow<T>(a), y = narrow<T>(b);
    return c + (x < y ? widen<T>(y) - widen<T>(x) : widen<T>(x) - widen<T>(y));
  });
}
template <class T, bool kHigh, bool kAdd, bool kSat>
void mul24(Warp& w, const DecodedInstruction& r, std::uint32_t m) {
  lane_op<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
      w, r, m, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        // Operands are the low 24 bits; hi is bits 47..16 of the 48-bit product.
        const std::int64_t x = std::is_signed_v<T> ? static_cast<std::int32_t>(a << 8) >> 8
                                                   : static_cast<std::int64_t>(a & 0xffffff);
        const std::int64_t y = std::is_signed_v<T> ? static_cast<std::int32_t>(b << 8) >> 8
                                                   : static_cast<std::int64_t>(b & 0xffffff);
        const auto part = static_cast<T>(static_cast<std::uint64_t>(x * y) >> (kHigh ? 16 : 0));
        if constexpr (!kAdd)
          return static_cast<std::uint32_t>(part);
        else
          return static_cast<std::uint32_t>(
              two<T, kSat ? Op::add_sat : Op::add>(part, static_cast<T>(c)));
      });
}

// CC.CF is the carry of every operation: a subtraction is a + ~b + 1, or a + ~b + CC.CF.
template <class T, bool kSubtract, bool kIn>
void carry(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const auto *a = source<T>(w, r, 0), *b = source<T>(w, r, 1);
  alignas(64) T result[kWarpSize];
  std::uint32_t out = 0;
  for (int l = 0; l < kWarpSize; ++l) {
    const T in = kIn ? w.carry >> l & 1 : kSubtract;
    T value;
    const bool over =
        __builtin_add_overflow(a[l], kSubtract ? static_cast<T>(~b[l]) : b[l], &value) |
        __builtin_add_overflow(value, in, &value);
    result[l] = value;
    out |= static_cast<std::uint32_t>(over) << l;
  }
  store_result(w, r, result, mask);
  if (ptx_of(r).carry_out) w.carry = (w.carry & ~mask) | (out & mask);
}
template <class T, bool kHigh, bool kIn>
void mad_carry(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  using U = Unsigned<T>;
  const auto *a = source<T>(w, r, 0), *b = source<T>(w, r, 1), *c = source<T>(w, r, 2);
  alignas(64) U result[kWarpSize];
  std::uint32_t out = 0;
  for (int l = 0; l < kWarpSize; ++l) {
    const U part = static_cast<U>(two<T, kHigh ? Op::mul_hi : Op::mul_lo>(a[l], b[l]));
    const U in = kIn ? w.carry >> l & 1 : 0;
    U value;
    const bool over = __builtin_add_overflow(part, static_cast<U>(c[l]), &value) |
                      __builtin_add_overflow(value, in, &value);
    result[l] = value;
    out |= static_cast<std::uint32_t>(over) << l;
  }
  store_result(w, r, result, mask);
  if (ptx_of(r).carry_out) w.carry = (w.carry & ~mask) | (out & mask);
}

// Selection of the handler.
template <Op kOp>
Handler by_type(Type t) {
  switch (t) {
    case Type::u16: return binary<std::uint16_t, kOp>;
    case Type::s16: return binary<std::int16_t, kOp>;
    case Type::u32: return binary<std::uint32_t, kOp>;
    case Type::s32: return binary<std::int32_t, kOp>;
    case Type::u64: return binary<std::uint64_t, kOp>;
    case Type::s64: return binary<std::int64_t, kOp>;
    default: return nullptr;
  }
}
// The low half of a result does not depend on signs.
Handler add_handler(const ptx::Instruction& i) {
  if (i.sat) return i.type == Type::s32 ? binary<std::int32_t, Op::add_sat> : nullptr;
  const bool is64 = i.type == Type::u64 || i.type == Type::s64,
             is32 = i.type == Type::u32 || i.type == Type::s32;
  if (i.carry_out && is32) return carry<std::uint32_t, false, false>;
  if (i.carry_out && is64) return carry<std::uint64_t, false, false>;
  return is32 ? add<std::uint32_t> : is64 ? add<std::uint64_t> : by_type<Op::add>(i.type);
}
Handler sub_handler(const ptx::Instruction& i) {
  if (i.sat) return i.type == Type::s32 ? binary<std::int32_t, Op::sub_sat> : nullptr;
  const bool is64 = i.type == Type::u64 || i.type == Type::s64,
             is32 = i.type == Type::u32 || i.type == Type::s32;
  if (i.carry_out && is32) return carry<std::uint32_t, true, false>;
  if (i.carry_out && is64) return carry<std::uint64_t, true, false>;
  return is32 ? sub<std::uint32_t> : is64 ? sub<std::uint64_t> : by_type<Op::sub>(i.type);
}
template <bool kSubtract>
Handler carry_in_handler(Type t) {
  if (t == Type::u32 || t == Type::s32 || t == Type::b32)
    return carry<std::uint32_t, kSubtract, true>;
  if (t == Type::u64 || t == Type::s64 || t == Type::b64)
    return carry<std::uint64_t, kSubtract, true>;
  return nullptr;
}
template <bool kAdd>
Handler wide_handler(Type t) {
  switch (t) {
    case Type::u16: return wide16<std::uint16_t, kAdd>;
    case Type::s16: return wide16<std::int16_t, kAdd>;
    case Type::u32: return wide32<std::uint32_t, kAdd>;
    case Type::s32: return wide32<std::int32_t, kAdd>;
    default: return nullptr;
  }
}
Handler mul_handler(const ptx::Instruction& i) {
  if (i.part == MulPart::wide) return wide_handler<false>(i.type);
  if (i.part == MulPart::hi) {
    if (i.type == Type::u32) return high32<std::uint32_t, false>;
    if (i.type == Type::s32) return high32<std::int32_t, false>;
    return by_type<Op::mul_hi>(i.type);
  }
  if (i.type == Type::u32 || i.type == Type::s32) return mul_lo<std::uint32_t>;
  if (i.type == Type::u64 || i.type == Type::s64) return mul_lo<std::uint64_t>;
  return by_type<Op::mul_lo>(i.type);
}
template <class T>
Handler mad_of(bool high, bool sat) {
  if constexpr (std::is_same_v<T, std::int32_t>)
    if (sat) return high ? mad<T, true, true> : mad<T, false, true>;
  return high ? mad<T, true, false> : mad<T, false, false>;
}
Handler mad_handler(const ptx::Instruction& i) {
  if (i.part == MulPart::wide) return wide_handler<true>(i.type);
  const bool high = i.part == MulPart::hi;
  if (!high && !i.sat && (i.type == Type::u32 || i.type == Type::s32)) return mad_lo<std::uint32_t>;
  switch (i.type) {
    case Type::u16: return mad_of<std::uint16_t>(high, i.sat);
    case Type::s16: return mad_of<std::int16_t>(high, i.sat);
    case Type::u32: return mad_of<std::uint32_t>(high, i.sat);
    case Type::s32: return mad_of<std::int32_t>(high, i.sat);
    case Type::u64: return mad_of<std::uint64_t>(high, i.sat);
    case Type::s64: return mad_of<std::int64_t>(high, i.sat);
    default: return nullptr;
  }
}
template <class T>
Handler mad_carry_of(bool high, bool in) {
  if (high) return in ? mad_carry<T, true, true> : mad_carry<T, true, false>;
  return in ? mad_carry<T, false, true> : mad_carry<T, false, false>;
}
Handler mad_carry_handler(const ptx::Instruction& i) {
  const bool high = i.part == MulPart::hi, in = i.opcode == Opcode::madc;
  switch (i.type) {
    case Type::u32: return mad_carry_of<std::uint32_t>(high, in);
    case Type::s32: return mad_carry_of<std::int32_t>(high, in);
    case Type::u64: return mad_carry_of<std::uint64_t>(high, in);
    case Type::s64: return mad_carry_of<std::int64_t>(high, in);
    default: return nullptr;
  }
}
template <class T, bool kAdd>
Handler mul24_of(bool high, bool sat) {
  if constexpr (kAdd && std::is_signed_v<T>)
    if (high && sat) return mul24<T, true, true, true>;
  return high ? mul24<T, true, kAdd, false> : mul24<T, false, kAdd, false>;
}
Handler neg_handler(Type t) {
  switch (t) {
    case Type::s16: return negate<std::int16_t>;
    case Type::s32: return neg<std::uint32_t>;  // wraps
    case Type::s64: return neg<std::uint64_t>;
    default: return nullptr;
  }
}
Handler abs_handler(Type t) {
  switch (t) {
    case Type::s16: return absolute<std::int16_t>;
    case Type::s32: return absolute<std::int32_t>;
    case Type::s64: return absolute<std::int64_t>;
    default: return nullptr;
  }
}
Handler sad_handler(Type t) {
  switch (t) {
    case Type::u16: return sad<std::uint16_t>;
    case Type::s16: return sad<std::int16_t>;
    case Type::u32: return sad<std::uint32_t>;
    case Type::s32: return sad<std::int32_t>;
    case Type::u64: return sad<std::uint64_t>;
    case Type::s64: return sad<std::int64_t>;
    default: return nullptr;
  }
}

}  // namespace

Handler integer_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return is_pair(i.type) ? pairs_of<Op::add>(i.type) : add_handler(i);
    case Opcode::sub: return sub_handler(i);
    case Opcode::addc: return carry_in_handler<false>(i.type);
    case Opcode::subc: return carry_in_handler<true>(i.type);
    case Opcode::mul: return mul_handler(i);
    case Opcode::mad: return i.carry_out ? mad_carry_handler(i) : mad_handler(i);
    case Opcode::madc: return mad_carry_handler(i);
    case Opcode::mul24:
      return i.type == Type::s32 ? mul24_of<std::int32_t, false>(i.part == MulPart::hi, false)
                                 : mul24_of<std::uint32_t, false>(i.part == MulPart::hi, false);
    case Opcode::mad24:
      return i.type == Type::s32 ? mul24_of<std::int32_t, true>(i.part == MulPart::hi, i.sat)
                                 : mul24_of<std::uint32_t, true>(i.part == MulPart::hi, i.sat);
    case Opcode::sad: return sad_handler(i.type);
    case Opcode::div: return by_type<Op::div>(i.type);
    case Opcode::rem: return by_type<Op::rem>(i.type);
    case Opcode::abs: return abs_handler(i.type);
    case Opcode::neg: return neg_handler(i.type);
    case Opcode::min:
      if (is_pair(i.type)) return pairs_of<Op::min>(i.type);
      if (i.relu) return with_relu<Op::min>;
      return i.type == Type::s32   ? min_<std::int32_t>
             : i.type == Type::u32 ? min_<std::uint32_t>
                                   : by_type<Op::min>(i.type);
    case Opcode::max:
      if (is_pair(i.type)) return pairs_of<Op::max>(i.type);
      if (i.relu) return with_relu<Op::max>;
      return i.type == Type::s32   ? max_<std::int32_t>
             : i.type == Type::u32 ? max_<std::uint32_t>
                                   : by_type<Op::max>(i.type);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
