// Clang's own header, except __reduce_..._sync: clang 19 exchanges the mask and the value.
#pragma once

#define __reduce_add_sync heddle_clang_reduce_add
#define __reduce_min_sync heddle_clang_reduce_min
#define __reduce_max_sync heddle_clang_reduce_max
#define __reduce_and_sync heddle_clang_reduce_and
#define __reduce_or_sync heddle_clang_reduce_or
#define __reduce_xor_sync heddle_clang_reduce_xor
#define warpSize 32  // the program may have its own
#include <__clang_cuda_intrinsics.h>
#undef warpSize
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HEDDLE_REDUCES(name, type, builtin)                                         \
  __device__ inline type __reduce_##name##_sync(unsigned int members, type value) { \
    return __nvvm_redux_sync_##builtin(value, members);                             \
  }
HEDDLE_REDUCES(add, unsigned int, add)
HEDDLE_REDUCES(add, int, add)
HEDDLE_REDUCES(min, unsigned int, umin)
HEDDLE_REDUCES(min, int, min)
HEDDLE_REDUCES(max, unsigned int, umax)
HEDDLE_REDUCES(max, int, max)
HEDDLE_REDUCES(and, unsigned int, and)
HEDDLE_REDUCES(or, unsigned int, or)
HEDDLE_REDUCES(xor, unsigned int, xor)
#undef HEDDLE_REDUCES
#endif
