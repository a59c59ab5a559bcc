// Writes one element past the end of its array: thread 100 of 128, for 100 elements.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* values) {
  const int i = threadIdx.x;
  values[i <= 100 ? i : 0] = i;
}

int main() {
  int* values = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&values), 100 * sizeof(int)) != cudaSuccess) return 2;
  fill<<<1, 128>>>(values);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  std::printf("PASS\n");
  return 0;
}
