// threadIdx and similar variables. On the device they have clang's types, which its other headers
// use; objects of clang's own types cannot be copied, nvcc's can ("auto t = threadIdx;", templates
// with parameters by value). On the host they have nvcc's types, because programs declare them
// there again ("extern const dim3 blockDim;").
#pragma once

#define __CUDA_BUILTIN_VARS_H  // replaces <__clang_cuda_builtin_vars.h>

struct dim3;
struct uint3;

#define HEDDLE_FIELD(field, name)                                                              \
  __declspec(property(get = __fetch_builtin_##field)) unsigned int field;                      \
  static inline                                                                                \
      __attribute__((device, always_inline, nodebug)) unsigned int __fetch_builtin_##field() { \
    return __nvvm_read_ptx_sreg_##name##_##field();                                            \
  }
#define HEDDLE_VARIABLE(variable, name)                                                        \
  struct __cuda_builtin_##variable##_t {                                                       \
    HEDDLE_FIELD(x, name)                                                                      \
    HEDDLE_FIELD(y, name) HEDDLE_FIELD(z, name) __attribute__((device)) operator dim3() const; \
    __attribute__((device)) operator uint3() const;                                            \
    __attribute__((device)) __cuda_builtin_##variable##_t* operator&() const = delete;         \
  };                                                                                           \
  extern const __attribute__((device)) __attribute__((weak)) __cuda_builtin_##variable##_t variable;
#ifdef __CUDA_ARCH__
HEDDLE_VARIABLE(threadIdx, tid)
HEDDLE_VARIABLE(blockIdx, ctaid)
HEDDLE_VARIABLE(blockDim, ntid)
HEDDLE_VARIABLE(gridDim, nctaid)
#else
extern const __attribute__((device)) __attribute__((weak)) uint3 threadIdx, blockIdx;
extern const __attribute__((device)) __attribute__((weak)) dim3 blockDim, gridDim;
#endif
#undef HEDDLE_VARIABLE
#undef HEDDLE_FIELD

#ifndef __HEDDLE_FREES_WARP_SIZE__  // the program has its own
__attribute__((device)) const int warpSize = 32;
#endif
