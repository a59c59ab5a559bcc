// Prices of European options by binomial trees, as the SDK's binomialOptions: a CTA of 256 threads
// per option. The values of a step of the tree are in global memory; a CTA takes 256 of them to
// shared memory and goes 32 steps back, with two barriers per step.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kDelta = 32, kStride = kBlock - kDelta;
constexpr float kRate = 0.06f, kVolatility = 0.1f;

struct Option {
  float price, strike, years;
};

__global__ void value_options(const Option* options, float* buffers, float* results, int steps) {
  __shared__ float value[kBlock];
  const int thread = threadIdx.x;
  const Option option = options[blockIdx.x];
  float* buffer = buffers + blockIdx.x * (steps + kBlock);
  const float dt = option.years / steps, up = kVolatility * sqrtf(dt), growth = expf(kRate * dt),
              down = expf(-up), chance = (growth - down) / (expf(up) - down),
              of_up = chance / growth, of_down = (1.0f - chance) / growth;
  for (int i = thread; i <= steps; i += kBlock)
    buffer[i] = fmaxf(option.price * expf(up * (2 * i - steps)) - option.strike, 0.0f);
  for (int step = steps; step > 0; step -= kDelta) {
    for (int base = 0; base < step; base += kStride) {
      int last = min(kBlock - 1, step - base);
      const int end = last - kDelta;
      __syncthreads();
      if (thread <= last) value[thread] = buffer[base + thread];
      while (last > end) {
        --last;
        __syncthreads();
        float next = 0.0f;
        if (thread <= last) next = of_up * value[thread + 1] + of_down * value[thread];
        __syncthreads();
        if (thread <= last) value[thread] = next;
      }
      __syncthreads();
      if (thread <= end) buffer[base + thread] = value[thread];
    }
  }
  if (thread == 0) results[blockIdx.x] = value[0];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "binomial_options",
                    {{"options", 2, 60, 512}, {"steps", 64, 256, 2048}});
  const int count = sizes[0], steps = blocks_for(sizes[1], kDelta) * kDelta;
  Random random(95);
  std::vector<Option> options(count);
  for (Option& option : options)
    option = {5.0f + 25.0f * random.unit(), 1.0f + 99.0f * random.unit(),
              0.25f + 9 * random.unit()};
  DeviceArray<Option> device_options(options);
  DeviceArray<float> buffers(std::size_t(count) * (steps + kBlock)), results(count);
  value_options<<<count, kBlock>>>(device_options.get(), buffers.get(), results.get(), steps);
  finish("value_options");

  const std::vector<float> found = results.host();
  long wrong = 0;
  std::vector<double> value(steps + 1);
  for (int i = 0; i < count; ++i) {
    const double dt = double(options[i].years) / steps, up = kVolatility * std::sqrt(dt),
                 growth = std::exp(kRate * dt), down = std::exp(-up),
                 chance = (growth - down) / (std::exp(up) - down);
    for (int k = 0; k <= steps; ++k)
      value[k] =
          std::fmax(options[i].price * std::exp(up * (2 * k - steps)) - options[i].strike, 0);
    for (int step = steps; step > 0; --step)
      for (int k = 0; k < step; ++k)
        value[k] = (chance * value[k + 1] + (1 - chance) * value[k]) / growth;
    wrong += !near(found[i], value[0], 2e-3);
  }
  return verdict(wrong, count);
}
