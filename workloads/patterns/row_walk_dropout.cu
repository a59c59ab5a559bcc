// Row walk with lane drop-out: like row_walk, but the row lengths have a geometric distribution, so
// that a warp needs fewer and fewer lines as its lanes finish. A limit on the number of warps must
// suit both full and nearly empty warps.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kLongest = 8;  // longest row, as a multiple of the average

__global__ void walk(const int* start, const float* values, float* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int end = start[row + 1];
  float sum = 0.0f;
#pragma unroll 1
  for (int i = start[row]; i < end; ++i) sum += values[i];
  sums[row] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "row_walk_dropout",
                    {{"blocks", 4, 270, 360}, {"average", 8, 32, 64}});
  const int blocks = sizes[0], average = sizes[1], count = blocks * kBlock;
  Random random(22);
  std::vector<int> start(count + 1);
  for (int row = 0; row < count; ++row) {
    int length = 1;
    while (length < kLongest * average && random.below(average) != 0) ++length;
    start[row + 1] = start[row] + length;
  }
  const std::vector<float> values = random.units(start[count]);
  DeviceArray<int> device_start(start);
  DeviceArray<float> device_values(values), device_sums(count);
  walk<<<blocks, kBlock>>>(device_start.get(), device_values.get(), device_sums.get());
  finish("walk");

  const std::vector<float> sums = device_sums.host();
  long wrong = 0;
  for (int row = 0; row < count; ++row) {
    double sum = 0;
    for (int i = start[row]; i < start[row + 1]; ++i) sum += values[i];
    wrong += !near(sums[row], sum, 1e-5);
  }
  return verdict(wrong, count);
}
