// Row walk: every lane reads its own row from left to right. A line holds 32 elements of one row,
// so a warp needs each of its lines again in the next 31 iterations, and no other warp does. The L1
// holds the lines of few warps at a time.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void walk(const float* rows, float* sums, int length, int arrays, int lanes,
                     int array_size) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 >= lanes) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < length; ++i) {
#pragma unroll 1
    for (int a = 0; a < arrays; ++a) sum += rows[a * array_size + row * length + i];
  }
  sums[row] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "row_walk",
      {{"blocks", 4, 90, 360}, {"trips", 8, 32, 64}, {"lanes", 24, 32, 32}, {"arrays", 2, 1, 2}});
  const int blocks = sizes[0], trips = sizes[1], lanes = sizes[2], arrays = sizes[3],
            count = blocks * kBlock;
  Random random(21);
  const std::vector<float> rows = random.units(std::size_t(count) * trips * arrays);
  DeviceArray<float> device_rows(rows), device_sums(count);
  walk<<<blocks, kBlock>>>(device_rows.get(), device_sums.get(), trips, arrays, lanes,
                           count * trips);
  finish("walk");

  const std::vector<float> sums = device_sums.host();
  long wrong = 0;
  for (int row = 0; row < count; ++row) {
    double sum = 0;
    if (row % 32 < lanes) {
      for (int a = 0; a < arrays; ++a)
        for (int i = 0; i < trips; ++i) sum += rows[(std::size_t(a) * count + row) * trips + i];
    }
    wrong += !near(sums[row], sum, 1e-5);
  }
  return verdict(wrong, count);
}
