// Prints, then fails an assertion; the host checks errors as programs do.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void check(int first) {
  const int value = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (value == 58 || value == 59) printf("value %d\n", value);
  assert(value < 60);
}

int main() {
  check<<<2, 30>>>(2);
  std::printf("launched: %s\n", cudaGetErrorString(cudaGetLastError()));
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("cudaDeviceSynchronize: %s\n", cudaGetErrorString(error));
  std::printf("cudaGetLastError: %s\n", cudaGetErrorName(cudaGetLastError()));
  void* memory = nullptr;
  std::printf("cudaMalloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, 16)));
  return 0;
}
