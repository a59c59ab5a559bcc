// Work of several streams: order within a stream, across events, across the legacy default stream
// and host functions; what the host sees when it waits.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(condition)                                     \
  if (!(condition)) {                                        \
    std::printf("FAIL line %d: %s\n", __LINE__, #condition); \
    return 1;                                                \
  }
#define OK(call) CHECK((call) == cudaSuccess)

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
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreate(&b));
  OK(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
  int *log, *count;
  float* scratch;
  OK(cudaMalloc(&log, 64 * sizeof(int)));
  OK(cudaMalloc(&scratch, 512 * sizeof(float)));
  OK(cudaMalloc(&count, sizeof(int)));
  OK(cudaMemset(count, 0, sizeof(int)));
  OK(cudaDeviceSynchronize());

  // An event orders two streams; the order within each is that of issue.
  cudaEvent_t first, last;
  OK(cudaEventCreate(&first));
  OK(cudaEventCreate(&last));
  append<<<1, 1, 0, a>>>(log, count, 1);
  append<<<1, 1, 0, a>>>(log, count, 2);
  OK(cudaEventRecord(first, a));
  OK(cudaStreamWaitEvent(b, first, 0));
  append<<<1, 1, 0, b>>>(log, count, 3);
  OK(cudaEventRecord(last, b));
  OK(cudaStreamWaitEvent(a, last, 0));
  append<<<1, 1, 0, a>>>(log, count, 4);
  // The legacy default stream waits for the blocking streams, and they wait for it.
  append<<<1, 1>>>(log, count, 5);
  append<<<1, 1, 0, b>>>(log, count, 6);
  OK(cudaStreamSynchronize(b));
  int entries[6], entered = 0;
  OK(cudaMemcpy(&entered, count, sizeof entered, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(entries, log, sizeof entries, cudaMemcpyDeviceToHost));
  CHECK(entered == 6);
  for (int i = 0; i < 6; ++i) CHECK(entries[i] == i + 1);
  float ms = -1;
  OK(cudaEventElapsedTime(&ms, first, last));
  CHECK(ms >= 0);

  // A copy from pageable memory reads it before the call returns; one from page-locked memory when
  // the stream reaches it.
  std::vector<int> pageable(n, 7), result(n);
  int *device, *locked;
  OK(cudaMalloc(&device, n * sizeof(int)));
  OK(cudaMallocHost(&locked, n * sizeof(int)));
  busy<<<4, 128, 0, a>>>(scratch, 100);
  OK(cudaMemcpyAsync(device, pageable.data(), n * sizeof(int), cudaMemcpyHostToDevice, a));
  for (int& value : pageable) value = -1;
  add<<<(n + 127) / 128, 128, 0, a>>>(device, n, 3);
  OK(cudaMemcpyAsync(locked, device, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  OK(cudaStreamSynchronize(a));
  for (int i = 0; i < n; ++i) CHECK(locked[i] == 10);
  // The host waits for a copy to pageable memory.
  scale<<<(n + 127) / 128, 128, 0, a>>>(device, n, 2);
  OK(cudaMemcpyAsync(result.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  for (int value : result) CHECK(value == 20);

  // Host functions run in their turn, in the stream's order.
  static int* seen = locked;
  static int at_call = 0;
  add<<<(n + 127) / 128, 128, 0, b>>>(device, n, 1);
  OK(cudaMemcpyAsync(locked, device, n * sizeof(int), cudaMemcpyDeviceToHost, b));
  OK(cudaLaunchHostFunc(b, [](void* data) { at_call = *static_cast<int*>(data); }, seen));
  OK(cudaStreamAddCallback(
      b, [](cudaStream_t, cudaError_t status, void*) { at_call += status == cudaSuccess; }, nullptr,
      0));
  OK(cudaStreamSynchronize(b));
  CHECK(at_call == 22);

  // Memory is freed when the stream reaches the call.
  int* pooled;
  OK(cudaMallocAsync(reinterpret_cast<void**>(&pooled), n * sizeof(int), a));
  OK(cudaMemsetAsync(pooled, 0, n * sizeof(int), a));
  add<<<(n + 127) / 128, 128, 0, a>>>(pooled, n, 5);
  OK(cudaMemcpyAsync(locked, pooled, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  OK(cudaFreeAsync(pooled, a));
  OK(cudaStreamSynchronize(a));
  CHECK(locked[0] == 5 && locked[n - 1] == 5);

  // A graph with two branches, launched twice; the second launch follows the first.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaMemset(device, 0, n * sizeof(int)));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 128, 0, a>>>(device, n, 1);
  OK(cudaEventRecord(first, a));
  OK(cudaStreamWaitEvent(b, first, 0));
  add<<<1, 128, 0, b>>>(device + 128, 128, 2);
  scale<<<1, 128, 0, a>>>(device, 128, 3);
  OK(cudaEventRecord(last, b));
  OK(cudaStreamWaitEvent(a, last, 0));
  OK(cudaStreamEndCapture(a, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, a));
  OK(cudaGraphLaunch(executable, independent));
  OK(cudaStreamSynchronize(independent));
  OK(cudaMemcpy(result.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result[0] == (1 * 3 + 1) * 3 && result[128] == 4);

  // A wrong copy is refused by the call, whatever is pending.
  busy<<<4, 128, 0, a>>>(scratch, 10);
  CHECK(cudaMemcpyAsync(device, locked, (n + 1) * sizeof(int), cudaMemcpyHostToDevice, a) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaEventRecord(first, a) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, first, last) == cudaErrorNotReady);
  OK(cudaEventSynchronize(first));
  OK(cudaStreamDestroy(a));
  // What is pending at the program's end runs.
  add<<<1, 32, 0, b>>>(device, 32, 1);
  std::printf("PASS\n");
  return 0;
}
