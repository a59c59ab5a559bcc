// Marsaglia's xorwow generator with the skip-ahead that cuRAND has: thread t starts 2^67 * t steps
// after thread 0. A skip multiplies the 160 bits of the state by matrices over GF(2) in global
// memory, one for each base-4 digit of t. A thread reads a row of 5 words for each bit that is set
// in its vector, which it keeps in local memory.
#pragma once

#include "../common.h"

namespace workload {

constexpr int kWords = 5, kBits = 32 * kWords, kMatrixWords = kBits * kWords;
constexpr int kDigits = 12;  // base-4 digits of a thread's number

struct Xorwow {
  unsigned v[kWords], d;
};

__host__ __device__ inline void advance(unsigned (&v)[kWords]) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

__host__ __device__ inline unsigned next(Xorwow& state) {
  advance(state.v);
  state.d += 362437;
  return state.v[4] + state.d;
}

// 0 < x <= 1
__host__ __device__ inline float uniform(Xorwow& state) {
  return (static_cast<float>(next(state)) + 0.5f) * 2.3283064e-10f;
}

// The vector and the product of a multiplication are in local memory on the device, as with cuRAND,
// which keeps both in one scratch array: volatile forbids registers. Each bit is tested in memory;
// the product is in registers while the bits of one word are added. This is the split that gives
// the long operations of LFWS table 2 (docs/workloads.md).
struct Scratch {
  volatile unsigned vector[kWords], product[kWords];
};

__host__ __device__ inline void multiply(Scratch& scratch, const unsigned* matrix) {
  for (int k = 0; k < kWords; ++k) scratch.product[k] = 0;
#pragma unroll 1
  for (int i = 0; i < kWords; ++i) {
    unsigned sum[kWords];
#pragma unroll
    for (int k = 0; k < kWords; ++k) sum[k] = scratch.product[k];
#pragma unroll 1
    for (int j = 0; j < 32; ++j) {
      if (!(scratch.vector[i] & (1u << j))) continue;
#pragma unroll
      for (int k = 0; k < kWords; ++k) sum[k] ^= matrix[kWords * (i * 32 + j) + k];
    }
#pragma unroll
    for (int k = 0; k < kWords; ++k) scratch.product[k] = sum[k];
  }
#pragma unroll
  for (int k = 0; k < kWords; ++k) scratch.vector[k] = scratch.product[k];
}

__host__ __device__ inline Xorwow seeded(const unsigned* matrices, unsigned sequence) {
  Xorwow state{{123456789u ^ 0x5491333u, 362436069u, 521288629u ^ 0x3ade68b1u, 88675123u, 5783321u},
               6615241u};
  Scratch scratch;
  for (int k = 0; k < kWords; ++k) scratch.vector[k] = state.v[k];
  for (; sequence; sequence >>= 2, matrices += kMatrixWords)
    for (unsigned i = 0; i < (sequence & 3); ++i) multiply(scratch, matrices);
  for (int k = 0; k < kWords; ++k) state.v[k] = scratch.vector[k];
  return state;
}

__global__ void seed_generators(Xorwow* states, const unsigned* matrices) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  states[thread] = seeded(matrices, thread);
}

inline std::vector<unsigned> squared(const std::vector<unsigned>& matrix) {
  std::vector<unsigned> result(kMatrixWords);
  for (std::size_t row = 0; row < kBits; ++row) {
    Scratch scratch;
    for (int k = 0; k < kWords; ++k) scratch.vector[k] = matrix[row * kWords + k];
    multiply(scratch, matrix.data());
    for (int k = 0; k < kWords; ++k) result[row * kWords + k] = scratch.vector[k];
  }
  return result;
}

// Matrix i advances a state by 2^67 * 4^i steps.
inline std::vector<unsigned> skip_matrices() {
  std::vector<unsigned> matrix(kMatrixWords), all;
  for (int bit = 0; bit < kBits; ++bit) {
    unsigned v[kWords] = {};
    v[bit / 32] = 1u << (bit % 32);
    advance(v);
    std::memcpy(&matrix[std::size_t(bit) * kWords], v, sizeof v);
  }
  for (int i = 0; i < 67; ++i) matrix = squared(matrix);
  for (int digit = 0; digit < kDigits; ++digit) {
    all.insert(all.end(), matrix.begin(), matrix.end());
    matrix = squared(squared(matrix));
  }
  return all;
}

// The number of CTAs of the SDK's Monte Carlo programs on 15 SMs: halved until at most 20 per SM.
inline int monte_carlo_grid(int simulations, int block) {
  int grid = blocks_for(simulations, block);
  while (grid > 2 * 10 * 15) grid >>= 1;
  return grid;
}

// The sum over a CTA of a power of two of threads, in thread 0. `shared` has a value per thread.
template <class T>
__device__ inline T sum_of_cta(T value, T* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

}  // namespace workload
