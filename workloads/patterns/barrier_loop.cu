// Barrier loop: CTAs of 16 warps. In each iteration every lane reads a piece of a row that `share`
// lanes share, with `work` operations per step; then all wait at a barrier. Only a line's own warp
// reuses it, which favours greedy scheduling, but the barriers equalise how much the warps issue.
// shared_kib: a CTA's shared memory, which decides how many CTAs fit on an SM.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 512;

__global__ void walk_together(const float* rows, float* sums, int trips, int steps, int share,
                              int work) {
  extern __shared__ float said[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / share,
            length = trips * steps;
  float sum = 0.0f;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll 1
    for (int i = 0; i < steps; ++i) {
      sum += rows[row * length + trip * steps + i];
#pragma unroll 1
      for (int k = 0; k < work; ++k) sum = sum * 0.999f + 0.001f;
    }
    said[threadIdx.x] = sum;
    __syncthreads();
    sum += 0.5f * said[(threadIdx.x + 32) % kBlock];
    __syncthreads();
  }
  sums[thread] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "barrier_loop",
                    {{"blocks", 2, 60, 240},
                     {"trips", 3, 2, 8},
                     {"steps", 4, 12, 16},
                     {"shared_kib", 2, 24, 24},
                     {"share", 1, 2, 2},
                     {"work", 1, 8, 8}});
  const int blocks = sizes[0], trips = sizes[1], steps = sizes[2], shared_kib = sizes[3],
            share = sizes[4], work = sizes[5], count = blocks * kBlock, length = trips * steps;
  Random random(30);
  const std::vector<float> rows = random.units(std::size_t(count / share) * length);
  DeviceArray<float> device_rows(rows), device_sums(count);
  walk_together<<<blocks, kBlock, shared_kib * 1024>>>(device_rows.get(), device_sums.get(), trips,
                                                       steps, share, work);
  finish("walk_together");

  const std::vector<float> sums = device_sums.host();
  long wrong = 0;
  for (int block = 0; block < blocks; ++block) {
    std::vector<double> expected(kBlock), said(kBlock);
    for (int trip = 0; trip < trips; ++trip) {
      for (int t = 0; t < kBlock; ++t) {
        const float* row = &rows[std::size_t((block * kBlock + t) / share) * length + trip * steps];
        for (int i = 0; i < steps; ++i) {
          expected[t] += row[i];
          for (int k = 0; k < work; ++k) expected[t] = expected[t] * 0.999 + 0.001;
        }
      }
      said = expected;
      for (int t = 0; t < kBlock; ++t) expected[t] += 0.5 * said[(t + 32) % kBlock];
    }
    for (int t = 0; t < kBlock; ++t) wrong += !near(sums[block * kBlock + t], expected[t], 1e-4);
  }
  return verdict(wrong, count);
}
