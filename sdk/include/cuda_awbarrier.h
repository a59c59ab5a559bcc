// Arrive-wait barriers of a block, with the names of CUDA 11's experimental header.
#pragma once
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
namespace nvcuda {
namespace experimental {
class awbarrier {
 public:
  typedef __mbarrier_token_t arrival_token;
  awbarrier() = default;
  __device__ friend void init(awbarrier* barrier, unsigned int expected) {
    ::__mbarrier_init(&barrier->barrier_, expected);
  }
  __device__ arrival_token arrive() { return barrier_.arrive(); }
  __device__ arrival_token arrive_and_drop() { return barrier_.arrive_and_drop_with_token(); }
  __device__ bool timed_wait(arrival_token token, unsigned int = 0) {
    return barrier_.try_wait(token);
  }
  __device__ void wait(arrival_token token) { barrier_.wait(token); }
  __device__ void arrive_and_wait() { barrier_.arrive_and_wait(); }

 private:
  __mbarrier_t barrier_;
};
}  // namespace experimental
}  // namespace nvcuda
#endif
