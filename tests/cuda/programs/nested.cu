// Kernels launch kernels: order in streams, tail launches, events, recursion, errors. Compiled with
// WAITS, kernels also wait for their launches (CUDA's first generation of dynamic parallelism).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "check.h"

// Appends `what` to a list: the number of entries, then the entries.
__global__ void append(int* list, int what) { list[1 + atomicAdd(list, 1)] = what; }

struct Point {
  char tag;
  double x[3];
};
template <int kFactor>
__global__ void scale(double* out, Point p, short n) {
  if (threadIdx.x < 3) out[threadIdx.x] = p.x[threadIdx.x] * kFactor + p.tag + n;
}

// Work in one stream keeps its order; the tail follows everything else.
__global__ void ordered(int* list) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 100);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 101);
  for (int i = 0; i < 8; ++i) append<<<1, 1>>>(list, i);
}

__global__ void tail(int* list, int depth) {
  list[1 + atomicAdd(list, 1)] = depth;
  if (depth < 3) {
    tail<<<1, 1, 0, cudaStreamTailLaunch>>>(list, depth + 1);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 10 + depth);
  }
}

// Two streams, one of which waits for an event of the other.
__global__ void with_events(int* list, int* data) {
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  append<<<1, 1, 0, first>>>(list, 1);
  append<<<1, 1, 0, first>>>(list, 2);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  append<<<1, 1, 0, second>>>(list, 3);
  cudaMemsetAsync(data, 0, 4 * sizeof(int), second);
  cudaMemcpyAsync(data + 4, list + 1, 3 * sizeof(int), cudaMemcpyDeviceToDevice, second);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

__global__ void quicksort(int* data, int left, int right) {
  int l = left, r = right;
  const int pivot = data[(l + r) / 2];
  while (l <= r) {
    while (data[l] < pivot) ++l;
    while (data[r] > pivot) --r;
    if (l <= r) {
      const int kept = data[l];
      data[l++] = data[r];
      data[r--] = kept;
    }
  }
  if (left < r) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, left, r);
  if (l < right) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, l, right);
}

__global__ void never(int) {}

// What the device runtime returns for bad launches, and its queries.
__global__ void ask(int* answers, double* scaled) {
  Point p{2, {1, 2, 3}};
  scale<10><<<1, 32, 16>>>(scaled, p, 7);
  answers[0] = cudaGetLastError();
  never<<<1, 2000>>>(0);
  answers[1] = cudaPeekAtLastError();
  answers[2] = cudaGetLastError();
  answers[3] = cudaGetLastError();
  cudaGetDevice(&answers[4]);
  cudaDeviceGetAttribute(&answers[5], cudaDevAttrWarpSize, 0);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  answers[6] = static_cast<int>(limit);
  for (int i = 0; i < 3; ++i) never<<<1, 1, 0, cudaStreamTailLaunch>>>(i);
  answers[7] = cudaGetLastError();
  cudaStream_t stream;
  answers[8] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  int* memory = nullptr;
  answers[9] = cudaMalloc(reinterpret_cast<void**>(&memory), 64);
  *memory = 5;
  answers[10] = *memory;
  cudaFree(memory);
}

__global__ void many(int* count, int each) {
  for (int i = 0; i < each; ++i) append<<<1, 1, 0, cudaStreamFireAndForget>>>(count, 0);
}

#ifdef WAITS
__global__ void add_one(int* value) { ++*value; }
__global__ void count_down(int* sums, int depth, int* error) {
  __shared__ int before;
  int* const mine = sums + blockIdx.x;
  if (threadIdx.x == 0) {
    before = *mine;
    add_one<<<1, 1>>>(mine);
    *error = __cudaDeviceSynchronizeDeprecationAvoidance();
    if (*error == 0 && *mine != before + 1) *error = -1;
    if (depth > 0) count_down<<<1, 32>>>(mine, depth - 1, error);
  }
}
#endif

int main() {
  int *list, *data;
  double* scaled;
  cudaMallocManaged(&list, 4096 * sizeof(int));
  cudaMallocManaged(&data, 4096 * sizeof(int));
  cudaMallocManaged(&scaled, 64);

  ordered<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(list[0] == 10);
  for (int i = 0; i < 8; ++i) CHECK(list[1 + i] == i);
  CHECK(list[9] == 100 && list[10] == 101);

  // Tail launches are depth first.
  list[0] = 0;
  tail<<<1, 1>>>(list, 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const int expected[] = {0, 1, 2, 3, 12, 11, 10};
  CHECK(list[0] == 7 && std::equal(expected, expected + 7, list + 1));

  list[0] = 0;
  std::fill(data, data + 8, -1);
  with_events<<<1, 1>>>(list, data);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(list[0] == 3 && list[1] == 1 && list[2] == 2 && list[3] == 3);
  CHECK(data[0] == 0 && data[3] == 0 && data[4] == 1 && data[6] == 3 && data[7] == -1);

  const int count = 60;
  for (int i = 0; i < count; ++i) data[i] = i * 7919 % 101;
  std::vector<int> sorted(data, data + count);
  std::sort(sorted.begin(), sorted.end());
  quicksort<<<1, 1>>>(data, 0, count - 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::equal(sorted.begin(), sorted.end(), data));

  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 3);
  ask<<<1, 1>>>(data, scaled);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(scaled[0] == 19 && scaled[1] == 29 && scaled[2] == 39);
  CHECK(data[0] == 0 && data[3] == 0);
  CHECK(data[1] == cudaErrorInvalidConfiguration && data[2] == data[1]);
  CHECK(data[4] == 0 && data[5] == 32 && data[6] == 3);
  CHECK(data[7] == cudaErrorLaunchPendingCountExceeded || data[7] == 0);
  CHECK(data[8] == cudaErrorInvalidValue && data[9] == 0 && data[10] == 5);
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048);

  // The next kernel of the stream starts when the grid's launches are complete.
  list[0] = 0;
  many<<<4, 32>>>(list, 2);
  append<<<1, 1>>>(list, 9);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(list[0] == 257 && list[257] == 9);

#ifdef WAITS
  std::fill(data, data + 64, 0);
  count_down<<<3, 32>>>(data, 1, data + 32);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(data[i] == 2);
  CHECK(data[32] == 0);
  // Grids at depth 2 may not wait by default.
  count_down<<<1, 32>>>(data, 2, data + 32);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(data[0] == 5 && data[32] == cudaErrorSyncDepthExceeded);
#endif
  std::printf("PASS\n");
}
