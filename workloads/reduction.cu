// Sum of an array: every CTA adds 512 elements in shared memory and halves the active threads
// between barriers. Launches repeat until one sum remains.
#include "common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void sum_blocks(const float* in, float* sums, int n) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * (2 * kBlock) + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  partial[t] = sum;
  __syncthreads();
#pragma unroll 1
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "reduction", {{"elements", 8192, 524288, 4194304}});
  const int n = sizes[0];
  Random random(9);
  const std::vector<float> values = random.units(n);

  DeviceArray<float> input(values), even(blocks_for(n, 2 * kBlock)), odd(blocks_for(n, 2 * kBlock));
  const float* from = input.get();
  float* to = even.get();
  for (int left = n;;) {
    const int blocks = blocks_for(left, 2 * kBlock);
    sum_blocks<<<blocks, kBlock>>>(from, to, left);
    finish("sum_blocks");
    if (blocks == 1) break;
    left = blocks;
    from = to;
    to = to == even.get() ? odd.get() : even.get();
  }
  const float sum = (to == even.get() ? even : odd).host()[0];

  double expected = 0;
  for (const float value : values) expected += value;
  std::printf("sum %.3f\n", sum);
  return verdict(!near(sum, expected, 1e-5), 1);
}
