// Capacities of the cache levels. A footprint is read from its first byte to its last; then every
// n-th of its lines is read again, the last one first. A level with LRU replacement still holds as
// much of the end of the footprint as its size.
#include "micro.h"

#include <string>

using namespace micro;

constexpr int kLine = 128, kSamples = 512, kLargestL2 = 8 << 20;

struct Cached {
  static __device__ void step(const void*& p) {
    asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p));
  }
  static __device__ void read(float4& x, const float4* p) {
    asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
                 : "l"(p));
  }
};
struct Uncached {
  static __device__ void step(const void*& p) {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
  }
  static __device__ void read(float4& x, const float4* p) {
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
                 : "l"(p));
  }
};

template <class Load>
__device__ float read_all(const float4* data, std::size_t bytes) {
  float sum = 0;
  const std::size_t vectors = bytes / sizeof(float4), threads = gridDim.x * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += threads) {
    float4 x;
    Load::read(x, data + i);
    sum += x.x;
  }
  return sum;
}

template <class Load>
__global__ void fill(const float4* data, std::size_t bytes, float* sums) {
  sums[blockIdx.x * blockDim.x + threadIdx.x] = read_all<Load>(data, bytes);
}

// out: the number of steps within `most` cycles, and where the walk ended. The L1 is emptied at the
// end of a kernel, so one kernel both fills it and walks.
template <class Load, bool kFills>
__global__ void walk(const float4* data, std::size_t bytes, const void* start, int steps, int most,
                     Clock* out, float* sums) {
  if (kFills) sums[threadIdx.x] = read_all<Load>(data, bytes);
  __syncthreads();
  if (threadIdx.x) return;
  const void* p = start;
  int quick = 0;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    const Clock begin = clock64();
    Load::step(p);
    asm volatile("add.u64 %0, %0, 0;" : "+l"(p));
    quick += clock64() - begin <= most;
  }
  out[0] = quick;
  out[1] = reinterpret_cast<Clock>(p);
}

// Lines of the footprint, from its last one. Each points to the line an odd number of lines before
// it, so that the lines are distributed over all sets and channels.
struct Walk {
  explicit Walk(std::size_t bytes)
      : memory(bytes / sizeof(void*)),
        lines(static_cast<int>(bytes / kLine)),
        apart(std::max(1, (lines / kSamples - 1) | 1)),
        samples(lines / apart) {
    constexpr std::size_t kWords = kLine / sizeof(void*);
    const auto line = [&](int i) {
      return static_cast<std::size_t>(lines - 1 - i % samples * apart) * kWords;
    };
    std::vector<void*> pointers(bytes / sizeof(void*));
    for (int i = 0; i < samples; ++i) pointers[line(i)] = memory.get() + line(i + 1);
    start = memory.get() + line(0);
    memory.assign(pointers);
  }
  const float4* data() const { return reinterpret_cast<const float4*>(memory.get()); }
  DeviceArray<void*> memory;
  int lines, apart, samples;
  const void* start;
};

// The share of the footprint that is read again within `most` cycles; below 0 when the walk ended
// at a wrong place.
template <class Load, bool kL1>
double share(std::size_t bytes, int most, int sms) {
  Walk walked(bytes);
  DeviceArray<Clock> out(2);
  DeviceArray<float> sums(sms * 512);
  if (!kL1) fill<Load><<<sms, 512>>>(walked.data(), bytes, sums.get());
  walk<Load, kL1>
      <<<1, 32>>>(walked.data(), bytes, walked.start, walked.samples, most, out.get(), sums.get());
  finish("walk");
  const std::vector<Clock> seen = out.host();
  return seen[1] == reinterpret_cast<Clock>(walked.start) ? 1.0 * seen[0] / walked.samples : -1;
}

// Cycles of a step that hits and of one that misses in the level: the smallest footprint, read a
// second and a first time.
template <class Load>
__global__ void twice(const void* start, Clock* out) {
  const void* p = start;
  for (int i = 0; i < 2; ++i) {
    const Clock begin = clock64();
    Load::step(p);
    asm volatile("add.u64 %0, %0, 0;" : "+l"(p));
    out[i] = clock64() - begin;
  }
}

template <class Load>
std::vector<Clock> first_and_second() {
  DeviceArray<void*> self(kLine / sizeof(void*));
  self.assign(std::vector<void*>(kLine / sizeof(void*), self.get()));
  DeviceArray<Clock> out(2);
  flush_l2();
  twice<Load><<<1, 1>>>(self.get(), out.get());
  finish("twice");
  return out.host();
}

// Doubles the footprint until the level holds less than five eighths of it, which is its size.
template <class Load, bool kL1>
long level(const char* name, std::size_t from, std::size_t to, int most, int sms) {
  long wrong = 0;
  for (std::size_t bytes = from; bytes <= to; bytes *= 2) {
    const double held = share<Load, kL1>(bytes, most, sms);
    wrong += held < 0;
    figure((std::string(name) + ".held_of_" + std::to_string(bytes >> 10) + "K").c_str(), held,
           "of 1");
    if (held >= 0.625) continue;
    figure((std::string(name) + ".capacity").c_str(), held * static_cast<double>(bytes >> 10),
           "KiB");
    break;
  }
  return wrong;
}

// Arguments: footprints of the L2 in KiB. Then only those are measured.
int main(int argc, char** argv) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  const int sms = properties.multiProcessorCount;
  const std::vector<Clock> l1 = first_and_second<Cached>(), l2 = first_and_second<Uncached>();
  const int l2_most = static_cast<int>(l2[0] + l2[1]) / 2;
  if (argc > 1) {
    long wrong = 0;
    for (int i = 1; i < argc; ++i) {
      const std::size_t kib = std::strtoul(argv[i], nullptr, 10);
      const double held = kib ? share<Uncached, false>(kib << 10, l2_most, sms) : -1;
      wrong += held < 0;
      figure(("l2.held_of_" + std::to_string(kib) + "K").c_str(), held * static_cast<double>(kib),
             "KiB");
    }
    return verdict(wrong, argc - 1);
  }
  // A step that misses in L1 costs at least one that hits in L2.
  long wrong =
      level<Cached, true>("l1", 8 << 10, 1 << 20, static_cast<int>(l1[1] + l2[1]) / 2, sms);
  // Larger footprints take minutes.
  if (properties.l2CacheSize <= kLargestL2)
    wrong += level<Uncached, false>("l2", 256 << 10, 16 << 20, l2_most, sms);
  return verdict(wrong, 14);
}
