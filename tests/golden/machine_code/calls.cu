// Calls, recursion, printf, malloc, generic addresses, a managed variable and warp-synchronous
// instructions.
#include <cstdio>

__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int variable = 5;
__device__ int* pointer = &variable;
__managed__ int managed = 7;

__global__ void calls(int* out, int n) {
  __shared__ int shared[64];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int* const generic = n > 3 ? shared : out;
  int value = generic[31 - threadIdx.x];
  if (threadIdx.x < 3) printf("lane %d: %d %s %f\n", threadIdx.x, value, "text", 1.5 * n);
  int* const heap = static_cast<int*>(malloc(40));
  heap[threadIdx.x & 7] = value;
  value += heap[threadIdx.x & 7];
  free(heap);
  value += *pointer + managed + factorial(threadIdx.x % 5 + 1);
  value += __shfl_xor_sync(0xffffffff, value, 1);
  if (__any_sync(0xffffffff, value == 7)) ++value;
  out[threadIdx.x] = value;
}

int main(int count, char**) {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  calls<<<1, 32>>>(out, count + 4);
  int values[32];
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  for (const int value : values) printf("%d ", value);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
