// Blocks of a cooperative grid that wait for each other, again and again.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kBlocks = 15;

__global__ void relay(unsigned* values, int rounds) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int here = blockIdx.x * kThreads + threadIdx.x,
            there = (here + kThreads) % (kThreads * kBlocks);
  for (int round = 0; round < rounds; ++round) {
    const unsigned read = values[there];
    grid.sync();
    values[here] = values[here] * 3 + read;
    grid.sync();
  }
}

int main() {
  static unsigned expected[kThreads * kBlocks], result[kThreads * kBlocks];
  for (int i = 0; i < kThreads * kBlocks; ++i) expected[i] = static_cast<unsigned>(i);
  unsigned* values = nullptr;
  cudaMalloc(&values, sizeof expected);
  cudaMemcpy(values, expected, sizeof expected, cudaMemcpyHostToDevice);
  int rounds = 20;
  void* arguments[] = {&values, &rounds};
  if (cudaLaunchCooperativeKernel(reinterpret_cast<void*>(relay), kBlocks, kThreads, arguments, 0,
                                  nullptr) != cudaSuccess)
    return 4;
  cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost);
  for (int round = 0; round < rounds; ++round) {
    static unsigned before[kThreads * kBlocks];
    for (int i = 0; i < kThreads * kBlocks; ++i) before[i] = expected[i];
    for (int i = 0; i < kThreads * kBlocks; ++i)
      expected[i] = before[i] * 3 + before[(i + kThreads) % (kThreads * kBlocks)];
  }
  for (int i = 0; i < kThreads * kBlocks; ++i)
    if (result[i] != expected[i]) return std::printf("FAIL at %d\n", i), 1;
  std::puts("PASS");
  return 0;
}
