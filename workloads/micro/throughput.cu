// Bytes and atomic operations per cycle of all SMs together (one SM for L1 and shared memory), in
// the time of the slowest CTA. Streams from L2 and DRAM go through the L1, as plain loads do, and
// read no line twice there.
#include "micro.h"

using namespace micro;

constexpr int kBlock = 512, kDepth = 4;

// Sixteen bytes per lane, 512 per warp.
__device__ void load(float4& x, const float4* p) {
  asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
               : "l"(p));
}

// A warp reads kDepth x 512 contiguous bytes, then advances by kDepth x `step` vectors. Every
// thread has kDepth loads pending. `wrap` vectors (a power of two) are read repeatedly.
__device__ float stream(const float4* data, unsigned first, unsigned step, unsigned wrap,
                        int loads) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < loads; i += kDepth) {
    float4 x[kDepth];
#pragma unroll
    for (int k = 0; k < kDepth; ++k) load(x[k], data + ((first + i * step + k * 32) & (wrap - 1)));
#pragma unroll
    for (int k = 0; k < kDepth; ++k) sum += x[k].x + x[k].w;
  }
  asm volatile("add.f32 %0, %0, 0f00000000;" : "+f"(sum));
  return sum;
}

__global__ void read(const float4* data, unsigned step, unsigned wrap, int loads, Clock* starts,
                     Clock* ends, float* sums) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const Clock start = clock64();
  const float sum = stream(data, thread / 32 * 32 * kDepth + thread % 32, step, wrap, loads);
  const Clock end = clock64();
  starts[thread] = start;
  ends[thread] = end;
  sums[thread] = sum;
}

// Four bytes per lane: the width of a bank.
__global__ void read_shared(int loads, Clock* starts, Clock* ends, float* sums) {
  __shared__ float data[kBlock];
  data[threadIdx.x] = 2.0f;
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(data + threadIdx.x));
  const Clock start = clock64();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < loads; i += 16) {
    float x[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x[k]) : "r"(at));
    sum += x[0] * 15 + x[15];
  }
  asm volatile("add.f32 %0, %0, 0f00000000;" : "+f"(sum));
  const Clock end = clock64();
  starts[threadIdx.x] = start;
  ends[threadIdx.x] = end;
  sums[threadIdx.x] = sum;
}

__global__ void count(int* counters, int apart, int times, Clock* starts, Clock* ends) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const Clock start = clock64();
  int seen = 0;
  for (int i = 0; i < times; ++i) seen += atomicAdd(counters + thread * apart, 1);
  asm volatile("add.s32 %0, %0, 0;" : "+r"(seen));
  starts[thread] = start;
  ends[thread] = clock64();
}

struct Times {
  explicit Times(int threads) : threads(threads), starts(threads), ends(threads), sums(threads) {}
  // Of a kernel whose loads add 2 each.
  long report(const char* name, int loads, int bytes) {
    finish(name);
    figure(name, 1.0 * bytes * threads * loads / span(starts.host(), ends.host(), kBlock),
           "bytes/cycle");
    long wrong = 0;
    for (float sum : sums.host()) wrong += sum != 2.0f * loads;
    return wrong;
  }
  int threads;
  DeviceArray<Clock> starts, ends;
  DeviceArray<float> sums;
};

long reading(const char* name, int blocks, unsigned step, unsigned vectors, int loads, bool twice) {
  Times times(blocks * kBlock);
  DeviceArray<float4> data(std::vector<float4>(vectors, float4{1, 1, 1, 1}));
  if (!twice) flush_l2();
  for (int i = 0; i <= twice; ++i)
    read<<<blocks, kBlock>>>(data.get(), step, vectors, loads, times.starts.get(), times.ends.get(),
                             times.sums.get());
  return times.report(name, loads, 16);
}

long counting(const char* name, int apart, int times_each) {
  const int blocks = 8, block = 64, threads = blocks * block;
  Times times(threads);
  DeviceArray<int> counters(threads);
  count<<<blocks, block>>>(counters.get(), apart, times_each, times.starts.get(), times.ends.get());
  finish(name);
  figure(name, 1.0 * threads * times_each / span(times.starts.host(), times.ends.host(), block),
         "per cycle");
  const std::vector<int> counted = counters.host();
  return std::count(counted.begin(), counted.end(), apart ? times_each : threads * times_each) !=
         (apart ? threads : 1);
}

unsigned power_of_two(unsigned least) {
  unsigned power = 1;
  while (power < least) power *= 2;
  return power;
}

int main() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  const int sms = properties.multiProcessorCount;
  long wrong = reading("throughput.l1", 1, kBlock, 256, 32, false);
  Times times(kBlock);
  read_shared<<<1, kBlock>>>(64, times.starts.get(), times.ends.get(), times.sums.get());
  wrong += times.report("throughput.shared", 64, 4);
  // Between a quarter and half of the L2. An SM advances by five blocks, so it reads none twice in
  // 12 loads.
  const unsigned half_l2 = power_of_two(properties.l2CacheSize / 4 / sizeof(float4));
  wrong += reading("throughput.l2", sms, 5 * kBlock, half_l2, 12, true);
  // Long enough that start and end are a small part of it with any number of SMs.
  const int loads = std::max(12, 4 * (240 / sms));
  wrong += reading("throughput.dram", sms, sms * kBlock, power_of_two(sms * kBlock * loads), loads,
                   false);
  wrong += counting("atomics.one_word", 0, 4);
  wrong += counting("atomics.spread", 1, 4);
  return verdict(wrong, (2 + 2 * sms) * kBlock + 2);
}
