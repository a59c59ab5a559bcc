// Kernels of different streams overlap in time; kernels of one stream do not. Needs a timed run.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kCtas = 7, kThreads = 256;

__global__ void busy(float* out, int rounds) {
  float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

struct Kernel {
  cudaStream_t stream;
  int rounds;
};

// Simulated milliseconds from the first kernel's start to the last one's end.
float timed(const std::vector<Kernel>& kernels, float* out) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    busy<<<kCtas, kThreads, 0, kernels[i].stream>>>(out + i * kCtas * kThreads, kernels[i].rounds);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  return ms;
}

int main() {
  constexpr int kStreams = 32, kLong = 2000, kShort = 1000;
  float* out;
  CHECK(cudaMalloc(&out, sizeof(float) * kStreams * kCtas * kThreads) == cudaSuccess);
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  timed({{streams[0], 1}}, out);  // fills the instruction cache

  const float longer = timed({{streams[0], kLong}}, out),
              shorter = timed({{streams[0], kShort}}, out),
              together = timed({{streams[0], kLong}, {streams[1], kShort}}, out),
              in_turn = timed({{streams[0], kLong}, {streams[0], kShort}}, out),
              by_default = timed({{nullptr, kLong}, {nullptr, kShort}}, out);
  if (together > 0.9f * (longer + shorter))
    std::printf("%g ms together, %g and %g ms alone\n", together, longer, shorter);
  CHECK(together < 0.9f * (longer + shorter));
  CHECK(together < 1.3f * longer);
  CHECK(in_turn > 0.9f * (longer + shorter));
  CHECK(by_default > 0.9f * (longer + shorter));

  std::vector<Kernel> many;
  for (const cudaStream_t stream : streams) many.push_back({stream, kShort});
  CHECK(timed(many, out) < 0.4f * kStreams * shorter);
  std::printf("PASS\n");
  return 0;
}
