// Functions for device code: clang's own CUDA headers (part of the compiler, no toolkit needed), in
// the order of their dependencies, and what NVIDIA's headers add. Mathematics calls __nv_*
// functions, which the compile driver links as bitcode.
#pragma once

#include "builtin_variables.h"
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_math_forward_declares.h>

// Clang's operator new and delete for the device call these. From C++20 on the headers of the C++
// library include them.
extern "C" {
__device__ void free(void*) __attribute((nothrow));
__device__ void* malloc(__SIZE_TYPE__) __attribute((nothrow)) __attribute__((malloc));
}
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>

// The C headers of the C++ library declare its names in the global namespace. This must happen
// before device functions are declared.
#include <math.h>
#include <stdlib.h>

// Without line information an inlined wrapper is attributed to the user's line that calls it.
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))
#pragma push_macro("__THROW")
#undef __THROW
#define __THROW
// As nvcc knows it, code after it is not reached.
static __device__ void __trap(void) __attribute__((noreturn));
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__THROW")

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
__device__ int printf(const char*, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std {
using ::free;
using ::malloc;
}  // namespace std
#include <new>  // with clang's operator new and delete for the device

#ifdef __CUDA_ARCH__  // the built-in variables convert to the vector types that the program sees
#define HEDDLE_CONVERTS(type)                                             \
  __device__ inline type::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline type::operator uint3() const { return uint3{x, y, z}; }
HEDDLE_CONVERTS(__cuda_builtin_threadIdx_t)
HEDDLE_CONVERTS(__cuda_builtin_blockIdx_t)
HEDDLE_CONVERTS(__cuda_builtin_blockDim_t)
HEDDLE_CONVERTS(__cuda_builtin_gridDim_t)
#undef HEDDLE_CONVERTS
#endif

__device__ inline unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
__device__ inline unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
__device__ inline unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
__device__ inline unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
#ifdef __HEDDLE_OPAQUE_CASTS__  // where a pointer is known to be of another space, clang ends
#define HEDDLE_CAST(space, number, p)                             \
  size_t address;                                                 \
  asm("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(p)); \
  return address
#else
#define HEDDLE_CAST(space, number, p) \
  return reinterpret_cast<size_t>((const void __attribute__((address_space(number)))*)p)
#endif
#define HEDDLE_CVTA(space, number)                                                   \
  __device__ inline size_t __cvta_generic_to_##space(const void* p) {                \
    HEDDLE_CAST(space, number, p);                                                   \
  }                                                                                  \
  __device__ inline void* __cvta_##space##_to_generic(size_t p) {                    \
    return (void*)reinterpret_cast<void __attribute__((address_space(number)))*>(p); \
  }
HEDDLE_CVTA(global, 1)
HEDDLE_CVTA(shared, 3)
HEDDLE_CVTA(constant, 4)
HEDDLE_CVTA(local, 5)
#undef HEDDLE_CVTA
#undef HEDDLE_CAST
#define __prof_trigger(number) asm volatile("pmevent " #number ";")

#include <__clang_cuda_cmath.h>
#if __CUDA_ARCH__ >= 700
#include "heddle/old_shuffles.h"
#endif
#include "heddle/warp_reductions.h"

#include "heddle/atomics.h"
#include "heddle/cached_access.h"
#include "heddle/math_overloads.h"
#ifdef __CUDA_ARCH__
#include "heddle/variadic.h"
#endif
#pragma pop_macro("__device__")
