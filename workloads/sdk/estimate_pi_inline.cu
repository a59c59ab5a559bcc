// Pi by the Monte Carlo method with random numbers made where they are used, as the SDK's
// MC_EstimatePiInlineP: a kernel seeds a generator per thread, which is nearly all of the work; a
// second kernel draws points and counts those inside the circle, with a sum in shared memory.
#include "xorwow.h"

using namespace workload;

__host__ __device__ inline bool inside(Xorwow& state) {
  const float x = uniform(state), y = uniform(state);
  return x * x + y * y < 1.0f;
}

__global__ void estimate_pi(int* counts, const Xorwow* states, int simulations) {
  extern __shared__ int shared[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  Xorwow state = states[thread];
  int count = 0;
  for (int i = thread; i < simulations; i += threads) count += inside(state);
  const int sum = sum_of_cta(count, shared);
  if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "estimate_pi_inline",
                    {{"simulations", 300, 5000, 100000}, {"block", 64, 128, 128}});
  const int simulations = sizes[0], block = sizes[1], grid = monte_carlo_grid(simulations, block);
  const std::vector<unsigned> matrices = skip_matrices();
  DeviceArray<unsigned> device_matrices(matrices);
  DeviceArray<Xorwow> states(std::size_t(grid) * block);
  DeviceArray<int> counts(grid);
  seed_generators<<<grid, block>>>(states.get(), device_matrices.get());
  estimate_pi<<<grid, block, block * sizeof(int)>>>(counts.get(), states.get(), simulations);
  finish("estimate_pi");

  // A point on the circle may be counted either way: a count may be off by one.
  const std::vector<int> found = counts.host();
  long wrong = 0, total = 0;
  for (int cta = 0; cta < grid; ++cta) {
    int expected = 0;
    for (int thread = cta * block; thread < (cta + 1) * block; ++thread) {
      Xorwow state = seeded(matrices.data(), static_cast<unsigned>(thread));
      for (int i = thread; i < simulations; i += grid * block) expected += inside(state);
    }
    wrong += std::abs(found[cta] - expected) > 1;
    total += found[cta];
  }
  std::printf("pi is about %.3f\n", 4.0 * double(total) / simulations);
  return verdict(wrong, grid);
}
