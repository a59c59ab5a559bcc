// atomicAdd and similar functions, for the types of CUDA. Each becomes one atom instruction. The
// compiler replaces a generic address by .global or .shared if it can.
#pragma once

// Atomics of every architecture, as apply(name, type, clang's builtin).
#define HEDDLE_FOR_ATOMICS(apply)                                                                  \
  apply(atomicAdd, int, __iAtomicAdd) apply(atomicAdd, unsigned int, __uAtomicAdd) apply(          \
      atomicAdd, unsigned long long, __ullAtomicAdd) apply(atomicAdd, float, __fAtomicAdd)         \
      apply(atomicExch, int, __iAtomicExch) apply(atomicExch, unsigned int, __uAtomicExch) apply(  \
          atomicExch, unsigned long long, __ullAtomicExch) apply(atomicExch, float, __fAtomicExch) \
          apply(atomicMin, int, __iAtomicMin) apply(atomicMin, unsigned int, __uAtomicMin)         \
              apply(atomicMin, long long, __illAtomicMin)                                          \
                  apply(atomicMin, unsigned long long, __ullAtomicMin) apply(                      \
                      atomicMax, int, __iAtomicMax) apply(atomicMax, unsigned int, __uAtomicMax)   \
                      apply(atomicMax, long long, __illAtomicMax)                                  \
                          apply(atomicMax, unsigned long long, __ullAtomicMax)                     \
                              apply(atomicInc, unsigned int, __uAtomicInc)                         \
                                  apply(atomicDec, unsigned int, __uAtomicDec) apply(              \
                                      atomicAnd, int, __iAtomicAnd) apply(atomicAnd, unsigned int, \
                                                                          __uAtomicAnd)            \
                                      apply(atomicAnd, long long, __llAtomicAnd) apply(            \
                                          atomicAnd, unsigned long long, __ullAtomicAnd)           \
                                          apply(atomicOr, int, __iAtomicOr) apply(                 \
                                              atomicOr, unsigned int, __uAtomicOr)                 \
                                              apply(atomicOr, long long, __llAtomicOr) apply(      \
                                                  atomicOr, unsigned long long, __ullAtomicOr)     \
                                                  apply(atomicXor, int, __iAtomicXor) apply(       \
                                                      atomicXor, unsigned int, __uAtomicXor)       \
                                                      apply(atomicXor, long long, __llAtomicXor)   \
                                                          apply(atomicXor, unsigned long long,     \
                                                                __ullAtomicXor)

#define HEDDLE_ATOMIC(name, type, builtin)                                 \
  static __device__ __forceinline__ type name(type* address, type value) { \
    return builtin(address, value);                                        \
  }
HEDDLE_FOR_ATOMICS(HEDDLE_ATOMIC)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
HEDDLE_ATOMIC(atomicAdd, double, __dAtomicAdd)
#endif
#undef HEDDLE_ATOMIC

#define HEDDLE_SUBTRACT(type, builtin)                                                 \
  static __device__ __forceinline__ type atomicSub(type* address, type value) {        \
    return builtin(address, static_cast<type>(0u - static_cast<unsigned int>(value))); \
  }
HEDDLE_SUBTRACT(int, __iAtomicAdd)
HEDDLE_SUBTRACT(unsigned int, __uAtomicAdd)
#undef HEDDLE_SUBTRACT

#define HEDDLE_COMPARE_AND_SWAP(type, builtin)                                                   \
  static __device__ __forceinline__ type atomicCAS(type* address, type expected, type desired) { \
    return builtin(address, expected, desired);                                                  \
  }
HEDDLE_COMPARE_AND_SWAP(int, __iAtomicCAS)
HEDDLE_COMPARE_AND_SWAP(unsigned int, __uAtomicCAS)
HEDDLE_COMPARE_AND_SWAP(unsigned long long, __ullAtomicCAS)
#undef HEDDLE_COMPARE_AND_SWAP

// Block and system scope, from compute capability 6.0 on, as in CUDA.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HEDDLE_SCOPED_AT(scope, name, type, builtin)                                 \
  static __device__ __forceinline__ type name##_##scope(type* address, type value) { \
    return builtin##_##scope(address, value);                                        \
  }
#define HEDDLE_SCOPED(name, type, builtin)     \
  HEDDLE_SCOPED_AT(block, name, type, builtin) \
  HEDDLE_SCOPED_AT(system, name, type, builtin)
HEDDLE_FOR_ATOMICS(HEDDLE_SCOPED)
HEDDLE_SCOPED(atomicAdd, double, __dAtomicAdd)
#undef HEDDLE_SCOPED
#undef HEDDLE_SCOPED_AT

#define HEDDLE_SCOPED_SUB(scope, type)                                                           \
  static __device__ __forceinline__ type atomicSub_##scope(type* address, type value) {          \
    return atomicAdd_##scope(address, static_cast<type>(0u - static_cast<unsigned int>(value))); \
  }
HEDDLE_SCOPED_SUB(block, int)
HEDDLE_SCOPED_SUB(system, int)
HEDDLE_SCOPED_SUB(block, unsigned int)
HEDDLE_SCOPED_SUB(system, unsigned int)
#undef HEDDLE_SCOPED_SUB

#define HEDDLE_SCOPED_SWAP(scope, type, builtin)                                         \
  static __device__ __forceinline__ type atomicCAS_##scope(type* address, type expected, \
                                                           type desired) {               \
    return builtin##_##scope(address, expected, desired);                                \
  }
HEDDLE_SCOPED_SWAP(block, int, __iAtomicCAS)
HEDDLE_SCOPED_SWAP(system, int, __iAtomicCAS)
HEDDLE_SCOPED_SWAP(block, unsigned int, __uAtomicCAS)
HEDDLE_SCOPED_SWAP(system, unsigned int, __uAtomicCAS)
HEDDLE_SCOPED_SWAP(block, unsigned long long, __ullAtomicCAS)
HEDDLE_SCOPED_SWAP(system, unsigned long long, __ullAtomicCAS)
#undef HEDDLE_SCOPED_SWAP
#endif
#undef HEDDLE_FOR_ATOMICS

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ unsigned short atomicCAS(unsigned short* address,
                                                           unsigned short expected,
                                                           unsigned short desired) {
  unsigned short before;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(before)
               : "l"(address), "h"(expected), "h"(desired)
               : "memory");
  return before;
}
#endif

// 16 bytes, of any type with this size and alignment.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace heddle {
struct Halves {
  unsigned long long lower, upper;
};
}  // namespace heddle
template <class T, class = typename std::enable_if<sizeof(T) == 16 && alignof(T) >= 16>::type>
static __device__ __forceinline__ T atomicExch(T* address, T value) {
  heddle::Halves v, old;
  __builtin_memcpy(&v, &value, 16);
  asm volatile(
      "{\n\t.reg .b128 d, b;\n\tmov.b128 b, {%3, %4};\n\tatom.exch.b128 d, [%2], b;\n\tmov.b128 "
      "{%0, %1}, d;\n\t}"
      : "=l"(old.lower), "=l"(old.upper)
      : "l"(address), "l"(v.lower), "l"(v.upper)
      : "memory");
  T before;
  __builtin_memcpy(&before, &old, 16);
  return before;
}
template <class T, class = typename std::enable_if<sizeof(T) == 16 && alignof(T) >= 16>::type>
static __device__ __forceinline__ T atomicCAS(T* address, T expected, T desired) {
  heddle::Halves e, d, old;
  __builtin_memcpy(&e, &expected, 16);
  __builtin_memcpy(&d, &desired, 16);
  asm volatile(
      "{\n\t.reg .b128 d, b, c;\n\tmov.b128 b, {%3, %4};\n\tmov.b128 c, {%5, %6};\n\tatom.cas.b128 "
      "d, [%2], b, c;\n\tmov.b128 {%0, %1}, d;\n\t}"
      : "=l"(old.lower), "=l"(old.upper)
      : "l"(address), "l"(e.lower), "l"(e.upper), "l"(d.lower), "l"(d.upper)
      : "memory");
  T before;
  __builtin_memcpy(&before, &old, 16);
  return before;
}
#endif
