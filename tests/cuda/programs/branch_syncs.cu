// Warp-synchronous intrinsics with one mask in several branches, functions and loops. From compute
// capability 7.0 on, the threads that the mask names exchange. Prints PASS or FAIL.
#include <cstdio>

#include "check.h"

constexpr int kItems = 16;

__device__ __noinline__ int shuffled(int value) { return __shfl_xor_sync(~0u, value, 16) + 100; }
__device__ __noinline__ int also_shuffled(int value) {
  return __shfl_xor_sync(~0u, value, 16) + 200;
}

__global__ void exchange(unsigned* answers) {
  const int lane = threadIdx.x % 32;
  unsigned* mine = answers + kItems * threadIdx.x;
  const auto set = [&](int item, unsigned value) { mine[item] = value; };
  int agree = 0;
  if (lane < 16)
    set(0, 1000 + __shfl_xor_sync(~0u, lane, 16));
  else
    set(0, 2000 + __shfl_xor_sync(~0u, lane, 16));
  if (lane & 1)
    set(1, __ballot_sync(~0u, lane > 7) + 1), set(2, 5);
  else
    set(1, __ballot_sync(~0u, lane > 7) + 2), set(2, 6);
  switch (lane % 3) {
    case 0: set(3, __any_sync(~0u, lane == 1) + 10); break;
    case 1: set(3, __any_sync(~0u, lane == 1) + 20); break;
    default: set(3, __any_sync(~0u, lane == 1) + 30);
  }
  if (lane % 4 == 0)
    set(4, __all_sync(~0u, lane != 3) + 2);
  else
    set(4, __all_sync(~0u, lane != 3) + 4);
  if (lane < 5)
    set(5, __match_any_sync(~0u, lane % 6) + 1);
  else
    set(5, __match_any_sync(~0u, lane % 6) + 2);
  if (lane < 20) {
    __match_all_sync(~0u, 7ll, &agree);
    set(6, agree + 50);
  } else {
    __match_all_sync(~0u, 7ll, &agree);
    set(6, agree + 60);
  }
#if __CUDA_ARCH__ >= 800
  if (lane < 9)
    set(7, __reduce_add_sync(~0u, lane) + 1);
  else
    set(7, __reduce_add_sync(~0u, lane) + 2);
  if (lane < 10)
    set(8, __reduce_xor_sync(~0u, lane * lane) + 1);
  else
    set(8, __reduce_xor_sync(~0u, lane * lane) + 2);
#else
  set(7, lane < 9 ? 497 : 498);
  set(8, lane < 10 ? 897 : 898);
#endif
  set(9, lane < 16 ? shuffled(lane) : also_shuffled(lane));
  if (lane & 2)
    set(10, shuffled(lane) * 3);
  else
    set(10, shuffled(lane) * 5);
  // Both loops make four exchanges.
  int sum = lane;
  if (lane < 16) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) sum += __shfl_xor_sync(~0u, sum, 16);
  } else {
#pragma unroll 1
    for (int i = 0; i < 2; ++i) {
      sum += __shfl_xor_sync(~0u, sum, 16);
      sum += __shfl_xor_sync(~0u, sum, 16);
    }
    sum += 1;
  }
  set(11, sum);
  // Tiles of eight threads, each with a mask of its own.
  const unsigned tile = 255u << (lane & 24);
  if (lane & 4)
    set(12, __ballot_sync(tile, lane % 3 == 0) ^ 1);
  else
    set(12, __ballot_sync(tile, lane % 3 == 0) ^ 2);
}

// Threads of a warp arrive at a barrier of the block in both branches.
__global__ void reduce(unsigned* answers) {
  unsigned* mine = answers + kItems * threadIdx.x;
  unsigned count = 0;
  if (threadIdx.x % 32 < 11) {
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; barrier.red.popc.u32 %0, 2, p; }"
                 : "=r"(count)
                 : "r"(threadIdx.x)
                 : "memory");
    mine[13] = count + 1;
  } else {
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; barrier.red.popc.u32 %0, 2, p; }"
                 : "=r"(count)
                 : "r"(threadIdx.x)
                 : "memory");
    mine[13] = count + 2;
  }
  // Each half of a warp writes for the other one.
  __shared__ unsigned tile[64];
  if (threadIdx.x & 16) {
    tile[threadIdx.x] = threadIdx.x * 3;
    __syncwarp();
    mine[14] = tile[threadIdx.x ^ 16];
  } else {
    tile[threadIdx.x] = threadIdx.x * 7;
    __syncwarp();
    mine[14] = tile[threadIdx.x ^ 16] + 1;
  }
}

int main() {
  unsigned* answers = nullptr;
  cudaMallocManaged(&answers, 64 * kItems * sizeof *answers);
  exchange<<<1, 64>>>(answers);
  reduce<<<1, 64>>>(answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (unsigned thread = 0; thread < 64; ++thread) {
    const unsigned lane = thread % 32, partner = lane ^ 16;
    unsigned sixths = 0, thirds = 0, squares = 0;
    for (unsigned other = 0; other < 32; ++other) {
      squares ^= other * other;
      if (other % 6 == lane % 6) sixths |= 1u << other;
      if (other / 8 == lane / 8 && other % 3 == 0) thirds |= 1u << other;
    }
    const unsigned expected[kItems] = {(lane < 16 ? 1000 : 2000) + partner,
                                       0xffffff00u + (lane & 1 ? 1 : 2),
                                       lane & 1 ? 5u : 6u,
                                       11 + 10 * (lane % 3),
                                       lane % 4 == 0 ? 2u : 4u,
                                       sixths + (lane < 5 ? 1 : 2),
                                       lane < 20 ? 51u : 61u,
                                       496u + (lane < 9 ? 1 : 2),
                                       squares + (lane < 10 ? 1 : 2),
                                       partner + (lane < 16 ? 100 : 200),
                                       (partner + 100) * (lane & 2 ? 3 : 5),
                                       8 * (lane + partner) + (lane < 16 ? 0 : 1),
                                       thirds ^ (lane & 4 ? 1 : 2),
                                       40u + (lane < 11 ? 1 : 2),
                                       (thread ^ 16) * (lane & 16 ? 7 : 3) + (lane & 16 ? 0 : 1)};
    for (int i = 0; i < kItems - 1; ++i)
      if (answers[kItems * thread + i] != expected[i])
        ++mistakes, std::printf("thread %u, item %d: %u, expected %u\n", thread, i,
                                answers[kItems * thread + i], expected[i]);
  }
  return report();
}
