// Where variables and shared memory lie: constants after allocations beyond 4 GiB, and loads past
// the end of a small shared array.

#include "check.h"

__constant__ double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ int set_by_the_host[64];
__device__ const float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ int counter = 5;

__global__ void look_up(double* out, int step) {
  const int at = threadIdx.x * step % 8;
  out[threadIdx.x] = table[at] + set_by_the_host[at] + weights[at % 4] + counter;
}

__global__ void sum_of_warps(float* out) {
  __shared__ float part[8];
  float v = threadIdx.x;
  for (int m = 16; m; m /= 2) v += __shfl_xor_sync(~0u, v, m);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    float s = part[threadIdx.x];  // 24 lanes load past the end; their value is not used
    for (int m = 4; m; m /= 2) s += __shfl_xor_sync(~0u, s, m);
    if (threadIdx.x == 0) *out = s;
  }
}

// Reserves addresses only: nothing touches the memory.
static void allocate_beyond_4_gib() {
  size_t total = 0;
  for (void* block = nullptr; total < (size_t{5} << 30); total += size_t{1100} << 20)
    if (cudaMalloc(&block, size_t{1100} << 20) != cudaSuccess) break;
  EXPECT(total >= size_t{1100} << 20);
  (void)cudaGetLastError();
}

static void constants() {
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = 100 * i;
  OK(cudaMemcpyToSymbol(set_by_the_host, numbers, sizeof numbers));
  double *out, got[8];
  OK(cudaMalloc(&out, sizeof got));
  look_up<<<1, 8>>>(out, 3);
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) {
    const int at = i * 3 % 8;
    EXPECT(got[i] == 1 + at + 100 * at + 0.5 + at % 4 + 5);
  }
  void* address;
  OK(cudaGetSymbolAddress(&address, table));
  EXPECT(reinterpret_cast<size_t>(address) + sizeof table <= size_t{1} << 32);
  EXPECT(cudaFree(address) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

int main() {
  allocate_beyond_4_gib();
  constants();
  float *out, sum = 0;
  OK(cudaMalloc(&out, sizeof sum));
  sum_of_warps<<<1, 256>>>(out);
  OK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  EXPECT(sum == 255 * 256 / 2);
  return report();
}
