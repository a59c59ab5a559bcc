// The part of small_floats.h for kernels: mathematics, loads and stores with cache operators,
// shuffles, atomics.

#define HEDDLE_DEVICE_SMALL static __device__ __forceinline__
#define HEDDLE_MATH(name, expression)                          \
  HEDDLE_DEVICE_SMALL HEDDLE_NUMBER h##name(HEDDLE_NUMBER x) { \
    const float a = x;                                         \
    return HEDDLE_NUMBER(static_cast<float>(expression));      \
  }                                                            \
  HEDDLE_DEVICE_SMALL HEDDLE_PAIR h2##name(HEDDLE_PAIR a) { return {h##name(a.x), h##name(a.y)}; }
HEDDLE_MATH(sqrt, sqrtf(a))
HEDDLE_MATH(rsqrt, rsqrtf(a))
HEDDLE_MATH(rcp, __frcp_rn(a))
HEDDLE_MATH(exp, expf(a))
HEDDLE_MATH(exp2, exp2f(a))
HEDDLE_MATH(exp10, exp10f(a))
HEDDLE_MATH(log, logf(a))
HEDDLE_MATH(log2, log2f(a))
HEDDLE_MATH(log10, log10f(a))
HEDDLE_MATH(sin, sinf(a))
HEDDLE_MATH(cos, cosf(a))
HEDDLE_MATH(tanh, tanhf(a))
HEDDLE_MATH(floor, floorf(a))
HEDDLE_MATH(ceil, ceilf(a))
HEDDLE_MATH(trunc, truncf(a))
HEDDLE_MATH(rint, rintf(a))
#undef HEDDLE_MATH
HEDDLE_DEVICE_SMALL HEDDLE_NUMBER htanh_approx(HEDDLE_NUMBER a) {
#if __CUDA_ARCH__ >= HEDDLE_HAS_TANH
  unsigned short d;
  asm("tanh.approx." HEDDLE_PTX " %0, %1;" : "=h"(d) : "h"(heddle::bits_of_small(a)));
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(d);
#else
  return htanh(a);
#endif
}
HEDDLE_DEVICE_SMALL HEDDLE_PAIR h2tanh_approx(HEDDLE_PAIR a) {
  return {htanh_approx(a.x), htanh_approx(a.y)};
}

#define HEDDLE_LOAD(name, text)                                    \
  HEDDLE_DEVICE_SMALL HEDDLE_NUMBER name(const HEDDLE_NUMBER* p) { \
    unsigned short bits;                                           \
    asm(text ".b16 %0, [%1];" : "=h"(bits) : "l"(p) : "memory");   \
    return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(bits);        \
  }                                                                \
  HEDDLE_DEVICE_SMALL HEDDLE_PAIR name(const HEDDLE_PAIR* p) {     \
    unsigned int bits;                                             \
    asm(text ".b32 %0, [%1];" : "=r"(bits) : "l"(p) : "memory");   \
    HEDDLE_PAIR a;                                                 \
    heddle::small_from_bits(bits, a);                              \
    return a;                                                      \
  }
HEDDLE_LOAD(__ldg, "ld.global.nc")
HEDDLE_LOAD(__ldcg, "ld.global.cg")
HEDDLE_LOAD(__ldca, "ld.global.ca")
HEDDLE_LOAD(__ldcs, "ld.global.cs")
HEDDLE_LOAD(__ldlu, "ld.global.lu")
HEDDLE_LOAD(__ldcv, "ld.global.cv")
#undef HEDDLE_LOAD
#define HEDDLE_STORE(name, text)                                                     \
  HEDDLE_DEVICE_SMALL void name(HEDDLE_NUMBER* p, HEDDLE_NUMBER a) {                 \
    asm(text ".b16 [%0], %1;" : : "l"(p), "h"(heddle::bits_of_small(a)) : "memory"); \
  }                                                                                  \
  HEDDLE_DEVICE_SMALL void name(HEDDLE_PAIR* p, HEDDLE_PAIR a) {                     \
    asm(text ".b32 [%0], %1;" : : "l"(p), "r"(heddle::bits_of_small(a)) : "memory"); \
  }
HEDDLE_STORE(__stwb, "st.global.wb")
HEDDLE_STORE(__stcg, "st.global.cg")
HEDDLE_STORE(__stcs, "st.global.cs")
HEDDLE_STORE(__stwt, "st.global.wt")
#undef HEDDLE_STORE

#define HEDDLE_SHUFFLE(name, Position)                                                        \
  HEDDLE_DEVICE_SMALL HEDDLE_NUMBER name(unsigned int mask, HEDDLE_NUMBER value, Position at, \
                                         int width = 32) {                                    \
    return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(static_cast<unsigned short>(             \
        name(mask, static_cast<unsigned int>(heddle::bits_of_small(value)), at, width)));     \
  }                                                                                           \
  HEDDLE_DEVICE_SMALL HEDDLE_PAIR name(unsigned int mask, HEDDLE_PAIR value, Position at,     \
                                       int width = 32) {                                      \
    heddle::small_from_bits(name(mask, heddle::bits_of_small(value), at, width), value);      \
    return value;                                                                             \
  }
HEDDLE_SHUFFLE(__shfl_sync, int)
HEDDLE_SHUFFLE(__shfl_up_sync, unsigned int)
HEDDLE_SHUFFLE(__shfl_down_sync, unsigned int)
HEDDLE_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_SHUFFLE

// One instruction if the architecture has it, otherwise a compare-and-exchange loop on the word.
HEDDLE_DEVICE_SMALL HEDDLE_PAIR atomicAdd(HEDDLE_PAIR* address, HEDDLE_PAIR value) {
  HEDDLE_PAIR before;
#if __CUDA_ARCH__ >= HEDDLE_HAS_ATOMIC_PAIR
  unsigned int bits;
  asm volatile("atom.add.noftz." HEDDLE_PTX "x2 %0, [%1], %2;"
               : "=r"(bits)
               : "l"(address), "r"(heddle::bits_of_small(value))
               : "memory");
  heddle::small_from_bits(bits, before);
#else
  auto* const word = reinterpret_cast<unsigned int*>(address);
  unsigned int seen = *word, expected;
  do {
    expected = seen;
    heddle::small_from_bits(expected, before);
    seen = atomicCAS(word, expected, heddle::bits_of_small(__hadd2_rn(before, value)));
  } while (seen != expected);
#endif
  return before;
}
HEDDLE_DEVICE_SMALL HEDDLE_NUMBER atomicAdd(HEDDLE_NUMBER* address, HEDDLE_NUMBER value) {
#if __CUDA_ARCH__ >= HEDDLE_HAS_ATOMIC
  unsigned short bits;
  asm volatile("atom.add.noftz." HEDDLE_PTX " %0, [%1], %2;"
               : "=h"(bits)
               : "l"(address), "h"(heddle::bits_of_small(value))
               : "memory");
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(bits);
#else
  const size_t place = reinterpret_cast<size_t>(address);
  auto* const word = reinterpret_cast<unsigned int*>(place & ~size_t{3});
  const unsigned int shift = (place & 2) * 8;
  unsigned int seen = *word, expected;
  do {
    expected = seen;
    const HEDDLE_NUMBER sum = __hadd_rn(
        HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(static_cast<unsigned short>(expected >> shift)),
        value);
    seen = atomicCAS(word, expected,
                     (expected & ~(0xffffu << shift)) |
                         static_cast<unsigned int>(heddle::bits_of_small(sum)) << shift);
  } while (seen != expected);
  return HEDDLE_NAMED(__ushort_as_, HEDDLE_NAME, )(static_cast<unsigned short>(expected >> shift));
#endif
}
#undef HEDDLE_DEVICE_SMALL
