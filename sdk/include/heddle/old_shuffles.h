// __shfl and similar functions without a mask, for sm_70 and later, where clang and nvcc do not
// have them. Programs from before Volta call them without selecting an architecture. PTX's shfl
// among the active lanes keeps their meaning. It is written as assembly, because clang rejects the
// built-in.
#pragma once

#define HEDDLE_OLD_SHUFFLE(mode)                                                          \
  __device__ inline int __heddle_shfl_##mode##_i32(int value, int which, int clamp) {     \
    int from;                                                                             \
    asm volatile("shfl." #mode ".b32 %0, %1, %2, %3;"                                     \
                 : "=r"(from)                                                             \
                 : "r"(value), "r"(which), "r"(clamp));                                   \
    return from;                                                                          \
  }                                                                                       \
  __device__ inline float __heddle_shfl_##mode##_f32(float value, int which, int clamp) { \
    return __nvvm_bitcast_i2f(                                                            \
        __heddle_shfl_##mode##_i32(__nvvm_bitcast_f2i(value), which, clamp));             \
  }
HEDDLE_OLD_SHUFFLE(idx)
HEDDLE_OLD_SHUFFLE(up)
HEDDLE_OLD_SHUFFLE(down)
HEDDLE_OLD_SHUFFLE(bfly)
#undef HEDDLE_OLD_SHUFFLE

#define __nvvm_shfl_idx_i32 __heddle_shfl_idx_i32
#define __nvvm_shfl_idx_f32 __heddle_shfl_idx_f32
#define __nvvm_shfl_up_i32 __heddle_shfl_up_i32
#define __nvvm_shfl_up_f32 __heddle_shfl_up_f32
#define __nvvm_shfl_down_i32 __heddle_shfl_down_i32
#define __nvvm_shfl_down_f32 __heddle_shfl_down_f32
#define __nvvm_shfl_bfly_i32 __heddle_shfl_bfly_i32
#define __nvvm_shfl_bfly_f32 __heddle_shfl_bfly_f32
