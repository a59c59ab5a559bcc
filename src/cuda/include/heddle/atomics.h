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
