// Few CTAs: the grid is one to two waves, launched repeatedly, and CTAs differ in length. Once the
// last CTA has been dispatched, no CTA replaces those that end. The warp that has issued least then
// decides when the kernel ends.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void uneven(const float* values, float* results, int trips, int skew, int shorts) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const int own_trips = trips + skew * (blockIdx.x % 4);
  float x = 0.0f, y = 1.0f;
  int at = thread;
#pragma unroll 1
  for (int i = 0; i < own_trips; ++i) {
    x = x * 0.5f + values[at];
#pragma unroll 4
    for (int s = 0; s < shorts; ++s) {
      x = x * 0.75f + 0.25f;
      y = y * 0.5f + 0.5f;
    }
    at += threads;
  }
  results[thread] = x + y;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "few_ctas",
                    {{"blocks", 6, 84, 112},
                     {"trips", 4, 6, 48},
                     {"skew", 1, 1, 16},
                     {"shorts", 3, 48, 16},
                     {"launches", 2, 2, 4}});
  const int blocks = sizes[0], trips = sizes[1], skew = sizes[2], shorts = sizes[3],
            launches = sizes[4], threads = blocks * kBlock;
  Random random(28);
  const std::vector<float> values = random.units(std::size_t(threads) * (trips + 3 * skew));
  DeviceArray<float> device_values(values), device_results(threads);
  for (int launch = 0; launch < launches; ++launch) {
    uneven<<<blocks, kBlock>>>(device_values.get(), device_results.get(), trips, skew, shorts);
    finish("uneven");
  }

  const std::vector<float> results = device_results.host();
  long wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    double x = 0;
    for (int i = 0; i < trips + skew * (thread / kBlock % 4); ++i) {
      x = x * 0.5 + values[std::size_t(i) * threads + thread];
      for (int s = 0; s < shorts; ++s) x = x * 0.75 + 0.25;
    }
    wrong += !near(results[thread], x + 1.0, 1e-4);
  }
  return verdict(wrong, threads);
}
