// Asynchronous copies from global to shared memory, in groups that a thread commits and waits for.
#pragma once
#define _CUDA_PIPELINE_PRIMITIVES_H_

#if defined(__CUDA__)
#include "cuda_awbarrier_primitives.h"
#endif

#if defined(__cplusplus)
#include "heddle/async_copy.h"
#define HEDDLE_PIPELINE static __inline__ __device__ __attribute__((always_inline))

// Copies 4, 8 or 16 bytes; the last `zeroes` bytes are set to 0 instead.
HEDDLE_PIPELINE void __pipeline_memcpy_async(void* shared, const void* global, __SIZE_TYPE__ bytes,
                                             __SIZE_TYPE__ zeroes = 0) {
  heddle::copy_async(shared, global, bytes, zeroes);
}

HEDDLE_PIPELINE void __pipeline_commit() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

// Waits for all groups except the last `allowed`, which is at most 8.
HEDDLE_PIPELINE void __pipeline_wait_prior(__SIZE_TYPE__ allowed) {
#if defined(__CUDA_ARCH__)
#define HEDDLE_WAIT(n) \
  case n: asm volatile("cp.async.wait_group " #n ";" : : : "memory"); break;
  switch (allowed) {
    HEDDLE_WAIT(0)
    HEDDLE_WAIT(1)
    HEDDLE_WAIT(2)
    HEDDLE_WAIT(3)
    HEDDLE_WAIT(4)
    HEDDLE_WAIT(5)
    HEDDLE_WAIT(6)
    HEDDLE_WAIT(7)
    default: asm volatile("cp.async.wait_group 8;" : : : "memory");
  }
#undef HEDDLE_WAIT
#else
  (void)allowed;
#endif
}

#if defined(__CUDA__)
// The phase lasts until the thread's copies so far are complete.
HEDDLE_PIPELINE void __pipeline_arrive_on(__mbarrier_t* barrier) { arrive_after_copies(*barrier); }
#endif

#undef HEDDLE_PIPELINE
#endif
