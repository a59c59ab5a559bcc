// Black-Scholes prices of European options, as the SDK's BlackScholes of that time: a stream with
// much arithmetic by fast intrinsics, no reuse.
#include "common.h"

using namespace workload;

constexpr int kBlock = 128, kLargestGrid = 480;
constexpr float kRate = 0.02f, kVolatility = 0.30f;

// The cumulative normal distribution, computed with the five-term polynomial of Abramowitz and
// Stegun, 26.2.17 (error below 7.5e-8).
__device__ inline float normal_distribution(float d) {
  const float t = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      t * (0.319381530f +
           t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const float tail = 0.39894228f * __expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void price(const float* stock, const float* strike, const float* years, float* call,
                      float* put, float rate, float volatility, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float s = stock[i], x = strike[i], t = years[i];
    const float spread = volatility * sqrtf(t);
    const float d1 = (__logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread,
                d2 = d1 - spread;
    const float p1 = normal_distribution(d1), p2 = normal_distribution(d2);
    const float discounted = x * __expf(-rate * t);
    call[i] = s * p1 - discounted * p2;
    put[i] = discounted * (1.0f - p2) - s * (1.0f - p1);
  }
}

static double exact_distribution(double d) { return 0.5 * std::erfc(-d * std::sqrt(0.5)); }

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "blackscholes", {{"options", 2048, 122880, 4000000}});
  const int n = sizes[0];
  Random random(10);
  std::vector<float> stock(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    stock[i] = 5.0f + 25.0f * random.unit();
    strike[i] = 1.0f + 99.0f * random.unit();
    years[i] = 0.25f + 9.75f * random.unit();
  }

  DeviceArray<float> device_stock(stock), device_strike(strike), device_years(years),
      device_call(n), device_put(n);
  const int blocks = blocks_for(n, kBlock) < kLargestGrid ? blocks_for(n, kBlock) : kLargestGrid;
  price<<<blocks, kBlock>>>(device_stock.get(), device_strike.get(), device_years.get(),
                            device_call.get(), device_put.get(), kRate, kVolatility, n);
  finish("price");

  const std::vector<float> call = device_call.host(), put = device_put.host();
  long wrong = 0;
  for (int i = 0; i < n; ++i) {
    const double s = stock[i], x = strike[i], t = years[i], v = kVolatility, r = kRate;
    const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t)),
                 d2 = d1 - v * std::sqrt(t);
    const double discounted = x * std::exp(-r * t);
    const double expected_call = s * exact_distribution(d1) - discounted * exact_distribution(d2);
    wrong +=
        !near(call[i], expected_call, 2e-5) || !near(put[i], expected_call - s + discounted, 2e-5);
  }
  return verdict(wrong, n);
}
