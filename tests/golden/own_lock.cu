// Every thread of a warp takes the same lock, in the way that only independent thread scheduling
// allows.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* lock, volatile int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  constexpr int kThreads = 6;
  int *lock = nullptr, *counter = nullptr, result = 0;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<2, kThreads>>>(lock, counter);
  cudaMemcpy(&result, counter, sizeof(int), cudaMemcpyDeviceToHost);
  std::puts(result == 2 * kThreads ? "PASS" : "FAIL");
  return result != 2 * kThreads;
}
