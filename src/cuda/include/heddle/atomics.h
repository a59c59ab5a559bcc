// atomicAdd and its relatives on the types CUDA gives them. Each becomes one atom instruction; a generic address is narrowed to
// .global or .shared where the compiler can see which it is.
#pragma once

#define HEDDLE_ATOMIC(name, type, builtin) \
  static __device__ __forceinline__ type name(type* address, type value) { return builtin(address, value); }

HEDDLE_ATOMIC(atomicAdd, int, __iAtomicAdd)
HEDDLE_ATOMIC(atomicAdd, unsigned int, __uAtomicAdd)
HEDDLE_ATOMIC(atomicAdd, unsigned long long, __ullAtomicAdd)
HEDDLE_ATOMIC(atomicAdd, float, __fAtomicAdd)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
HEDDLE_ATOMIC(atomicAdd, double, __dAtomicAdd)
#endif
HEDDLE_ATOMIC(atomicExch, int, __iAtomicExch)
HEDDLE_ATOMIC(atomicExch, unsigned int, __uAtomicExch)
HEDDLE_ATOMIC(atomicExch, unsigned long long, __ullAtomicExch)
HEDDLE_ATOMIC(atomicExch, float, __fAtomicExch)
HEDDLE_ATOMIC(atomicMin, int, __iAtomicMin)
HEDDLE_ATOMIC(atomicMin, unsigned int, __uAtomicMin)
HEDDLE_ATOMIC(atomicMin, long long, __illAtomicMin)
HEDDLE_ATOMIC(atomicMin, unsigned long long, __ullAtomicMin)
HEDDLE_ATOMIC(atomicMax, int, __iAtomicMax)
HEDDLE_ATOMIC(atomicMax, unsigned int, __uAtomicMax)
HEDDLE_ATOMIC(atomicMax, long long, __illAtomicMax)
HEDDLE_ATOMIC(atomicMax, unsigned long long, __ullAtomicMax)
HEDDLE_ATOMIC(atomicInc, unsigned int, __uAtomicInc)
HEDDLE_ATOMIC(atomicDec, unsigned int, __uAtomicDec)
HEDDLE_ATOMIC(atomicAnd, int, __iAtomicAnd)
HEDDLE_ATOMIC(atomicAnd, unsigned int, __uAtomicAnd)
HEDDLE_ATOMIC(atomicAnd, unsigned long long, __ullAtomicAnd)
HEDDLE_ATOMIC(atomicOr, int, __iAtomicOr)
HEDDLE_ATOMIC(atomicOr, unsigned int, __uAtomicOr)
HEDDLE_ATOMIC(atomicOr, unsigned long long, __ullAtomicOr)
HEDDLE_ATOMIC(atomicXor, int, __iAtomicXor)
HEDDLE_ATOMIC(atomicXor, unsigned int, __uAtomicXor)
HEDDLE_ATOMIC(atomicXor, unsigned long long, __ullAtomicXor)
#undef HEDDLE_ATOMIC

#define HEDDLE_SUBTRACT(type, builtin)                                                     \
  static __device__ __forceinline__ type atomicSub(type* address, type value) {            \
    return builtin(address, static_cast<type>(0u - static_cast<unsigned int>(value)));     \
  }
HEDDLE_SUBTRACT(int, __iAtomicAdd)
HEDDLE_SUBTRACT(unsigned int, __uAtomicAdd)
#undef HEDDLE_SUBTRACT

#define HEDDLE_COMPARE_AND_SWAP(type, builtin)                                                  \
  static __device__ __forceinline__ type atomicCAS(type* address, type expected, type desired) { \
    return builtin(address, expected, desired);                                                 \
  }
HEDDLE_COMPARE_AND_SWAP(int, __iAtomicCAS)
HEDDLE_COMPARE_AND_SWAP(unsigned int, __uAtomicCAS)
HEDDLE_COMPARE_AND_SWAP(unsigned long long, __ullAtomicCAS)
#undef HEDDLE_COMPARE_AND_SWAP

// Scopes of a block and of the whole system, from compute capability 6.0 on as in CUDA.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HEDDLE_SCOPED_AT(scope, name, type, builtin) \
  static __device__ __forceinline__ type name##_##scope(type* address, type value) { return builtin##_##scope(address, value); }
#define HEDDLE_SCOPED(name, type, builtin)      \
  HEDDLE_SCOPED_AT(block, name, type, builtin)  \
  HEDDLE_SCOPED_AT(system, name, type, builtin)
HEDDLE_SCOPED(atomicAdd, int, __iAtomicAdd)
HEDDLE_SCOPED(atomicAdd, unsigned int, __uAtomicAdd)
HEDDLE_SCOPED(atomicAdd, unsigned long long, __ullAtomicAdd)
HEDDLE_SCOPED(atomicAdd, float, __fAtomicAdd)
HEDDLE_SCOPED(atomicAdd, double, __dAtomicAdd)
HEDDLE_SCOPED(atomicExch, int, __iAtomicExch)
HEDDLE_SCOPED(atomicExch, unsigned int, __uAtomicExch)
HEDDLE_SCOPED(atomicExch, unsigned long long, __ullAtomicExch)
HEDDLE_SCOPED(atomicExch, float, __fAtomicExch)
HEDDLE_SCOPED(atomicMin, int, __iAtomicMin)
HEDDLE_SCOPED(atomicMin, unsigned int, __uAtomicMin)
HEDDLE_SCOPED(atomicMin, long long, __illAtomicMin)
HEDDLE_SCOPED(atomicMin, unsigned long long, __ullAtomicMin)
HEDDLE_SCOPED(atomicMax, int, __iAtomicMax)
HEDDLE_SCOPED(atomicMax, unsigned int, __uAtomicMax)
HEDDLE_SCOPED(atomicMax, long long, __illAtomicMax)
HEDDLE_SCOPED(atomicMax, unsigned long long, __ullAtomicMax)
HEDDLE_SCOPED(atomicInc, unsigned int, __uAtomicInc)
HEDDLE_SCOPED(atomicDec, unsigned int, __uAtomicDec)
HEDDLE_SCOPED(atomicAnd, int, __iAtomicAnd)
HEDDLE_SCOPED(atomicAnd, unsigned int, __uAtomicAnd)
HEDDLE_SCOPED(atomicAnd, unsigned long long, __ullAtomicAnd)
HEDDLE_SCOPED(atomicOr, int, __iAtomicOr)
HEDDLE_SCOPED(atomicOr, unsigned int, __uAtomicOr)
HEDDLE_SCOPED(atomicOr, unsigned long long, __ullAtomicOr)
HEDDLE_SCOPED(atomicXor, int, __iAtomicXor)
HEDDLE_SCOPED(atomicXor, unsigned int, __uAtomicXor)
HEDDLE_SCOPED(atomicXor, unsigned long long, __ullAtomicXor)
#undef HEDDLE_SCOPED
#undef HEDDLE_SCOPED_AT

#define HEDDLE_SCOPED_SUB(scope, type)                                                         \
  static __device__ __forceinline__ type atomicSub_##scope(type* address, type value) {                  \
    return atomicAdd_##scope(address, static_cast<type>(0u - static_cast<unsigned int>(value)));         \
  }
HEDDLE_SCOPED_SUB(block, int)
HEDDLE_SCOPED_SUB(system, int)
HEDDLE_SCOPED_SUB(block, unsigned int)
HEDDLE_SCOPED_SUB(system, unsigned int)
#undef HEDDLE_SCOPED_SUB

#define HEDDLE_SCOPED_SWAP(scope, type, builtin)                                                                  \
  static __device__ __forceinline__ type atomicCAS_##scope(type* address, type expected, type desired) {          \
    return builtin##_##scope(address, expected, desired);                                                         \
  }
HEDDLE_SCOPED_SWAP(block, int, __iAtomicCAS)
HEDDLE_SCOPED_SWAP(system, int, __iAtomicCAS)
HEDDLE_SCOPED_SWAP(block, unsigned int, __uAtomicCAS)
HEDDLE_SCOPED_SWAP(system, unsigned int, __uAtomicCAS)
HEDDLE_SCOPED_SWAP(block, unsigned long long, __ullAtomicCAS)
HEDDLE_SCOPED_SWAP(system, unsigned long long, __ullAtomicCAS)
#undef HEDDLE_SCOPED_SWAP
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short desired) {
  unsigned short before;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(before) : "l"(address), "h"(expected), "h"(desired) : "memory");
  return before;
}
#endif
