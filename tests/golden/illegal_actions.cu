// One illegal action, by name.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

__global__ void straddle(char* bytes) { *reinterpret_cast<int*>(bytes + threadIdx.x) = 1; }

__global__ void wait_apart(int* values) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");
  __syncthreads();
  values[threadIdx.x] = 1;
}

// Nobody writes the word. Between two loads the loop sleeps for a time computed from the clock.
__global__ void wait_by_the_clock(volatile int* values) {
  const long long start = clock64();
  while (values[0] == 0) {
    const long long waited = clock64() - start;
    if (waited > 1000) __nanosleep(waited < 100000 ? waited / 4 : 20000);
  }
  values[1] = 1;
}

// Nobody writes the word. The loop passes a barrier in each iteration.
__global__ void wait_through_barriers(volatile int* values) {
  while (values[0] == 0) __syncthreads();
  values[1] = 1;
}

// The loop counts its iterations, so its livelock cannot be proven.
__global__ void count_for_ever(volatile int* values) {
  int iterations = 0;
  while (values[0] == 0) ++iterations;
  values[1] = iterations;
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* act) { return argc > 1 && std::strcmp(argv[1], act) == 0; };
  int* values = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&values), 4096);
  cudaMemset(values, 0, 4096);
  if (asked("freed") || asked("ignoring")) cudaFree(values);
  if (asked("ignoring")) std::puts("begun");
  if (asked("deadlock"))
    wait_apart<<<1, 64>>>(values);
  else if (asked("clock_wait"))
    wait_by_the_clock<<<2, 64>>>(values);
  else if (asked("barrier_wait"))
    wait_through_barriers<<<2, 64>>>(values);
  else if (asked("handshake")) {
    int* flag = nullptr;
    cudaHostAlloc(reinterpret_cast<void**>(&flag), 4096, cudaHostAllocMapped);
    wait_by_the_clock<<<1, 32>>>(flag);
    *flag = 1;  // on a GPU the kernel is still running
  } else if (asked("counting"))
    count_for_ever<<<2, 64>>>(values);
  else if (asked("misaligned"))
    straddle<<<1, 32>>>(reinterpret_cast<char*>(values));
  else if (asked("large"))
    fill<<<1, 2048>>>(values);
  else
    fill<<<1, 32>>>(values);
  while (asked("ignoring")) std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) return 4;
  if (asked("host")) values[0] = 2;
  if (asked("abort")) std::abort();
  std::printf("PASS\n");
  return 0;
}
