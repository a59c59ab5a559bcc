// Quasirandom numbers and normal variates, as the SDK's quasirandomGenerator: 128 CTAs of
// 128x3 threads combine the direction numbers of Niederreiter's sequence, given in constant memory;
// 128 CTAs of 128 threads apply Moro's inversion of the normal distribution to points at equal
// distances. Both are launched once to warm up and 20 times. As there, the loop over the bits is
// unrolled, and the logarithms are those of the special function unit.
#include <cmath>

#include "../common.h"

using namespace workload;

constexpr int kDimensions = 3, kResolution = 31, kBlocks = 128, kBlock = 128;
constexpr float kScale = 1.0f / 2147483648.0f;

__constant__ unsigned directions[kDimensions][kResolution];

__global__ void generate(float* output, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (unsigned number = thread; number < count; number += threads) {
    unsigned result = 0, data = number;
#pragma unroll
    for (int bit = 0; bit < kResolution; ++bit, data >>= 1)
      if (data & 1) result ^= directions[threadIdx.y][bit];
    output[threadIdx.y * count + number] = (result + 1) * kScale;
  }
}

__host__ __device__ inline float inverse_normal(float p) {
  const float y = p - 0.5f;
  if (fabsf(y) < 0.42f) {
    const float z = y * y;
    return y *
           (((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z + 2.50662823884f) /
           ((((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z - 8.4735109309f) *
                z +
            1.0f);
  }
  const float tail = y > 0.0f ? 1.0f - p : p;
#ifdef __CUDA_ARCH__
  const float z = __logf(-__logf(tail));
#else
  const float z = std::log(-std::log(tail));
#endif
  const float value =
      0.337475482272615f +
      z * (0.976169019091719f +
           z * (0.160797971491821f +
                z * (2.76438810333863e-02f +
                     z * (3.8405729373609e-03f +
                          z * (3.951896511919e-04f +
                               z * (3.21767881768e-05f +
                                    z * (2.888167364e-07f + z * 3.960315187e-07f)))))));
  return y > 0.0f ? value : -value;
}

// Point i of n points between 0 and 1.
__host__ __device__ inline float point(unsigned i, unsigned n) {
  return float((i + 1) * (0xffffffffu / (n + 1))) * (0.5f * kScale);
}

__global__ void invert(float* output, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (unsigned i = thread; i < count; i += threads) output[i] = inverse_normal(point(i, count));
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "quasirandom",
                    {{"numbers", 600, 49152, 1048576}, {"rounds", 1, 1, 21}});
  const unsigned count = unsigned(sizes[0]);
  Random random(104);
  // Direction number i has bit 30 - i and random lower bits: its matrix is triangular.
  unsigned numbers[kDimensions][kResolution];
  for (auto& dimension : numbers)
    for (int i = 0; i < kResolution; ++i)
      dimension[i] = (1u << (30 - i)) | ((random.next() << 8) & ((1u << (30 - i)) - 1));
  check(cudaMemcpyToSymbol(directions, numbers, sizeof numbers), "directions");
  DeviceArray<float> points(std::size_t(kDimensions) * count), variates(points.host().size());
  for (int round = 0; round < sizes[1]; ++round) {
    generate<<<kBlocks, dim3(kBlock, kDimensions)>>>(points.get(), count);
    invert<<<kBlocks, kBlock>>>(variates.get(), kDimensions * count);
  }
  finish("invert");

  const std::vector<float> found = points.host(), normal = variates.host();
  long wrong = 0;
  for (int dimension = 0; dimension < kDimensions; ++dimension) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned result = 0;
      for (int bit = 0; bit < kResolution; ++bit)
        if (i >> bit & 1) result ^= numbers[dimension][bit];
      const std::size_t at = std::size_t(dimension) * count + i;
      wrong += found[at] != (result + 1) * kScale;
      wrong += !near(normal[at], inverse_normal(point(unsigned(at), kDimensions * count)), 1e-3);
    }
  }
  return verdict(wrong, 2L * kDimensions * count);
}
