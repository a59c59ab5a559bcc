// Floats of 4, 6 and 8 bits: rounding, and the types of groups of one, two and four.
// Included by cuda_fp8.h.
#pragma once

#define HEDDLE_NARROW static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

// The code of a finite value without its sign, rounded to nearest even; above `largest` when the
// value is too large. bits: the double without its sign.
HEDDLE_NARROW unsigned int __heddle_narrow_code(unsigned long long bits, int mantissa, int bias,
                                                unsigned int largest) {
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent > 30) return largest + 1;
  if (exponent < -bias - 3) return 0;
  // The value in units of the last place, with a fraction. Below the smallest exponent the unit
  // stays the same.
  const int least = 1 - bias, place = exponent < least ? least : exponent;
  const unsigned long long whole = (bits & ((1ull << 52) - 1)) | 1ull << 52;
  const int shift = 52 - mantissa + (place - exponent);
  const unsigned long long kept = whole >> shift, rest = whole & ((1ull << shift) - 1),
                           half = 1ull << (shift - 1);
  const auto rounded =
      static_cast<unsigned int>(kept + (rest > half || (rest == half && (kept & 1))));
  // The hidden bit adds one to the exponent.
  return rounded + (static_cast<unsigned int>(place - least) << mantissa);
}

// The value of a finite code without its sign.
HEDDLE_NARROW float __heddle_narrow_value(unsigned int code, int mantissa, int bias) {
  const unsigned int hidden = 1u << mantissa, exponent = code >> mantissa;
  const unsigned int whole = exponent == 0 ? code : hidden | (code & (hidden - 1));
  const int scale = static_cast<int>(exponent == 0 ? 1 : exponent) - bias - mantissa;
  const unsigned int power = static_cast<unsigned int>(scale + 127) << 23;
  float unit;
  __builtin_memcpy(&unit, &power, 4);
  return static_cast<float>(whole) * unit;
}

// As the conversion instructions: toward zero, clamped; NaN becomes 0, or the smallest number of 64
// bits.
template <class Integer>
HEDDLE_NARROW Integer __heddle_clamped(float value) {
  constexpr bool is_signed = static_cast<Integer>(-1) < Integer(1);
  constexpr Integer top = Integer(1) << (8 * sizeof(Integer) - 2);
  constexpr Integer least = is_signed ? static_cast<Integer>(-top - top) : Integer(0);
  constexpr Integer most =
      is_signed ? static_cast<Integer>(top - 1 + top) : static_cast<Integer>(-1);
  if (value != value) return sizeof(Integer) == 8 ? Integer(1ull << 63) : Integer(0);
  if (value <= static_cast<float>(least)) return least;
  if (value >= static_cast<float>(most)) return most;
  return static_cast<Integer>(value);
}

// A Format has Storage, Storage2 and Storage4, the number of bits from one element to the next, the
// rounding of floats and doubles, and to_half and to_float.
template <class Format>
struct __heddle_one {
  typename Format::Storage __x;

  __heddle_one() = default;
  HEDDLE_MEMBER explicit __heddle_one(float f) : __x(Format::round(f)) {}
  HEDDLE_MEMBER explicit __heddle_one(double f) : __x(Format::round(f)) {}
  HEDDLE_MEMBER explicit __heddle_one(__half f) : __x(Format::round(static_cast<float>(f))) {}
  HEDDLE_MEMBER explicit __heddle_one(__nv_bfloat16 f)
      : __x(Format::round(static_cast<float>(f))) {}
#define HEDDLE_FROM(type) \
  HEDDLE_MEMBER explicit __heddle_one(type i) : __x(Format::round(static_cast<double>(i))) {}
  HEDDLE_FROM(short)
  HEDDLE_FROM(unsigned short)
  HEDDLE_FROM(int)
  HEDDLE_FROM(unsigned int)
  HEDDLE_FROM(long)
  HEDDLE_FROM(unsigned long)
  HEDDLE_FROM(long long)
  HEDDLE_FROM(unsigned long long)
#undef HEDDLE_FROM

  HEDDLE_MEMBER explicit operator __half() const { return Format::to_half(__x); }
  HEDDLE_MEMBER explicit operator float() const { return Format::to_float(__x); }
  HEDDLE_MEMBER explicit operator double() const { return Format::to_float(__x); }
  HEDDLE_MEMBER explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(Format::to_float(__x));
  }
  HEDDLE_MEMBER explicit operator bool() const { return (__x & Format::kSize) != Format::kZero; }
#define HEDDLE_TO(type)                                   \
  HEDDLE_MEMBER explicit operator type() const {          \
    return __heddle_clamped<type>(Format::to_float(__x)); \
  }
  HEDDLE_TO(char)
  HEDDLE_TO(signed char)
  HEDDLE_TO(unsigned char)
  HEDDLE_TO(short)
  HEDDLE_TO(unsigned short)
  HEDDLE_TO(int)
  HEDDLE_TO(unsigned int)
  HEDDLE_TO(long)
  HEDDLE_TO(unsigned long)
  HEDDLE_TO(long long)
  HEDDLE_TO(unsigned long long)
#undef HEDDLE_TO
};

template <class Format, class Float>
HEDDLE_NARROW typename Format::Storage2 __heddle_round_pair(Float x, Float y) {
  const unsigned int low = Format::round(x), high = Format::round(y);
  return static_cast<typename Format::Storage2>(high << Format::kStride | low);
}
template <class Format>
HEDDLE_NARROW typename Format::Storage __heddle_element(unsigned int all, int place) {
  return static_cast<typename Format::Storage>(all >> (place * Format::kStride) &
                                               ((1u << Format::kStride) - 1));
}

template <class Format>
struct __heddle_two {
  typename Format::Storage2 __x;

  __heddle_two() = default;
  HEDDLE_MEMBER explicit __heddle_two(float2 f) : __x(__heddle_round_pair<Format>(f.x, f.y)) {}
  HEDDLE_MEMBER explicit __heddle_two(double2 f) : __x(__heddle_round_pair<Format>(f.x, f.y)) {}
  HEDDLE_MEMBER explicit __heddle_two(__half2 f) : __heddle_two(__half22float2(f)) {}
  HEDDLE_MEMBER explicit __heddle_two(__nv_bfloat162 f) : __heddle_two(__bfloat1622float2(f)) {}

  HEDDLE_MEMBER explicit operator __half2() const {
    return __half2(Format::to_half(__heddle_element<Format>(__x, 0)),
                   Format::to_half(__heddle_element<Format>(__x, 1)));
  }
  HEDDLE_MEMBER explicit operator float2() const {
    return make_float2(Format::to_float(__heddle_element<Format>(__x, 0)),
                       Format::to_float(__heddle_element<Format>(__x, 1)));
  }
  HEDDLE_MEMBER explicit operator __nv_bfloat162() const {
    const float2 f = static_cast<float2>(*this);
    return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y));
  }
};

template <class Format>
struct __heddle_four {
  typename Format::Storage4 __x;

  __heddle_four() = default;
  HEDDLE_MEMBER explicit __heddle_four(float4 f) : __x(round(f.x, f.y, f.z, f.w)) {}
#define HEDDLE_FROM(type) \
  HEDDLE_MEMBER explicit __heddle_four(type f) : __x(round(f.x, f.y, f.z, f.w)) {}
  HEDDLE_FROM(double4)
  HEDDLE_FROM(double4_16a)
  HEDDLE_FROM(double4_32a)
#undef HEDDLE_FROM
  HEDDLE_MEMBER __heddle_four(__half2 low, __half2 high)
      : __heddle_four(__half22float2(low), __half22float2(high)) {}
  HEDDLE_MEMBER __heddle_four(__nv_bfloat162 low, __nv_bfloat162 high)
      : __heddle_four(__bfloat1622float2(low), __bfloat1622float2(high)) {}

  HEDDLE_MEMBER explicit operator float4() const {
    return make_float4(Format::to_float(__heddle_element<Format>(__x, 0)),
                       Format::to_float(__heddle_element<Format>(__x, 1)),
                       Format::to_float(__heddle_element<Format>(__x, 2)),
                       Format::to_float(__heddle_element<Format>(__x, 3)));
  }

 private:
  HEDDLE_MEMBER __heddle_four(float2 low, float2 high) : __x(round(low.x, low.y, high.x, high.y)) {}
  template <class Float>
  static HEDDLE_MEMBER typename Format::Storage4 round(Float x, Float y, Float z, Float w) {
    const unsigned int low = __heddle_round_pair<Format>(x, y),
                       high = __heddle_round_pair<Format>(z, w);
    return static_cast<typename Format::Storage4>(high << (2 * Format::kStride) | low);
  }
};

// HEDDLE_NARROW_TYPES(name of the single type, of two, of four, format)
#define HEDDLE_NARROW_TYPES(one, two, four, format) \
  struct one : __heddle_one<format> {               \
    using __heddle_one<format>::__heddle_one;       \
    one() = default;                                \
  };                                                \
  struct two : __heddle_two<format> {               \
    using __heddle_two<format>::__heddle_two;       \
    two() = default;                                \
  };                                                \
  struct four : __heddle_four<format> {             \
    using __heddle_four<format>::__heddle_four;     \
    four() = default;                               \
  };
