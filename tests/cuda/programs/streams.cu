// Work of several streams: order within a stream, across events, across the legacy default stream
// and host functions; what the host sees when it waits.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "check.h"

__global__ void append(int* log, int* count, int value) { log[(*count)++] = value; }
__global__ void add(int* at, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] += value;
}
__global__ void scale(int* at, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] *= factor;
}
__global__ void busy(float* out, int rounds) {
  float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  constexpr int n = 1000;
  cudaStream_t a, b, independent;
  DONE(cudaStreamCreate(&a));
  DONE(cudaStreamCreate(&b));
  DONE(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
  int *log, *count;
  float* scratch;
  DONE(cudaMalloc(&log, 64 * sizeof(int)));
  DONE(cudaMalloc(&scratch, 512 * sizeof(float)));
  DONE(cudaMalloc(&count, sizeof(int)));
  DONE(cudaMemset(count, 0, sizeof(int)));
  DONE(cudaDeviceSynchronize());

  // An event orders two streams; the order within each is that of issue.
  cudaEvent_t first, last;
  DONE(cudaEventCreate(&first));
  DONE(cudaEventCreate(&last));
  append<<<1, 1, 0, a>>>(log, count, 1);
  append<<<1, 1, 0, a>>>(log, count, 2);
  DONE(cudaEventRecord(first, a));
  DONE(cudaStreamWaitEvent(b, first, 0));
  append<<<1, 1, 0, b>>>(log, count, 3);
  DONE(cudaEventRecord(last, b));
  DONE(cudaStreamWaitEvent(a, last, 0));
  append<<<1, 1, 0, a>>>(log, count, 4);
  // The legacy default stream waits for the blocking streams, and they wait for it.
  append<<<1, 1>>>(log, count, 5);
  append<<<1, 1, 0, b>>>(log, count, 6);
  DONE(cudaStreamSynchronize(b));
  int entries[6], entered = 0;
  DONE(cudaMemcpy(&entered, count, sizeof entered, cudaMemcpyDeviceToHost));
  DONE(cudaMemcpy(entries, log, sizeof entries, cudaMemcpyDeviceToHost));
  CHECK(entered == 6);
  for (int i = 0; i < 6; ++i) CHECK(entries[i] == i + 1);
  float ms = -1;
  DONE(cudaEventElapsedTime(&ms, first, last));
  CHECK(ms >= 0);

  // A copy from pageable memory reads it before the call returns; one from page-locked memory when
  // the stream reaches it.
  std::vector<int> pageable(n, 7), result(n);
  int *device, *locked;
  DONE(cudaMalloc(&device, n * sizeof(int)));
  DONE(cudaMallocHost(&locked, n * sizeof(int)));
  busy<<<4, 128, 0, a>>>(scratch, 100);
  DONE(cudaMemcpyAsync(device, pageable.data(), n * sizeof(int), cudaMemcpyHostToDevice, a));
  for (int& value : pageable) value = -1;
  add<<<(n + 127) / 128, 128, 0, a>>>(device, n, 3);
  DONE(cudaMemcpyAsync(locked, device, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  DONE(cudaStreamSynchronize(a));
  for (int i = 0; i < n; ++i) CHECK(locked[i] == 10);
  // The host waits for a copy to pageable memory.
  scale<<<(n + 127) / 128, 128, 0, a>>>(device, n, 2);
  DONE(cudaMemcpyAsync(result.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  for (int value : result) CHECK(value == 20);

  // Host functions run in their turn, in the stream's order.
  static int* seen = locked;
  static int at_call = 0;
  add<<<(n + 127) / 128, 128, 0, b>>>(device, n, 1);
  DONE(cudaMemcpyAsync(locked, device, n * sizeof(int), cudaMemcpyDeviceToHost, b));
  DONE(cudaLaunchHostFunc(b, [](void* data) { at_call = *static_cast<int*>(data); }, seen));
  DONE(cudaStreamAddCallback(
      b, [](cudaStream_t, cudaError_t status, void*) { at_call += status == cudaSuccess; }, nullptr,
      0));
  DONE(cudaStreamSynchronize(b));
  CHECK(at_call == 22);

  // Memory is freed when the stream reaches the call.
  int* pooled;
  DONE(cudaMallocAsync(reinterpret_cast<void**>(&pooled), n * sizeof(int), a));
  DONE(cudaMemsetAsync(pooled, 0, n * sizeof(int), a));
  add<<<(n + 127) / 128, 128, 0, a>>>(pooled, n, 5);
  DONE(cudaMemcpyAsync(locked, pooled, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  DONE(cudaFreeAsync(pooled, a));
  DONE(cudaStreamSynchronize(a));
  CHECK(locked[0] == 5 && locked[n - 1] == 5);

  // A graph with two branches, launched twice; the second launch follows the first.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  DONE(cudaMemset(device, 0, n * sizeof(int)));
  DONE(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 128, 0, a>>>(device, n, 1);
  DONE(cudaEventRecord(first, a));
  DONE(cudaStreamWaitEvent(b, first, 0));
  add<<<1, 128, 0, b>>>(device + 128, 128, 2);
  scale<<<1, 128, 0, a>>>(device, 128, 3);
  DONE(cudaEventRecord(last, b));
  DONE(cudaStreamWaitEvent(a, last, 0));
  DONE(cudaStreamEndCapture(a, &graph));
  DONE(cudaGraphInstantiate(&executable, graph, 0));
  DONE(cudaGraphLaunch(executable, a));
  DONE(cudaGraphLaunch(executable, independent));
  DONE(cudaStreamSynchronize(independent));
  DONE(cudaMemcpy(result.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result[0] == (1 * 3 + 1) * 3 && result[128] == 4);

  // A wrong copy is refused by the call, whatever is pending.
  busy<<<4, 128, 0, a>>>(scratch, 10);
  CHECK(cudaMemcpyAsync(device, locked, (n + 1) * sizeof(int), cudaMemcpyHostToDevice, a) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaEventRecord(first, a) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, first, last) == cudaErrorNotReady);
  DONE(cudaEventSynchronize(first));
  DONE(cudaStreamDestroy(a));
  // What is pending at the program's end runs.
  add<<<1, 32, 0, b>>>(device, 32, 1);
  std::printf("PASS\n");
  return 0;
}
