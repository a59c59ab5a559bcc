// Broadcast centre: every warp reads the same lines in the same order, `lines` per iteration, and
// sometimes a line of its own. Warps in step share a line while it is in the L1. A warp that runs
// ahead fetches all lines for itself.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kLine = 32;  // floats of a 128-byte line

__global__ void distance(const float* centre, const float* own, float* distances, int trips,
                         int lines, int every, int points) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % lines;
  float sum = 0.0f, mine = 0.0f;
  int until_own = 0, part = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    if (until_own == 0) {
      mine = own[part * points + point];
      until_own = every;
      ++part;
    }
    --until_own;
    const float difference = mine - centre[(trip * lines + lane) * kLine];
    sum += difference * difference;
  }
  distances[point] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "broadcast_centre",
      {{"blocks", 4, 600, 1440}, {"trips", 20, 32, 256}, {"lines", 3, 16, 16}, {"every", 4, 8, 8}});
  const int blocks = sizes[0], trips = sizes[1], lines = sizes[2], every = sizes[3],
            points = blocks * kBlock;
  Random random(23);
  const std::vector<float> centre = random.units(std::size_t(trips) * lines * kLine);
  const std::vector<float> own = random.units(std::size_t(blocks_for(trips, every)) * points);
  DeviceArray<float> device_centre(centre), device_own(own), device_distances(points);
  distance<<<blocks, kBlock>>>(device_centre.get(), device_own.get(), device_distances.get(), trips,
                               lines, every, points);
  finish("distance");

  const std::vector<float> distances = device_distances.host();
  long wrong = 0;
  for (int point = 0; point < points; ++point) {
    double sum = 0;
    for (int trip = 0; trip < trips; ++trip) {
      const double difference = double(own[std::size_t(trip / every) * points + point]) -
                                centre[std::size_t(trip * lines + point % kBlock % lines) * kLine];
      sum += difference * difference;
    }
    wrong += !near(distances[point], sum, 1e-3);
  }
  return verdict(wrong, points);
}
