// Eight launches of one kernel and one of another, in streams of their own or in one stream.
//   overlap streams|turn [ITERATIONS]   prints the core cycles between two events around them
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int kStreams = 8, kThreads = 128, kBlocks = 2;

__global__ void compute(float* out, int iterations) {
  float x = threadIdx.x;
  for (int i = 0; i < iterations; i++) x = x * 1.01f + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void add(float* out, int iterations) {
  for (int i = 0; i < iterations; i++) atomicAdd(out, 1.0f);
}

int main(int count, char** arguments) {
  const bool apart = count > 1 && std::strcmp(arguments[1], "streams") == 0;
  const int iterations = count > 2 ? std::atoi(arguments[2]) : 400;
  float* out = nullptr;
  cudaMalloc(&out, (kStreams + 1) * kBlocks * kThreads * sizeof(float));
  cudaStream_t streams[kStreams + 1];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t before, after;
  cudaEventCreate(&before), cudaEventCreate(&after);
  cudaEventRecord(before);
  for (int i = 0; i < kStreams; i++)
    compute<<<kBlocks, kThreads, 0, streams[apart ? i : 0]>>>(out + i * kBlocks * kThreads,
                                                              iterations);
  add<<<1, 32, 0, streams[apart ? kStreams : 0]>>>(out + kStreams * kBlocks * kThreads,
                                                   iterations / 4);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaEventRecord(after);
  cudaEventSynchronize(after);
  float ms = 0;
  cudaEventElapsedTime(&ms, before, after);
  int khz = 0;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  std::printf("%.0f\n%s\n", static_cast<double>(ms) * khz, error == cudaSuccess ? "PASS" : "FAIL");
  return error != cudaSuccess;
}
