// Kernels whose results depend on each other, and kernels that never end.
//   steps N            N rounds of two kernels
//   steps N announce   the same, and prints a line after the first round
//   steps spin         a spin loop on a word that nobody writes
//   steps endless      an endless loop without memory accesses
//   steps counted      a spin loop with a counter: its livelock cannot be proven
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int kThreads = 256, kBlocks = 60, kElements = kThreads * kBlocks;

// Barriers, shared memory and atomics: a limit truncates the launch in the middle of them.
__global__ void mix(unsigned* values, unsigned* sums, int iterations) {
  __shared__ unsigned part[kThreads];
  unsigned value = values[blockIdx.x * kThreads + threadIdx.x];
  for (int i = 0; i < iterations; ++i) {
    part[threadIdx.x] = value;
    __syncthreads();
    value = value * 1664525u + part[(threadIdx.x + 33) % kThreads];
    __syncthreads();
    if ((value >> 20) % 7 == 0) value ^= atomicAdd(&sums[kBlocks + blockIdx.x], 0u);
  }
  atomicAdd(&sums[blockIdx.x], value);
  values[blockIdx.x * kThreads + threadIdx.x] = value;
}

__global__ void shift(unsigned* values, const unsigned* sums) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  values[i] += sums[(blockIdx.x + 1) % kBlocks] + (i & 1);
}

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {}
}

__global__ void wait_counting(volatile int* flag, int* iterations) {
  int count = 0;
  while (*flag == 0) ++count;
  *iterations = count;
}

__global__ void loop_forever(int* word) {
  if (threadIdx.x == 40) asm volatile("{ AGAIN: bra AGAIN; }");
  __syncthreads();
  *word = 1;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "3";
  unsigned *values = nullptr, *sums = nullptr;
  cudaMalloc(&values, kElements * sizeof(unsigned));
  cudaMalloc(&sums, 2 * kBlocks * sizeof(unsigned));
  cudaMemset(values, 0, kElements * sizeof(unsigned));
  cudaMemset(sums, 0, 2 * kBlocks * sizeof(unsigned));
  if (std::strcmp(what, "spin") == 0)
    wait_for<<<2, 64>>>(reinterpret_cast<int*>(sums));
  else if (std::strcmp(what, "endless") == 0)
    loop_forever<<<1, 64>>>(reinterpret_cast<int*>(sums));
  else if (std::strcmp(what, "counted") == 0)
    wait_counting<<<1, 32>>>(reinterpret_cast<int*>(sums), reinterpret_cast<int*>(values));
  for (int round = 0; round < std::atoi(what); ++round) {
    mix<<<kBlocks, kThreads>>>(values, sums, 8);
    shift<<<kBlocks, kThreads>>>(values, sums);
    cudaDeviceSynchronize();
    if (argc > 2 && round == 0) std::puts("begun"), std::fflush(stdout);
  }
  cudaDeviceSynchronize();
  static unsigned result[kElements];
  cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost);
  unsigned long long checksum = 14695981039346656037ull;
  for (unsigned v : result) checksum = (checksum ^ v) * 1099511628211ull;
  std::printf("%016llx\n", checksum);
  return 0;
}
