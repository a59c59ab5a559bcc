// The common part of cuda_fp4.h and cuda_fp6.h, included once for each: HEDDLE_BITS is the width,
// HEDDLE_STRIDE the number of bits from one element of a pair to the next, HEDDLE_MANTISSA and
// HEDDLE_BIAS are those of an interpretation. Numbers have a sign and neither infinities nor NaNs.

#define HEDDLE_NAMED_3(a, b, c) a##b##c
#define HEDDLE_NAMED_2(a, b, c) HEDDLE_NAMED_3(a, b, c)
#define HEDDLE_NAMED(a, c) HEDDLE_NAMED_2(a, HEDDLE_BITS, c)
#define HEDDLE_STORAGE HEDDLE_NAMED(__nv_fp, _storage_t)
#define HEDDLE_STORAGE_2 HEDDLE_NAMED(__nv_fp, x2_storage_t)
#define HEDDLE_KIND HEDDLE_NAMED(__nv_fp, _interpretation_t)

// Only rounding to nearest even exists. A NaN becomes the largest number.
HEDDLE_NARROW HEDDLE_STORAGE HEDDLE_NAMED(__nv_cvt_double_to_fp, )(double x, HEDDLE_KIND kind,
                                                                   enum cudaRoundMode) {
  constexpr unsigned int largest = (1u << (HEDDLE_BITS - 1)) - 1;
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned long long size = bits & ~(1ull << 63);
  if (size > 0x7ffull << 52) return largest;
  const unsigned int code = __heddle_narrow_code(size, HEDDLE_MANTISSA(kind), HEDDLE_BIAS(kind),
                                                 largest),
                     sign = static_cast<unsigned int>(bits >> 63) * (largest + 1);
  return static_cast<HEDDLE_STORAGE>(sign | (code > largest ? largest : code));
}
#define HEDDLE_FROM(name, type, value)                                                       \
  HEDDLE_NARROW HEDDLE_STORAGE name(type x, HEDDLE_KIND kind, enum cudaRoundMode rounding) { \
    return HEDDLE_NAMED(__nv_cvt_double_to_fp, )(value, kind, rounding);                     \
  }
HEDDLE_FROM(HEDDLE_NAMED(__nv_cvt_float_to_fp, ), float, x)
HEDDLE_FROM(HEDDLE_NAMED(__nv_cvt_halfraw_to_fp, ), __half_raw, static_cast<float>(__half(x)))
HEDDLE_FROM(HEDDLE_NAMED(__nv_cvt_bfloat16raw_to_fp, ), __nv_bfloat16_raw,
            static_cast<float>(__nv_bfloat16(x)))
#undef HEDDLE_FROM
#define HEDDLE_PAIR(name, type, one, first, second)                                            \
  HEDDLE_NARROW HEDDLE_STORAGE_2 name(type x, HEDDLE_KIND kind, enum cudaRoundMode rounding) { \
    const unsigned int low = one(first, kind, rounding), high = one(second, kind, rounding);   \
    return static_cast<HEDDLE_STORAGE_2>(high << HEDDLE_STRIDE | low);                         \
  }
HEDDLE_PAIR(HEDDLE_NAMED(__nv_cvt_double2_to_fp, x2), double2,
            HEDDLE_NAMED(__nv_cvt_double_to_fp, ), x.x, x.y)
HEDDLE_PAIR(HEDDLE_NAMED(__nv_cvt_float2_to_fp, x2), float2, HEDDLE_NAMED(__nv_cvt_float_to_fp, ),
            x.x, x.y)
HEDDLE_PAIR(HEDDLE_NAMED(__nv_cvt_halfraw2_to_fp, x2), __half2_raw,
            HEDDLE_NAMED(__nv_cvt_halfraw_to_fp, ), __half_raw{x.x}, __half_raw{x.y})
HEDDLE_PAIR(HEDDLE_NAMED(__nv_cvt_bfloat16raw2_to_fp, x2), __nv_bfloat162_raw,
            HEDDLE_NAMED(__nv_cvt_bfloat16raw_to_fp, ), __nv_bfloat16_raw{x.x},
            __nv_bfloat16_raw{x.y})
#undef HEDDLE_PAIR

// Half precision represents every such number exactly.
HEDDLE_NARROW __half_raw HEDDLE_NAMED(__nv_cvt_fp, _to_halfraw)(HEDDLE_STORAGE x,
                                                                HEDDLE_KIND kind) {
  constexpr unsigned int largest = (1u << (HEDDLE_BITS - 1)) - 1;
  const float size = __heddle_narrow_value(x & largest, HEDDLE_MANTISSA(kind), HEDDLE_BIAS(kind));
  return static_cast<__half_raw>(__half(x & (largest + 1) ? -size : size));
}
HEDDLE_NARROW __half2_raw HEDDLE_NAMED(__nv_cvt_fp, x2_to_halfraw2)(HEDDLE_STORAGE_2 x,
                                                                    HEDDLE_KIND kind) {
  return {
      HEDDLE_NAMED(__nv_cvt_fp, _to_halfraw)(static_cast<HEDDLE_STORAGE>(x), kind).x,
      HEDDLE_NAMED(__nv_cvt_fp, _to_halfraw)(static_cast<HEDDLE_STORAGE>(x >> HEDDLE_STRIDE), kind)
          .x};
}
template <HEDDLE_KIND kind>
struct HEDDLE_NAMED(__heddle_fp, ) {
  typedef HEDDLE_STORAGE Storage;
  typedef HEDDLE_STORAGE_2 Storage2;
  typedef HEDDLE_NAMED(__nv_fp, x4_storage_t) Storage4;
  static constexpr int kStride = HEDDLE_STRIDE;
  static constexpr unsigned int kSize = (1u << (HEDDLE_BITS - 1)) - 1, kZero = 0;
  static HEDDLE_MEMBER Storage round(double x) {
    return HEDDLE_NAMED(__nv_cvt_double_to_fp, )(x, kind, cudaRoundNearest);
  }
  static HEDDLE_MEMBER __half to_half(Storage x) {
    return __half(HEDDLE_NAMED(__nv_cvt_fp, _to_halfraw)(x, kind));
  }
  static HEDDLE_MEMBER float to_float(Storage x) { return static_cast<float>(to_half(x)); }
};

#undef HEDDLE_NAMED_3
#undef HEDDLE_NAMED_2
#undef HEDDLE_NAMED
#undef HEDDLE_STORAGE
#undef HEDDLE_STORAGE_2
#undef HEDDLE_KIND
#undef HEDDLE_BITS
#undef HEDDLE_STRIDE
#undef HEDDLE_MANTISSA
#undef HEDDLE_BIAS
