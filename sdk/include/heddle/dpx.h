// The DPX functions of CUDA 12 for dynamic programming, for words and pairs of 16-bit integers:
// sums, maximum and minimum of two and three, bounded by zero (relu), and with a flag for the
// selected operand. They use ordinary instructions, as on hardware before Hopper.
#pragma once

#define HEDDLE_DPX static __host__ __device__ __forceinline__

namespace heddle {

template <class T>
HEDDLE_DPX T larger_of(T a, T b) {
  return a < b ? b : a;
}
template <class T>
HEDDLE_DPX T smaller_of(T a, T b) {
  return b < a ? b : a;
}
template <class T>
HEDDLE_DPX T not_below_zero(T a) {
  return a < 0 ? static_cast<T>(0) : a;
}
template <class T>
HEDDLE_DPX T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}

// Applies f to both 16-bit halves, as T.
template <class T, class Function>
HEDDLE_DPX unsigned int on_halves(unsigned int a, unsigned int b, unsigned int c, Function f) {
  const T low = f(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  const T high = f(static_cast<T>(a >> 16), static_cast<T>(b >> 16), static_cast<T>(c >> 16));
  return static_cast<unsigned int>(static_cast<unsigned short>(high)) << 16 |
         static_cast<unsigned short>(low);
}

}  // namespace heddle

// Of three operands, of a sum and an operand, and of two operands with relu.
#define HEDDLE_DPX_WORDS(type, suffix, larger, max)                    \
  HEDDLE_DPX type __vi##max##3_##suffix(type a, type b, type c) {      \
    return heddle::larger(heddle::larger(a, b), c);                    \
  }                                                                    \
  HEDDLE_DPX type __viadd##max##_##suffix(type a, type b, type c) {    \
    return heddle::larger(heddle::wrapping_sum(a, b), c);              \
  }                                                                    \
  HEDDLE_DPX type __vib##max##_##suffix(type a, type b, bool* first) { \
    *first = heddle::larger(a, b) == a;                                \
    return heddle::larger(a, b);                                       \
  }
#define HEDDLE_DPX_RELU(type, suffix, larger, max)                         \
  HEDDLE_DPX type __vi##max##3_##suffix##_relu(type a, type b, type c) {   \
    return heddle::not_below_zero(__vi##max##3_##suffix(a, b, c));         \
  }                                                                        \
  HEDDLE_DPX type __viadd##max##_##suffix##_relu(type a, type b, type c) { \
    return heddle::not_below_zero(__viadd##max##_##suffix(a, b, c));       \
  }                                                                        \
  HEDDLE_DPX type __vi##max##_##suffix##_relu(type a, type b) {            \
    return heddle::not_below_zero(heddle::larger(a, b));                   \
  }
HEDDLE_DPX_WORDS(int, s32, larger_of, max)
HEDDLE_DPX_WORDS(int, s32, smaller_of, min)
HEDDLE_DPX_WORDS(unsigned int, u32, larger_of, max)
HEDDLE_DPX_WORDS(unsigned int, u32, smaller_of, min)
HEDDLE_DPX_RELU(int, s32, larger_of, max)
HEDDLE_DPX_RELU(int, s32, smaller_of, min)
#undef HEDDLE_DPX_WORDS
#undef HEDDLE_DPX_RELU

#define HEDDLE_DPX_HALVES(type, suffix, larger, max)                                              \
  HEDDLE_DPX unsigned int __vi##max##3_##suffix(unsigned int a, unsigned int b, unsigned int c) { \
    return heddle::on_halves<type>(                                                               \
        a, b, c, [](type x, type y, type z) { return heddle::larger(heddle::larger(x, y), z); }); \
  }                                                                                               \
  HEDDLE_DPX unsigned int __viadd##max##_##suffix(unsigned int a, unsigned int b,                 \
                                                  unsigned int c) {                               \
    return heddle::on_halves<type>(a, b, c, [](type x, type y, type z) {                          \
      return heddle::larger(heddle::wrapping_sum(x, y), z);                                       \
    });                                                                                           \
  }                                                                                               \
  HEDDLE_DPX unsigned int __vib##max##_##suffix(unsigned int a, unsigned int b, bool* high,       \
                                                bool* low) {                                      \
    const unsigned int chosen = heddle::on_halves<type>(                                          \
        a, b, 0, [](type x, type y, type) { return heddle::larger(x, y); });                      \
    *high = chosen >> 16 == a >> 16;                                                              \
    *low = (chosen & 0xffff) == (a & 0xffff);                                                     \
    return chosen;                                                                                \
  }
#define HEDDLE_DPX_HALVES_RELU(max, larger)                                         \
  HEDDLE_DPX unsigned int __vi##max##3_s16x2_relu(unsigned int a, unsigned int b,   \
                                                  unsigned int c) {                 \
    return heddle::on_halves<short>(a, b, c, [](short x, short y, short z) {        \
      return heddle::not_below_zero(heddle::larger(heddle::larger(x, y), z));       \
    });                                                                             \
  }                                                                                 \
  HEDDLE_DPX unsigned int __viadd##max##_s16x2_relu(unsigned int a, unsigned int b, \
                                                    unsigned int c) {               \
    return heddle::on_halves<short>(a, b, c, [](short x, short y, short z) {        \
      return heddle::not_below_zero(heddle::larger(heddle::wrapping_sum(x, y), z)); \
    });                                                                             \
  }                                                                                 \
  HEDDLE_DPX unsigned int __vi##max##_s16x2_relu(unsigned int a, unsigned int b) {  \
    return heddle::on_halves<short>(a, b, 0, [](short x, short y, short) {          \
      return heddle::not_below_zero(heddle::larger(x, y));                          \
    });                                                                             \
  }
HEDDLE_DPX_HALVES(short, s16x2, larger_of, max)
HEDDLE_DPX_HALVES(short, s16x2, smaller_of, min)
HEDDLE_DPX_HALVES(unsigned short, u16x2, larger_of, max)
HEDDLE_DPX_HALVES(unsigned short, u16x2, smaller_of, min)
HEDDLE_DPX_HALVES_RELU(max, larger_of)
HEDDLE_DPX_HALVES_RELU(min, smaller_of)
#undef HEDDLE_DPX_HALVES
#undef HEDDLE_DPX_HALVES_RELU

HEDDLE_DPX unsigned short __nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
HEDDLE_DPX unsigned int __nv_bswap32(unsigned int a) { return __builtin_bswap32(a); }
HEDDLE_DPX unsigned long long __nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }
#undef HEDDLE_DPX
