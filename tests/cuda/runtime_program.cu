// Common calls of the runtime: constants, variables, launches, events, properties. Prints PASS or
// the difference.
#include <cstdio>

__constant__ float table[4];
__device__ int counter;

__global__ void scale(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= table[i & 3];
  if (i == 0) counter = n;
}

static int failures = 0;
static void check(bool holds, const char* what) {
  if (!holds) std::printf("FAIL: %s\n", what), ++failures;
}

int main() {
  const int n = 100;
  float host[n], factors[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaDeviceProp properties;
  check(
      cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.multiProcessorCount > 0,
      "properties");
  float* device = nullptr;
  check(cudaMalloc(&device, sizeof host) == cudaSuccess, "cudaMalloc");
  check(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess,
        "copy to the device");
  check(cudaMemcpyToSymbol(table, factors, sizeof factors) == cudaSuccess, "copy to a constant");
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  scale<<<4, 32>>>(device, n);
  cudaEventRecord(stop);
  check(cudaGetLastError() == cudaSuccess, "launch");
  float ms = -1;
  check(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && ms > 0, "simulated time passes");
  check(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess, "copy back");
  for (int i = 0; i < n; ++i) check(host[i] == static_cast<float>(i * (i % 4 + 1)), "value");
  int counted = 0;
  check(cudaMemcpyFromSymbol(&counted, counter, sizeof counted) == cudaSuccess && counted == n,
        "copy from a variable");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0) == cudaSuccess &&
            blocks > 0,
        "occupancy");
  scale<<<1, 2048>>>(device, n);
  check(cudaGetLastError() == cudaErrorInvalidConfiguration, "a block too large is refused");
  check(cudaFree(device) == cudaSuccess, "cudaFree");
  if (failures == 0) std::printf("PASS\n");
  return failures;
}
