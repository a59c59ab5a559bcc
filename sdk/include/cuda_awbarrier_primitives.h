// Arrive-wait barriers of a block as functions: each is a cuda::barrier in shared memory.
#pragma once
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuda/barrier"

#if defined(__CUDA__)
typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef cuda::barrier<cuda::thread_scope_block>::arrival_token __mbarrier_token_t;

static __device__ __forceinline__ void __mbarrier_init(__mbarrier_t* barrier,
                                                       unsigned int expected) {
  init(barrier, expected);
}
static __device__ __forceinline__ void __mbarrier_inval(__mbarrier_t* barrier) {
#if HEDDLE_HAS_MBARRIER
  if (barrier->is_mbarrier()) heddle::mbarrier::invalidate(barrier->word());
#endif
  (void)barrier;
}
static __device__ __forceinline__ unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return barrier->arrive();
}
static __device__ __forceinline__ __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return barrier->arrive_and_drop_with_token();
}
static __device__ __forceinline__ bool __mbarrier_test_wait(__mbarrier_t* barrier,
                                                            __mbarrier_token_t token) {
  return barrier->try_wait(token);
}
static __device__ __forceinline__ bool __mbarrier_test_wait_parity(__mbarrier_t* barrier,
                                                                   bool parity) {
  return barrier->try_wait_parity(parity);
}
static __device__ __forceinline__ bool __mbarrier_try_wait(__mbarrier_t* barrier,
                                                           __mbarrier_token_t token,
                                                           unsigned int = 0) {
  return barrier->try_wait(token);
}
static __device__ __forceinline__ bool __mbarrier_try_wait_parity(__mbarrier_t* barrier,
                                                                  bool parity, unsigned int = 0) {
  return barrier->try_wait_parity(parity);
}
#endif
