// Unit imbalance: the work of a warp depends on its scheduler. The warps of `special` of `kinds`
// schedulers use special functions all the time, so that their collectors for that unit are full.
// The other warps compute for a while, and their collectors are empty.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void roles(const float* values, float* results, int trips, int kinds, int special) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, role = threadIdx.x / 32 % kinds;
  float x = values[thread], y = x, z = x, w = x;
  if (role < special) {
#pragma unroll 4
    for (int i = 0; i < trips; ++i) {
      x = __fsqrt_rn(x + 1.0f);
      y = __fsqrt_rn(y + 2.0f);
      z = __fsqrt_rn(z + 3.0f);
      w = __fsqrt_rn(w + 4.0f);
    }
  } else {
#pragma unroll 4
    for (int i = 0; i < trips; ++i) {
      x = x * 0.5f + 1.0f;
      y = y * 0.5f + 2.0f;
      z = z * 0.5f + 3.0f;
      w = w * 0.5f + 4.0f;
    }
  }
  results[thread] = x + y + z + w;
}

static double expected(double value, bool special, int trips) {
  double sum = 0;
  for (int chain = 1; chain <= 4; ++chain) {
    double x = value;
    for (int i = 0; i < trips; ++i) x = special ? std::sqrt(x + chain) : x * 0.5 + chain;
    sum += x;
  }
  return sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "unit_imbalance",
      {{"blocks", 4, 112, 448}, {"trips", 8, 96, 96}, {"kinds", 2, 4, 4}, {"special", 1, 3, 3}});
  const int blocks = sizes[0], trips = sizes[1], kinds = sizes[2], special = sizes[3],
            threads = blocks * kBlock;
  Random random(29);
  const std::vector<float> values = random.units(threads);
  DeviceArray<float> device_values(values), device_results(threads);
  roles<<<blocks, kBlock>>>(device_values.get(), device_results.get(), trips, kinds, special);
  finish("roles");

  const std::vector<float> results = device_results.host();
  long wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    wrong += !near(results[thread],
                   expected(values[thread], thread % kBlock / 32 % kinds < special, trips), 1e-4);
  }
  return verdict(wrong, threads);
}
