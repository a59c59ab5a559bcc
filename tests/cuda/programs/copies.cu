// Copies on copy engines take simulated time: copies of one direction share an engine, copies and
// kernels of different streams overlap. Without engines they take none. Needs a timed run, with at
// most one engine per direction.
#include <cuda_runtime.h>

#include <cstdio>

#include "check.h"

constexpr std::size_t kBytes = 1 << 19;

__global__ void busy(float* out, int rounds) {
  float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

cudaStream_t streams[2];
char *page_locked[2], *device[2];

// Simulated milliseconds of `work`.
template <class Work>
float timed(Work work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  work();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  return ms;
}
void copy(int stream, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice)
    cudaMemcpyAsync(device[stream], page_locked[stream], kBytes, kind, streams[stream]);
  else
    cudaMemcpyAsync(page_locked[stream], device[stream], kBytes, kind, streams[stream]);
}
bool near(float a, float b) { return a > 0.98f * b && a < 1.02f * b; }

int main() {
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaStreamCreate(&streams[i]) == cudaSuccess);
    CHECK(cudaMallocHost(&page_locked[i], kBytes) == cudaSuccess);
    CHECK(cudaMalloc(&device[i], kBytes) == cudaSuccess);
  }
  const float one = timed([] { copy(0, cudaMemcpyHostToDevice); });
  if (one == 0) {  // no engines
    std::printf("PASS\n");
    return 0;
  }
  const float two = timed([] {
    copy(0, cudaMemcpyHostToDevice);
    copy(1, cudaMemcpyHostToDevice);
  });
  CHECK(near(two, 2 * one));
  const float both_ways = timed([] {
    copy(0, cudaMemcpyHostToDevice);
    copy(1, cudaMemcpyDeviceToHost);
  });
  CHECK(near(both_ways, one));

  float* out;
  CHECK(cudaMalloc(&out, 256 * sizeof *out) == cudaSuccess);
  const auto kernel = [=](cudaStream_t stream) { busy<<<1, 256, 0, stream>>>(out, 2000); };
  timed([=] { kernel(streams[1]); });  // fills the instruction cache
  const float computing = timed([=] { kernel(streams[1]); });
  const float overlapped = timed([=] {
    copy(0, cudaMemcpyHostToDevice);
    kernel(streams[1]);
  });
  const float longer = one > computing ? one : computing;
  if (!near(overlapped, longer))
    std::printf("%g ms overlapped; %g ms copy, %g ms kernel\n", overlapped, one, computing);
  CHECK(near(overlapped, longer));
  const float in_turn = timed([=] {
    copy(0, cudaMemcpyHostToDevice);
    kernel(streams[0]);
  });
  CHECK(near(in_turn, one + computing));

  char* const pageable = new char[kBytes];
  const float slower =
      timed([=] { cudaMemcpy(device[0], pageable, kBytes, cudaMemcpyHostToDevice); });
  CHECK(slower > 1.5f * one);
  std::printf("PASS\n");
  return 0;
}
