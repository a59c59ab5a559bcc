// What a capture must repeat: waits of every kind, while kernels of several streams are unfinished,
// and writes of the host to memory that the device reads.
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

#include "check.h"

__device__ int counted;
__managed__ int total = 3;

__global__ void work(int* data, int rounds) {
  int value = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 3 + 1;
  data[threadIdx.x] = value;
}
__global__ void add(int* to, const int* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i] + total;
}
__global__ void speak(int what) {
  printf("device says %d\n", what);
  atomicAdd(&counted, what);
}
__global__ void deep(int* data, int depth) {
  volatile int local[64];
  for (int i = 0; i < 64; ++i) local[i] = depth + i;
  data[threadIdx.x] = local[threadIdx.x % 64];
}

int expected(int value, int rounds) {
  for (int i = 0; i < rounds; ++i) value = static_cast<int>(value * 3u + 1u);
  return value;
}

// Kernels of one stream are unfinished while the host waits for another one.
void streams_and_events() {
  cudaStream_t slow, quick;
  cudaEvent_t done, early;
  OK(cudaStreamCreate(&slow));
  OK(cudaStreamCreateWithFlags(&quick, cudaStreamNonBlocking));
  OK(cudaEventCreate(&done));
  OK(cudaEventCreate(&early));
  int *a = nullptr, *b = nullptr;
  OK(cudaMalloc(&a, 128));
  OK(cudaMalloc(&b, 128));
  OK(cudaMemset(a, 0, 128));
  OK(cudaMemset(b, 0, 128));
  work<<<1, 32, 0, slow>>>(a, 20000);
  OK(cudaEventRecord(early, slow));
  work<<<1, 32, 0, quick>>>(b, 5);
  OK(cudaStreamSynchronize(quick));
  OK(cudaStreamWaitEvent(quick, early, 0));
  work<<<1, 32, 0, quick>>>(a, 2);
  OK(cudaEventRecord(done, quick));
  work<<<1, 32, 0, slow>>>(b, 5000);
  OK(cudaStreamSynchronize(nullptr));  // the legacy default stream waits for `slow`
  OK(cudaEventSynchronize(done));
  int got[32];
  OK(cudaMemcpy(got, a, 128, cudaMemcpyDeviceToHost));
  EXPECT(got[5] == expected(0, 20002));
  OK(cudaMemcpyAsync(got, b, 128, cudaMemcpyDeviceToHost, slow));
  EXPECT(got[5] == expected(0, 5005));
  OK(cudaFreeAsync(a, quick));
  OK(cudaFree(b));
  OK(cudaStreamDestroy(slow));
  OK(cudaStreamDestroy(quick));
}

void write_in_host_function(void* data) { static_cast<int*>(data)[1] = 77; }

// The host writes one word of a page while the device may write another one.
void memory_of_the_host() {
  cudaStream_t one, two;
  OK(cudaStreamCreate(&one));
  OK(cudaStreamCreate(&two));
  int *managed = nullptr, *pinned = nullptr, *plain = nullptr;
  OK(cudaMallocManaged(&managed, 4 * 1024 * sizeof(int)));
  OK(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped));
  OK(cudaMalloc(&plain, 64 * sizeof(int)));
  for (int i = 0; i < 4096; ++i) managed[i] = i;
  work<<<1, 32, 0, one>>>(managed, 20000);
  OK(cudaMemsetAsync(plain, 0, 64 * sizeof(int), two));
  OK(cudaStreamSynchronize(two));
  managed[100] = 1000;  // beside what the kernel writes
  std::memset(pinned, 0, 64 * sizeof(int));
  pinned[0] = 5;
  OK(cudaMemcpyAsync(plain, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice, two));
  OK(cudaLaunchHostFunc(two, write_in_host_function, pinned));
  add<<<1, 64, 0, two>>>(plain, pinned, 64);
  add<<<1, 64, 0, two>>>(plain, managed + 64, 64);
  OK(cudaMemcpyAsync(pinned, plain, 64 * sizeof(int), cudaMemcpyDeviceToHost, two));
  OK(cudaStreamSynchronize(two));
  EXPECT(pinned[0] == 5 + 5 + 64 + 6 && pinned[1] == 77 + 65 + 6 && pinned[36] == 1000 + 6);
  total = 4;
  pinned[2] = 9;
  add<<<1, 64, 0, two>>>(pinned, managed + 64, 64);
  OK(cudaDeviceSynchronize());
  EXPECT(managed[3] == expected(3, 20000) && managed[100] == 1000);
  EXPECT(pinned[2] == 9 + 66 + 4);
  int rows[4][4], flat[16];
  for (int i = 0; i < 16; ++i) rows[i / 4][i % 4] = i;
  OK(cudaMemcpy2D(managed, 64, rows, 16, 12, 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(flat, managed, 64, cudaMemcpyDefault));
  EXPECT(flat[2] == 2 && flat[3] == expected(3, 20000));
  OK(cudaFree(managed));
  OK(cudaFreeHost(pinned));
  OK(cudaFree(plain));
}

// Addresses are used again, and limits and printed text follow the host.
void allocations_and_limits() {
  int* blocks[4];
  for (int i = 0; i < 4; ++i) OK(cudaMalloc(&blocks[i], 1000 * (i + 1)));
  OK(cudaFree(blocks[1]));
  OK(cudaMalloc(&blocks[1], 500));
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  deep<<<1, 32>>>(blocks[1], 7);
  int got = 0;
  OK(cudaMemcpy(&got, blocks[1] + 3, sizeof got, cudaMemcpyDeviceToHost));
  EXPECT(got == 10);
  speak<<<1, 1>>>(1);
  OK(cudaDeviceSynchronize());
  speak<<<1, 1>>>(2);
  OK(cudaMemcpyFromSymbol(&got, counted, sizeof got));
  EXPECT(got == 3);
  for (int* block : blocks) OK(cudaFree(block));
}

int main() {
  allocations_and_limits();
  streams_and_events();
  memory_of_the_host();
  return report();
}
