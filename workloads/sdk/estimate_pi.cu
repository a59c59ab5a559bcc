// Pi by the Monte Carlo method with random numbers made in advance, as the SDK's MC_EstimatePiP:
// threads read the coordinates of points, coalesced, and count those inside the circle, with a sum
// in shared memory.
#include "xorwow.h"

using namespace workload;

__global__ void estimate_pi(int* counts, const float* coordinates, int simulations) {
  extern __shared__ int shared[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  int count = 0;
  for (int i = thread; i < simulations; i += threads) {
    const float x = coordinates[i], y = coordinates[simulations + i];
    if (x * x + y * y < 1.0f) ++count;
  }
  const int sum = sum_of_cta(count, shared);
  if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "estimate_pi",
                    {{"simulations", 3000, 100000, 10000000}, {"block", 64, 128, 128}});
  const int simulations = sizes[0], block = sizes[1], grid = monte_carlo_grid(simulations, block);
  Random random(72);
  const std::vector<float> coordinates = random.units(2 * std::size_t(simulations));
  DeviceArray<float> device_coordinates(coordinates);
  DeviceArray<int> counts(grid);
  estimate_pi<<<grid, block, block * sizeof(int)>>>(counts.get(), device_coordinates.get(),
                                                    simulations);
  finish("estimate_pi");

  // A point on the circle may be counted either way: a count may be off by one.
  const std::vector<int> found = counts.host();
  std::vector<int> expected(grid);
  for (int i = 0; i < simulations; ++i) {
    const double x = coordinates[i], y = coordinates[std::size_t(simulations) + i];
    expected[i / block % grid] += x * x + y * y < 1.0;
  }
  long wrong = 0;
  for (int cta = 0; cta < grid; ++cta) wrong += std::abs(found[cta] - expected[cta]) > 1;
  return verdict(wrong, grid);
}
