#include "answer.h"

#include <cuda_runtime.h>

__device__ int times_seven(int value);  // in another file

__global__ void compute(int* result) { *result = times_seven(6); }

int answer() {
  int *there, here = 0;
  if (cudaMalloc(&there, sizeof here) != cudaSuccess) return -1;
  compute<<<1, 1>>>(there);
  cudaMemcpy(&here, there, sizeof here, cudaMemcpyDeviceToHost);
  cudaFree(there);
  return here;
}
