// A kernel launches a kernel that uses malloc of device code.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store_in_heap(int* sum) {
  int* const own = static_cast<int*>(malloc(sizeof(int)));
  *own = static_cast<int>(threadIdx.x);
  atomicAdd(sum, *own);
  free(own);
}

__global__ void parent(int* sum) { store_in_heap<<<1, 32>>>(sum); }

int main() {
  int *device = nullptr, sum = 0;
  cudaMalloc(&device, sizeof sum);
  cudaMemset(device, 0, sizeof sum);
  for (int launch = 0; launch < 2; ++launch) parent<<<1, 1>>>(device);
  cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost);
  std::puts(sum == 2 * 31 * 16 ? "PASS" : "FAIL");
  return sum == 2 * 31 * 16 ? 0 : 1;
}
