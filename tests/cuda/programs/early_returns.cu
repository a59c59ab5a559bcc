// The remaining lanes reconverge before they shuffle, although other lanes may return early, or do.
#include <cuda_runtime.h>

#include "check.h"

__global__ void nested(int* out, const int* in) {
  const int t = threadIdx.x;
  int x = in[t];
  if (t & 1) {
    if (x == -1) return;
    x = x * 3 + out[t + 64];
  } else {
    x += 7;
  }
  out[t] = x + __shfl_xor_sync(0xffffffff, x, 1);
}

__global__ void out_of_a_loop(int* out, const int* in) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < t % 5 + 1; ++i) {
    const int value = in[(t + i) & 31];
    if (value == -1) return;
    sum += value;
    out[32 + t] = sum;
  }
  out[t] = sum + __shfl_down_sync(0xffffffff, sum, 1);
}

// Every eighth lane returns, in the first or the second iteration; the others know that.
__global__ void some_return(int* out, const int* in) {
  const int t = threadIdx.x;
  int sum = 0;
  const unsigned stay = __ballot_sync(0xffffffff, t % 8 != 3);
  for (int i = 0; i < t % 5 + 1; ++i) {
    if (i == (t % 5 > 0) && t % 8 == 3) {
      out[t] = -5;
      return;
    }
    sum += in[(t + i) & 31];
    out[32 + t] = sum;
  }
  out[t] = sum + __shfl_xor_sync(stay, sum, 8);
}

// Clang guards the exchange with a flag for lanes that return, in the loop or after it. The other
// lanes reach it from different iterations of the loop.
__global__ void led_by_a_flag(int* out, const int* in) {
  __shared__ int words[32];
  const int t = threadIdx.x, neighbour = (t + 28) % 8 == 3 ? (t + 29) % 32 : (t + 28) % 32;
  int x = in[t];
  for (int r = 0; r < 1; ++r) {
    for (int i = 0; i < t % 2 + 2 && x != 77; ++i) {
      if (t % 8 == 3 && (x & 2)) {
        out[32 + t] = x;
        return;
      }
      x ^= (t * 7 + 1) >> 1;
    }
    if (t % 8 == 3) {
      out[64 + t] = x;
      return;
    }
    words[t] = x;
    __syncwarp(0xf7f7f7f7u);
    x += words[neighbour];
    __syncwarp(0xf7f7f7f7u);
  }
  for (int r = 0; r < 2; ++r) {
    out[32 + t] = x;
    x += t;
    words[t] = x;
    __syncwarp(0xf7f7f7f7u);
    x += words[neighbour];
    __syncwarp(0xf7f7f7f7u);
  }
  out[t] = x;
}

// The compiler knows that no other case exists and generates a separate end for it.
__global__ void cases(int* out, const int* in) {
  const int t = threadIdx.x;
  int a = in[t], b = in[t + 1], c = in[t + 2], d = in[t + 3];
  const auto pick = [&](unsigned which) -> int {
    switch (which) {
      case 0: return a;
      case 1: return b;
      case 2: return c;
      case 3: return d;
    }
    __builtin_unreachable();
  };
  out[2 * t] = pick(t & 3);
  a = __shfl_xor_sync(0xffffffff, a, 1);
  b = __shfl_xor_sync(0xffffffff, b, 1);
  c = __shfl_xor_sync(0xffffffff, c, 1);
  d = __shfl_xor_sync(0xffffffff, d, 1);
  out[2 * t + 1] = pick(t & 3);
}

int main() {
  int *out = nullptr, *in = nullptr, sums[32] = {};
  cudaMallocManaged(&out, 128 * sizeof *out);
  cudaMallocManaged(&in, 36 * sizeof *in);
  for (int i = 0; i < 36; ++i) in[i] = i * 5 % 23;
  for (int i = 0; i < 128; ++i) out[i] = 0;
  for (int t = 0; t < 32; ++t)
    for (int i = 0; i < t % 5 + 1; ++i) sums[t] += in[(t + i) & 31];

  nested<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const auto mixed = [&](int t) { return t & 1 ? in[t] * 3 : in[t] + 7; };
  for (int t = 0; t < 32; ++t) EXPECT(out[t] == mixed(t) + mixed(t ^ 1));

  out_of_a_loop<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 31; ++t) EXPECT(out[t] == sums[t] + sums[t + 1]);

  some_return<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; ++t) EXPECT(out[t] == (t % 8 == 3 ? -5 : sums[t] + sums[t ^ 8]));

  led_by_a_flag<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int x[32], before[32];
  for (int t = 0; t < 32; ++t) {
    x[t] = in[t];
    for (int i = 0; i < t % 2 + 2 && x[t] != 77; ++i) x[t] ^= (t * 7 + 1) >> 1;
  }
  for (int r = 0; r < 3; ++r) {
    for (int t = 0; t < 32; ++t) before[t] = x[t] + (r ? t : 0);
    for (int t = 0; t < 32; ++t)
      x[t] = before[t] + before[(t + 28) % 8 == 3 ? (t + 29) % 32 : (t + 28) % 32];
  }
  for (int t = 0; t < 32; ++t) EXPECT(t % 8 == 3 || out[t] == x[t]);

  cases<<<1, 32>>>(out, in);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 32; ++t)
    EXPECT(out[2 * t] == in[t + (t & 3)] && out[2 * t + 1] == in[(t ^ 1) + (t & 3)]);
  return report();
}
