// The price of an Asian option by the Monte Carlo method, as the SDK's MC_SingleAsianOptionP: a
// generator per thread is seeded; paths of prices are generated, time step by time step; the mean
// of each path is read back and its payoff summed. 87 time steps are a third of a year.
#include "xorwow.h"

using namespace workload;

constexpr float kSpot = 40.0f, kStrike = 35.0f, kRate = 0.03f, kVolatility = 0.2f,
                kYears = 1.0f / 3;

// Two normal variates, by Box and Muller.
__host__ __device__ inline void normals(Xorwow& state, float& a, float& b) {
  const float u = uniform(state), v = uniform(state) * 6.2831853f;
  const float radius = sqrtf(-2.0f * logf(u));
  a = radius * sinf(v);
  b = radius * cosf(v);
}

__global__ void generate_paths(float* paths, const Xorwow* states, int simulations, int steps) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  Xorwow state = states[thread];
  const float dt = kYears / steps, drift = (kRate - 0.5f * kVolatility * kVolatility) * dt,
              diffusion = kVolatility * sqrtf(dt);
  for (int i = thread; i < simulations; i += threads) {
    float price = kSpot, normal = 0.0f, spare = 0.0f;
    for (int step = 0; step < steps; ++step) {
      if (step % 2 == 0)
        normals(state, normal, spare);
      else
        normal = spare;
      price *= expf(drift + diffusion * normal);
      paths[step * simulations + i] = price;
    }
  }
}

__global__ void value_paths(float* values, const float* paths, int simulations, int steps) {
  extern __shared__ float shared[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float payoffs = 0.0f;
  for (int i = thread; i < simulations; i += threads) {
    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) sum += paths[step * simulations + i];
    payoffs += fmaxf(0.0f, sum / steps - kStrike);
  }
  const float sum = sum_of_cta(payoffs, shared);
  if (threadIdx.x == 0) values[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "asian_option",
      {{"simulations", 300, 5000, 100000}, {"steps", 5, 87, 87}, {"block", 64, 128, 128}});
  const int simulations = sizes[0], steps = sizes[1], block = sizes[2],
            grid = monte_carlo_grid(simulations, block);
  const std::vector<unsigned> matrices = skip_matrices();
  DeviceArray<unsigned> device_matrices(matrices);
  DeviceArray<Xorwow> states(std::size_t(grid) * block);
  DeviceArray<float> paths(std::size_t(simulations) * steps), values(grid);
  seed_generators<<<grid, block>>>(states.get(), device_matrices.get());
  generate_paths<<<grid, block>>>(paths.get(), states.get(), simulations, steps);
  value_paths<<<grid, block, block * sizeof(float)>>>(values.get(), paths.get(), simulations,
                                                      steps);
  finish("value_paths");

  const std::vector<float> found_paths = paths.host(), found = values.host();
  std::vector<double> expected(grid);
  long wrong = 0;
  const double dt = double(kYears) / steps, diffusion = kVolatility * std::sqrt(dt),
               drift = (kRate - 0.5 * kVolatility * kVolatility) * dt;
  for (int thread = 0; thread < grid * block; ++thread) {
    Xorwow state = seeded(matrices.data(), static_cast<unsigned>(thread));
    for (int i = thread; i < simulations; i += grid * block) {
      double price = kSpot, sum = 0;
      float normal = 0, spare = 0;
      for (int step = 0; step < steps; ++step) {
        if (step % 2 == 0)
          normals(state, normal, spare);
        else
          normal = spare;
        price *= std::exp(drift + diffusion * normal);
        sum += price;
        wrong += !near(found_paths[std::size_t(step) * simulations + i], price, 1e-3);
      }
      expected[thread / block] += std::fmax(0.0, sum / steps - kStrike);
    }
  }
  for (int cta = 0; cta < grid; ++cta) wrong += !near(found[cta], expected[cta], 1e-3);
  return verdict(wrong, grid + long(simulations) * steps);
}
