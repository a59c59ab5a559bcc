// Prices of interest-rate options in the LIBOR market model and their sensitivities, as LIB of the
// ISPASS 2009 benchmarks (after Giles and Glasserman, 2006): a Monte Carlo path per thread, 64 CTAs
// of 64. A path has 80 forward rates in local memory. The first kernel also goes back along the
// path (adjoint method), for which it stores the rates of all 40 time steps.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kMaxRates = 80, kMaxSteps = 40, kOptions = 15, kBlock = 64;
constexpr float kDelta = 0.25f;

struct Market {
  int rates, steps;
  float lambda[kMaxRates];
  float swap_rate[kOptions];
  int maturity[kOptions];
};
__constant__ Market constant_market;

template <class T>
__host__ __device__ inline void advance(const Market& m, const T* from, T* rates, T normal, int n) {
  const T root = sqrtf(kDelta) * normal;
  T drift = 0;
#pragma unroll 1
  for (int i = n + 1; i < m.rates; ++i) {
    const T lambda = m.lambda[i - n - 1], change = kDelta * lambda;
    drift += change * from[i] / (1 + T(kDelta) * from[i]);
    const T growth = exp(change * drift / T(kDelta) + lambda * (root - T(0.5) * change));
    rates[i] = from[i] * growth;
  }
}

// The discounted payoff of all options after the last step.
template <class T>
__host__ __device__ inline T portfolio(const Market& m, const T* rates) {
  T value = 0, bond = 1, annuity = 0;
  T bonds[kMaxRates], annuities[kMaxRates];
#pragma unroll 1
  for (int n = m.steps; n < m.rates; ++n) {
    bond /= 1 + T(kDelta) * rates[n];
    annuity += T(kDelta) * bond;
    bonds[n] = bond;
    annuities[n] = annuity;
  }
#pragma unroll 1
  for (int option = 0; option < kOptions; ++option) {
    const int last = m.steps + m.maturity[option] - 1;
    const T swap = bonds[last] + T(m.swap_rate[option]) * annuities[last] - 1;
    if (swap < 0) value -= 100 * swap;
  }
  for (int n = 0; n < m.steps; ++n) value /= 1 + T(kDelta) * rates[n];
  return value;
}

__host__ __device__ inline float normal_of(int path, int step) {
  unsigned hash = unsigned(path) * 0x9e3779b1u + unsigned(step) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
  return ((hash >> 8) & 0xffff) / 32768.0f - 1.0f;
}

// The adjoint of a step: from weights of the rates after the step to weights of those before it.
template <class T>
__host__ __device__ inline void retreat(const Market& m, const T* from, const T* to, T* weights,
                                        int n) {
  T sum = 0;
#pragma unroll 1
  for (int i = m.rates - 1; i > n; --i) {
    const T lambda = m.lambda[i - n - 1], bond = 1 / (1 + T(kDelta) * from[i]);
    const T along = to[i] * weights[i];
    sum += along * lambda;
    weights[i] = along / from[i] + sum * T(kDelta) * lambda * bond * bond;
  }
}

__global__ void value_paths(float* values, float start) {
  const Market& market = constant_market;
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  float rates[kMaxRates];
  for (int i = 0; i < market.rates; ++i) rates[i] = start;
#pragma unroll 1
  for (int n = 0; n < market.steps; ++n) advance(market, rates, rates, normal_of(path, n), n);
  values[path] = portfolio(market, rates);
}

__global__ void value_and_differentiate(float* values, float* slopes, float start) {
  const Market& market = constant_market;
  const int path = blockIdx.x * blockDim.x + threadIdx.x, steps = market.steps,
            count = market.rates;
  float rates[(kMaxSteps + 1) * kMaxRates], weights[kMaxRates];
  for (int i = 0; i < count; ++i) rates[i] = start;
#pragma unroll 1
  for (int n = 0; n < steps; ++n) {
    float *from = rates + n * count, *to = from + count;
    for (int i = 0; i <= n; ++i) to[i] = from[i];
    advance(market, from, to, normal_of(path, n), n);
  }
  values[path] = portfolio(market, rates + steps * count);
  for (int i = 0; i < count; ++i) weights[i] = 1.0f;
#pragma unroll 1
  for (int n = steps - 1; n >= 0; --n)
    retreat(market, rates + n * count, rates + (n + 1) * count, weights, n);
  float slope = 0.0f;
  for (int i = 0; i < count; ++i) slope += weights[i];
  slopes[path] = slope;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "lib",
                    {{"blocks", 1, 8, 64}, {"rates", 20, 40, 80}, {"steps", 8, 20, 40}});
  const int blocks = sizes[0], paths = blocks * kBlock;
  Market market{};
  market.rates = std::min(sizes[1], kMaxRates);
  market.steps = std::min(sizes[2], std::min(kMaxSteps, market.rates - 5));
  for (float& lambda : market.lambda) lambda = 0.2f;
  Random random(110);
  for (int option = 0; option < kOptions; ++option) {
    market.swap_rate[option] = 0.045f + 0.0007f * option;
    market.maturity[option] = 4 + random.below(market.rates - market.steps - 4);
  }
  check(cudaMemcpyToSymbol(constant_market, &market, sizeof market), "market");
  const float start = 0.05f;
  DeviceArray<float> values(paths), again(paths), slopes(paths);
  value_and_differentiate<<<blocks, kBlock>>>(values.get(), slopes.get(), start);
  value_paths<<<blocks, kBlock>>>(again.get(), start);
  finish("value_paths");

  // The slope is the derivative of the sum of the final rates with respect to a common change of
  // the first ones: the host confirms it by differences.
  const std::vector<float> found = values.host(), repeated = again.host(), slope = slopes.host();
  long wrong = 0;
  for (int path = 0; path < paths; ++path) {
    double sums[2], value = 0;
    for (int side = 0; side < 2; ++side) {
      std::vector<double> rates(market.rates, start + (side ? 1e-6 : -1e-6));
      for (int n = 0; n < market.steps; ++n)
        advance(market, rates.data(), rates.data(), double(normal_of(path, n)), n);
      sums[side] = 0;
      for (double rate : rates) sums[side] += rate;
      value += portfolio(market, rates.data()) / 2;
    }
    wrong += !near(found[path], value, 1e-2) || !near(repeated[path], value, 1e-2) ||
             !near(slope[path], (sums[1] - sums[0]) / 2e-6, 1e-2);
  }
  return verdict(wrong, paths);
}
