// The common part of half precision and bfloat16, included once for each. HEDDLE_NUMBER and
// HEDDLE_PAIR are the types; HEDDLE_NAME is the type's name in functions. A sum, product, quotient
// or root, computed in floats and rounded again, is rounded correctly, because 24 bits are more
// than 2 * 11 + 1. A fused multiplication uses a double that is rounded to odd.
// HEDDLE_OPERAND is what sums and similar operations are computed with.

#define HEDDLE_NAMED_3(a, b, c) a##b##c
#define HEDDLE_NAMED(a, b, c) HEDDLE_NAMED_3(a, b, c)

// Sums and similar operations are one instruction each if the target has it.
#define HEDDLE_OPERATOR(op)                                                                \
  HEDDLE_SMALL HEDDLE_NUMBER operator op(const HEDDLE_NUMBER& a, const HEDDLE_NUMBER& b) { \
    return HEDDLE_NUMBER(HEDDLE_OPERAND(a) op HEDDLE_OPERAND(b));                          \
  }                                                                                        \
  HEDDLE_SMALL HEDDLE_PAIR operator op(const HEDDLE_PAIR& a, const HEDDLE_PAIR& b) {       \
    return {a.x op b.x, a.y op b.y};                                                       \
  }                                                                                        \
  HEDDLE_SMALL HEDDLE_NUMBER& operator op##=(HEDDLE_NUMBER & a, const HEDDLE_NUMBER & b) { \
    return a = a op b;                                                                     \
  }                                                                                        \
  HEDDLE_SMALL HEDDLE_PAIR& operator op##=(HEDDLE_PAIR & a, const HEDDLE_PAIR & b) {       \
    return a = a op b;                                                                     \
  }
HEDDLE_OPERATOR(+)
HEDDLE_OPERATOR(-)
HEDDLE_OPERATOR(*)
HEDDLE_OPERATOR(/)
#undef HEDDLE_OPERATOR
#define HEDDLE_COMPARISON(op)                                                     \
  HEDDLE_SMALL bool operator op(const HEDDLE_NUMBER& a, const HEDDLE_NUMBER& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                        \
  }                                                                               \
  HEDDLE_SMALL bool operator op(const HEDDLE_PAIR& a, const HEDDLE_PAIR& b) {     \
    return a.x op b.x && a.y op b.y;                                              \
  }
HEDDLE_COMPARISON(==)
HEDDLE_COMPARISON(!=)
HEDDLE_COMPARISON(<)
HEDDLE_COMPARISON(<=)
HEDDLE_COMPARISON(>)
HEDDLE_COMPARISON(>=)
#undef HEDDLE_COMPARISON

HEDDLE_SMALL unsigned short HEDDLE_NAMED(__, HEDDLE_NAME, _as_ushort)(HEDDLE_NUMBER a) {
  unsigned short bits;
  __builtin_memcpy(&bits, &a, 2);
  return bits;
}
HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(unsigned short bits) {
  HEDDLE_NUMBER a;
  __builtin_memcpy(&a, &bits, 2);
  return a;
}
HEDDLE_SMALL short HEDDLE_NAMED(__, HEDDLE_NAME, _as_short)(HEDDLE_NUMBER a) {
  return static_cast<short>(HEDDLE_NAMED(__, HEDDLE_NAME, _as_ushort)(a));
}
HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(__short_as_, HEDDLE_NAME, )(short bits) {
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(static_cast<unsigned short>(bits));
}

namespace heddle {
HEDDLE_SMALL unsigned short bits_of_small(HEDDLE_NUMBER a) {
  return HEDDLE_NAMED(__, HEDDLE_NAME, _as_ushort)(a);
}
HEDDLE_SMALL unsigned int bits_of_small(HEDDLE_PAIR a) {
  unsigned int bits;
  __builtin_memcpy(&bits, &a, 4);
  return bits;
}
HEDDLE_SMALL void small_from_bits(unsigned short bits, HEDDLE_NUMBER& a) {
  __builtin_memcpy(&a, &bits, 2);
}
HEDDLE_SMALL void small_from_bits(unsigned int bits, HEDDLE_PAIR& a) {
  __builtin_memcpy(&a, &bits, 4);
}

// Rounds a float that was rounded to odd, in the direction of the mode.
template <Toward toward>
HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(narrow_, HEDDLE_NAME, )(float f) {
  const HEDDLE_NUMBER nearest(f);
  const float g = nearest;
  unsigned short bits = f != f ? 0x7fff : bits_of_small(nearest);  // CUDA's NaN has all bits set
  HEDDLE_NUMBER out;
  if (f != f) {
    small_from_bits(bits, out);
    return out;
  }
  if (toward == Toward::nearest || g == f) return nearest;
  const bool above = g > f, negative = bits >> 15;
  // One step towards the exact value; bit patterns grow with the magnitude.
  const bool outward = toward == Toward::up     ? !above && !negative
                       : toward == Toward::down ? above && negative
                                                : false;
  const bool inward = toward == Toward::zero ? above != negative
                      : toward == Toward::up ? !above && negative
                                             : above && !negative;
  if (outward) ++bits;
  if (inward) --bits;
  small_from_bits(bits, out);
  return out;
}
}  // namespace heddle

#define HEDDLE_FROM_MODE(source, type, mode, toward)                                          \
  HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(__##source##2, HEDDLE_NAME, mode)(type a) {         \
    return heddle::HEDDLE_NAMED(narrow_,                                                      \
                                HEDDLE_NAME, )<heddle::Toward::toward>(heddle::odd_float(a)); \
  }
#define HEDDLE_FROM(source, type)              \
  HEDDLE_FROM_MODE(source, type, _rn, nearest) \
  HEDDLE_FROM_MODE(source, type, _rz, zero)    \
  HEDDLE_FROM_MODE(source, type, _rd, down)    \
  HEDDLE_FROM_MODE(source, type, _ru, up)
HEDDLE_FROM(float, float)
HEDDLE_FROM(int, int)
HEDDLE_FROM(uint, unsigned int)
HEDDLE_FROM(short, short)
HEDDLE_FROM(ushort, unsigned short)
HEDDLE_FROM(ll, long long)
HEDDLE_FROM(ull, unsigned long long)
HEDDLE_FROM_MODE(float, float, , nearest)
HEDDLE_FROM_MODE(double, double, , nearest)
#undef HEDDLE_FROM
#undef HEDDLE_FROM_MODE

#define HEDDLE_TO_MODE(target, type, mode, round)                                     \
  HEDDLE_SMALL type HEDDLE_NAMED(__, HEDDLE_NAME, 2##target##mode)(HEDDLE_NUMBER a) { \
    return heddle::whole<type>(round(static_cast<float>(a)));                         \
  }
#define HEDDLE_TO(target, type)                       \
  HEDDLE_TO_MODE(target, type, _rn, __builtin_rintf)  \
  HEDDLE_TO_MODE(target, type, _rz, __builtin_truncf) \
  HEDDLE_TO_MODE(target, type, _rd, __builtin_floorf) \
  HEDDLE_TO_MODE(target, type, _ru, __builtin_ceilf)
HEDDLE_TO(int, int)
HEDDLE_TO(uint, unsigned int)
HEDDLE_TO(short, short)
HEDDLE_TO(ushort, unsigned short)
HEDDLE_TO(ll, long long)
HEDDLE_TO(ull, unsigned long long)
HEDDLE_TO_MODE(char, signed char, _rz, __builtin_truncf)
HEDDLE_TO_MODE(uchar, unsigned char, _rz, __builtin_truncf)
#undef HEDDLE_TO
#undef HEDDLE_TO_MODE

// Pairs.
HEDDLE_SMALL float HEDDLE_NAMED(__, HEDDLE_NAME, 2float)(HEDDLE_NUMBER a) { return a; }
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(make_, HEDDLE_NAME, 2)(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return {a, b};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__halves2, HEDDLE_NAME, 2)(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return {a, b};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(HEDDLE_NAMED(__, HEDDLE_NAME, 2), HEDDLE_NAME,
                                      2)(HEDDLE_NUMBER a) {
  return {a, a};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__floats2, HEDDLE_NAME, 2_rn)(float a, float b) {
  return {HEDDLE_NUMBER(a), HEDDLE_NUMBER(b)};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__float2, HEDDLE_NAME, 2_rn)(float a) {
  return {HEDDLE_NUMBER(a), HEDDLE_NUMBER(a)};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__float22, HEDDLE_NAME, 2_rn)(float2 a) {
  return {HEDDLE_NUMBER(a.x), HEDDLE_NUMBER(a.y)};
}
HEDDLE_SMALL float2 HEDDLE_NAMED(__, HEDDLE_NAME, 22float2)(HEDDLE_PAIR a) {
  return make_float2(a.x, a.y);
}
HEDDLE_SMALL float __low2float(HEDDLE_PAIR a) { return a.x; }
HEDDLE_SMALL float __high2float(HEDDLE_PAIR a) { return a.y; }
HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(__low2, HEDDLE_NAME, )(HEDDLE_PAIR a) { return a.x; }
HEDDLE_SMALL HEDDLE_NUMBER HEDDLE_NAMED(__high2, HEDDLE_NAME, )(HEDDLE_PAIR a) { return a.y; }
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__low2, HEDDLE_NAME, 2)(HEDDLE_PAIR a) { return {a.x, a.x}; }
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__high2, HEDDLE_NAME, 2)(HEDDLE_PAIR a) { return {a.y, a.y}; }
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__lows2, HEDDLE_NAME, 2)(HEDDLE_PAIR a, HEDDLE_PAIR b) {
  return {a.x, b.x};
}
HEDDLE_SMALL HEDDLE_PAIR HEDDLE_NAMED(__highs2, HEDDLE_NAME, 2)(HEDDLE_PAIR a, HEDDLE_PAIR b) {
  return {a.y, b.y};
}
HEDDLE_SMALL HEDDLE_PAIR __lowhigh2highlow(HEDDLE_PAIR a) { return {a.y, a.x}; }

// Arithmetic.
HEDDLE_SMALL bool __hisnan(HEDDLE_NUMBER a) {
  return static_cast<float>(a) != static_cast<float>(a);
}
HEDDLE_SMALL int __hisinf(HEDDLE_NUMBER a) {
  return __builtin_isinf(static_cast<float>(a)) ? (static_cast<float>(a) < 0 ? -1 : 1) : 0;
}
HEDDLE_SMALL HEDDLE_NUMBER __habs(HEDDLE_NUMBER a) {
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(heddle::bits_of_small(a) & 0x7fff);
}
HEDDLE_SMALL HEDDLE_NUMBER __hneg(HEDDLE_NUMBER a) {
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(heddle::bits_of_small(a) ^ 0x8000);
}
HEDDLE_SMALL HEDDLE_NUMBER __hfma(HEDDLE_NUMBER a, HEDDLE_NUMBER b, HEDDLE_NUMBER c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_HAS_ARITHMETIC
  unsigned short d;
  asm("fma.rn." HEDDLE_PTX " %0, %1, %2, %3;"
      : "=h"(d)
      : "h"(heddle::bits_of_small(a)), "h"(heddle::bits_of_small(b)),
        "h"(heddle::bits_of_small(c)));
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(d);
#else
  return HEDDLE_NUMBER(heddle::odd_fma(a, b, c));
#endif
}
// Not fused with other operations, unlike the operators.
HEDDLE_SMALL HEDDLE_NUMBER __hadd_rn(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hfma(a, HEDDLE_NUMBER(1.0f), b);
}
HEDDLE_SMALL HEDDLE_NUMBER __hsub_rn(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hfma(b, HEDDLE_NUMBER(-1.0f), a);
}
HEDDLE_SMALL HEDDLE_NUMBER __hmul_rn(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hfma(a, b, HEDDLE_NUMBER(-0.0f));
}
HEDDLE_SMALL HEDDLE_NUMBER __hadd(HEDDLE_NUMBER a, HEDDLE_NUMBER b) { return a + b; }
HEDDLE_SMALL HEDDLE_NUMBER __hsub(HEDDLE_NUMBER a, HEDDLE_NUMBER b) { return a - b; }
HEDDLE_SMALL HEDDLE_NUMBER __hmul(HEDDLE_NUMBER a, HEDDLE_NUMBER b) { return a * b; }
HEDDLE_SMALL HEDDLE_NUMBER __hdiv(HEDDLE_NUMBER a, HEDDLE_NUMBER b) { return a / b; }
// A NaN becomes 0.
HEDDLE_SMALL HEDDLE_NUMBER __hsaturate(HEDDLE_NUMBER a) {
  const float f = a;
  return f > 0 ? (f < 1 ? a : HEDDLE_NUMBER(1.0f)) : HEDDLE_NUMBER(0.0f);
}
HEDDLE_SMALL HEDDLE_NUMBER __hadd_sat(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hsaturate(__hadd_rn(a, b));
}
HEDDLE_SMALL HEDDLE_NUMBER __hsub_sat(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hsaturate(__hsub_rn(a, b));
}
HEDDLE_SMALL HEDDLE_NUMBER __hmul_sat(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  return __hsaturate(__hmul_rn(a, b));
}
HEDDLE_SMALL HEDDLE_NUMBER __hfma_sat(HEDDLE_NUMBER a, HEDDLE_NUMBER b, HEDDLE_NUMBER c) {
  return __hsaturate(__hfma(a, b, c));
}
HEDDLE_SMALL HEDDLE_NUMBER __hfma_relu(HEDDLE_NUMBER a, HEDDLE_NUMBER b, HEDDLE_NUMBER c) {
  const HEDDLE_NUMBER d = __hfma(a, b, c);
  return static_cast<float>(d) > 0 ? d
         : __hisnan(d)             ? HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(0x7fff)
                                   : HEDDLE_NUMBER(0.0f);
}
// +0 is larger than -0. The first two return a number rather than NaN, the others return NaN.
HEDDLE_SMALL HEDDLE_NUMBER __hmax_nan(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  const float f = a, g = b;
  if (f != f || g != g) return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(0x7fff);
  if (f == g)
    return HEDDLE_NAMED(__ushort_as_,
                        HEDDLE_NAME, )(heddle::bits_of_small(a) & heddle::bits_of_small(b));
  return f > g ? a : b;
}
HEDDLE_SMALL HEDDLE_NUMBER __hmin_nan(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  const float f = a, g = b;
  if (f != f || g != g) return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(0x7fff);
  if (f == g)
    return HEDDLE_NAMED(__ushort_as_,
                        HEDDLE_NAME, )(heddle::bits_of_small(a) | heddle::bits_of_small(b));
  return f < g ? a : b;
}
HEDDLE_SMALL HEDDLE_NUMBER __hmax(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  if (__hisnan(a) != __hisnan(b)) return __hisnan(a) ? b : a;
  return __hmax_nan(a, b);
}
HEDDLE_SMALL HEDDLE_NUMBER __hmin(HEDDLE_NUMBER a, HEDDLE_NUMBER b) {
  if (__hisnan(a) != __hisnan(b)) return __hisnan(a) ? b : a;
  return __hmin_nan(a, b);
}

#define HEDDLE_PAIRED_1(name, one) \
  HEDDLE_SMALL HEDDLE_PAIR name(HEDDLE_PAIR a) { return {one(a.x), one(a.y)}; }
#define HEDDLE_PAIRED_2(name, one)                              \
  HEDDLE_SMALL HEDDLE_PAIR name(HEDDLE_PAIR a, HEDDLE_PAIR b) { \
    return {one(a.x, b.x), one(a.y, b.y)};                      \
  }
#define HEDDLE_PAIRED_3(name, one)                                             \
  HEDDLE_SMALL HEDDLE_PAIR name(HEDDLE_PAIR a, HEDDLE_PAIR b, HEDDLE_PAIR c) { \
    return {one(a.x, b.x, c.x), one(a.y, b.y, c.y)};                           \
  }
HEDDLE_PAIRED_1(__habs2, __habs)
HEDDLE_PAIRED_1(__hneg2, __hneg)
HEDDLE_PAIRED_2(__hadd2, __hadd)
HEDDLE_PAIRED_2(__hsub2, __hsub)
HEDDLE_PAIRED_2(__hmul2, __hmul)
HEDDLE_PAIRED_2(__h2div, __hdiv)
HEDDLE_PAIRED_2(__hadd2_rn, __hadd_rn)
HEDDLE_PAIRED_2(__hsub2_rn, __hsub_rn)
HEDDLE_PAIRED_2(__hmul2_rn, __hmul_rn)
HEDDLE_PAIRED_2(__hadd2_sat, __hadd_sat)
HEDDLE_PAIRED_2(__hsub2_sat, __hsub_sat)
HEDDLE_PAIRED_2(__hmul2_sat, __hmul_sat)
HEDDLE_PAIRED_2(__hmax2, __hmax)
HEDDLE_PAIRED_2(__hmin2, __hmin)
HEDDLE_PAIRED_2(__hmax2_nan, __hmax_nan)
HEDDLE_PAIRED_2(__hmin2_nan, __hmin_nan)
HEDDLE_PAIRED_3(__hfma2, __hfma)
HEDDLE_PAIRED_3(__hfma2_sat, __hfma_sat)
HEDDLE_PAIRED_3(__hfma2_relu, __hfma_relu)
#undef HEDDLE_PAIRED_2
#undef HEDDLE_PAIRED_3
HEDDLE_SMALL HEDDLE_PAIR __hisnan2(HEDDLE_PAIR a) {
  return {HEDDLE_NUMBER(__hisnan(a.x) ? 1.0f : 0.0f), HEDDLE_NUMBER(__hisnan(a.y) ? 1.0f : 0.0f)};
}
// Complex numbers: a * b + c.
HEDDLE_SMALL HEDDLE_PAIR __hcmadd(HEDDLE_PAIR a, HEDDLE_PAIR b, HEDDLE_PAIR c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// Comparisons of numbers, and of pairs with a pair of 0 and 1, a bool for both, or masks as result.
// Unordered comparisons are true for NaN.
#define HEDDLE_COMPARE(name, test)                                                        \
  HEDDLE_SMALL bool __h##name(HEDDLE_NUMBER x, HEDDLE_NUMBER y) {                         \
    const float a = x, b = y;                                                             \
    return test;                                                                          \
  }                                                                                       \
  HEDDLE_SMALL HEDDLE_PAIR __h##name##2(HEDDLE_PAIR a, HEDDLE_PAIR b) {                   \
    return {HEDDLE_NUMBER(__h##name(a.x, b.x) ? 1.0f : 0.0f),                             \
            HEDDLE_NUMBER(__h##name(a.y, b.y) ? 1.0f : 0.0f)};                            \
  }                                                                                       \
  HEDDLE_SMALL bool __hb##name##2(HEDDLE_PAIR a, HEDDLE_PAIR b) {                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
  }                                                                                       \
  HEDDLE_SMALL unsigned int __h##name##2_mask(HEDDLE_PAIR a, HEDDLE_PAIR b) {             \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0); \
  }
HEDDLE_COMPARE(eq, a == b)
HEDDLE_COMPARE(ne, a<b || a> b)
HEDDLE_COMPARE(lt, a < b)
HEDDLE_COMPARE(le, a <= b)
HEDDLE_COMPARE(gt, a > b)
HEDDLE_COMPARE(ge, a >= b)
HEDDLE_COMPARE(equ, !(a < b || a > b))
HEDDLE_COMPARE(neu, !(a == b))
HEDDLE_COMPARE(ltu, !(a >= b))
HEDDLE_COMPARE(leu, !(a > b))
HEDDLE_COMPARE(gtu, !(a <= b))
HEDDLE_COMPARE(geu, !(a < b))
#undef HEDDLE_COMPARE

#if defined(__CUDA__)
#include "heddle/small_floats_device.h"
#endif
#undef HEDDLE_PAIRED_1

// Signs, increments and decrements.
HEDDLE_SMALL HEDDLE_NUMBER operator+(const HEDDLE_NUMBER& a) { return a; }
HEDDLE_SMALL HEDDLE_PAIR operator+(const HEDDLE_PAIR& a) { return a; }
HEDDLE_SMALL HEDDLE_NUMBER operator-(const HEDDLE_NUMBER& a) { return __hneg(a); }
HEDDLE_SMALL HEDDLE_PAIR operator-(const HEDDLE_PAIR& a) { return __hneg2(a); }
HEDDLE_SMALL HEDDLE_NUMBER& operator++(HEDDLE_NUMBER& a) { return a += HEDDLE_NUMBER(1.0f); }
HEDDLE_SMALL HEDDLE_NUMBER operator++(HEDDLE_NUMBER& a, int) {
  const HEDDLE_NUMBER before = a;
  ++a;
  return before;
}
HEDDLE_SMALL HEDDLE_PAIR& operator++(HEDDLE_PAIR& a) {
  return a += HEDDLE_PAIR(HEDDLE_NUMBER(1.0f), HEDDLE_NUMBER(1.0f));
}
HEDDLE_SMALL HEDDLE_PAIR operator++(HEDDLE_PAIR& a, int) {
  const HEDDLE_PAIR before = a;
  ++a;
  return before;
}
HEDDLE_SMALL HEDDLE_NUMBER& operator--(HEDDLE_NUMBER& a) { return a -= HEDDLE_NUMBER(1.0f); }
HEDDLE_SMALL HEDDLE_NUMBER operator--(HEDDLE_NUMBER& a, int) {
  const HEDDLE_NUMBER before = a;
  --a;
  return before;
}
HEDDLE_SMALL HEDDLE_PAIR& operator--(HEDDLE_PAIR& a) {
  return a -= HEDDLE_PAIR(HEDDLE_NUMBER(1.0f), HEDDLE_NUMBER(1.0f));
}
HEDDLE_SMALL HEDDLE_PAIR operator--(HEDDLE_PAIR& a, int) {
  const HEDDLE_PAIR before = a;
  --a;
  return before;
}

#undef HEDDLE_NUMBER
#undef HEDDLE_PAIR
#undef HEDDLE_NAME
#undef HEDDLE_PTX
#undef HEDDLE_HAS_ARITHMETIC
#undef HEDDLE_HAS_TANH
#undef HEDDLE_HAS_ATOMIC_PAIR
#undef HEDDLE_HAS_ATOMIC
#undef HEDDLE_OPERAND
#undef HEDDLE_NAMED_3
#undef HEDDLE_NAMED
#undef HEDDLE_SMALL
#undef HEDDLE_MEMBER
