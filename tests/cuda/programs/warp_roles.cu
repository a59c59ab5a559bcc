// Parts of a warp that exchange work, each with its own warp barriers: from sm_70 on, any
// bar.warp.sync with the same mask matches.
#include <cuda_runtime.h>

#include "check.h"

__global__ void halves(int* out, const int* in) {
  __shared__ volatile int words[32];
  const int t = threadIdx.x;
  int x = in[t];
  if (t < 16) {
    words[t] = x * 3;
    __syncwarp();
    x += words[t + 16];
    __syncwarp();
    words[t] = x;
    __syncwarp();
    out[t] = x;
  } else {
    words[t] = x * 5;
    __syncwarp();
    x -= words[t - 16];
    __syncwarp();
    out[t] = 0;
    __syncwarp();
    out[t] = x + words[t - 16];
  }
}

// One lane writes what the others read, both in functions.
__device__ __noinline__ void give(volatile int* words, const int* in, int round) {
  for (int i = 0; i < 32; ++i) words[i] = in[i] * round + i;
  __syncwarp();
  __syncwarp();
}
__device__ __noinline__ int take(volatile int* words, int t) {
  __syncwarp();
  const int value = words[t];
  __syncwarp();
  return value;
}
template <bool kByCalls>
__global__ void one_for_all(int* out, const int* in) {
  __shared__ volatile int words[32];
  const int t = threadIdx.x;
  int sum = -1;
  if (t == 0) {
    for (int round = 0; round < 10; ++round) {
      if (kByCalls) {
        give(words, in, round);
      } else {
        for (int i = 0; i < 32; ++i) words[i] = in[i] * round + i;
        __syncwarp();
        __syncwarp();
      }
    }
  } else {
    sum = 0;
    for (int round = 0; round < 10; ++round) {
      if (kByCalls) {
        sum += take(words, t);
      } else {
        __syncwarp();
        sum += words[t];
        __syncwarp();
      }
    }
  }
  out[t] = sum;
}

// Four roles; one is independent of the others.
__global__ void cases(int* out, const int* in) {
  __shared__ volatile int words[32];
  const int t = threadIdx.x;
  int x = in[t];
  switch (t & 3) {
    case 0:
      words[t] = x;
      __syncwarp(0x77777777);
      x = words[t + 1];
      break;
    case 1:
      words[t] = x * 2;
      __syncwarp(0x77777777);
      x = words[t + 1];
      break;
    case 2:
      words[t] = x * 3;
      __syncwarp(0x77777777);
      x = words[t - 2];
      break;
    default: x = 9;
  }
  out[t] = x;
}

int main() {
  int *out = nullptr, *in = nullptr;
  cudaMallocManaged(&out, 32 * sizeof *out);
  cudaMallocManaged(&in, 32 * sizeof *in);
  for (int i = 0; i < 32; ++i) in[i] = (i * 37 + 5) % 53;

  halves<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 16; ++i) {
    EXPECT(out[i] == in[i] + in[i + 16] * 5);
    EXPECT(out[i + 16] == in[i + 16] - in[i] * 3 + out[i]);
  }
  for (const bool calls : {false, true}) {
    if (calls)
      one_for_all<true><<<1, 32>>>(out, in);
    else
      one_for_all<false><<<1, 32>>>(out, in);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 32; ++i) EXPECT(out[i] == (i == 0 ? -1 : in[i] * 45 + i * 10));
  }
  cases<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 32; i += 4)
    EXPECT(out[i] == in[i + 1] * 2 && out[i + 1] == in[i + 2] * 3 && out[i + 2] == in[i] &&
           out[i + 3] == 9);
  return report();
}
