// A training step of the input layer of a neural network, as Rodinia's back propagation: 16 hidden
// units, CTAs of 16x16 threads. layer_forward multiplies inputs by weights and adds them in shared
// memory, half of the rows in each step; adjust_weights changes every weight. As there, a step is a
// power of two in floating point, rates are doubles, and a change is computed from memory once for
// the weight and again for the next training step.
#include "../common.h"

using namespace workload;

constexpr int kTile = 16;  // inputs of a CTA, and hidden units
constexpr double kRate = 0.3, kMomentum = 0.3;

// weights[(input + 1) * (kTile + 1) + unit + 1]: row 0 and column 0 belong to the biases.
__device__ inline int weight_index() {
  return (kTile * blockIdx.y + threadIdx.y + 1) * (kTile + 1) + threadIdx.x + 1;
}

__global__ void layer_forward(const float* inputs, float* weights, float* partial_sums) {
  __shared__ float input[kTile], product[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, at = weight_index();
  if (x == 0) input[y] = inputs[kTile * blockIdx.y + y + 1];
  __syncthreads();
  product[y][x] = weights[at];
  __syncthreads();
  product[y][x] *= input[y];
  __syncthreads();
  for (int i = 1; i <= __log2f(kTile); ++i) {
    const int step = static_cast<int>(__powf(2, i));
    if (y % step == 0) product[y][x] += product[y + step / 2][x];
    __syncthreads();
  }
  weights[at] = product[y][x];  // as the original; adjust_weights starts from the first weights
  __syncthreads();
  if (x == 0) partial_sums[blockIdx.y * kTile + y] = product[0][y];
}

__global__ void adjust_weights(const float* delta, const float* inputs, float* weights,
                               float* old_changes) {
  const int at = weight_index(), unit = threadIdx.x + 1,
            input = kTile * blockIdx.y + threadIdx.y + 1;
  const auto change = [&] {
    return kRate * delta[unit] * inputs[input] + kMomentum * old_changes[at];
  };
  weights[at] += change();
  old_changes[at] = change();  // read again: the weights may be the same memory
  __syncthreads();
  if (threadIdx.y == 0 && blockIdx.y == 0) {
    const auto bias = [&] { return kRate * delta[unit] + kMomentum * old_changes[unit]; };
    weights[unit] += bias();
    old_changes[unit] = bias();
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "backprop", {{"inputs", 256, 8192, 65536}});
  const int tiles = blocks_for(sizes[0], kTile), inputs = tiles * kTile;
  Random random(81);
  const std::size_t count = std::size_t(inputs + 1) * (kTile + 1);
  const std::vector<float> values = random.units(inputs + 1), weights = random.units(count),
                           changes = random.units(count), delta = random.units(kTile + 1);
  DeviceArray<float> device_values(values), device_weights(weights), device_changes(changes),
      device_delta(delta), partial_sums(std::size_t(tiles) * kTile);
  const dim3 grid(1, tiles), block(kTile, kTile);
  layer_forward<<<grid, block>>>(device_values.get(), device_weights.get(), partial_sums.get());
  finish("layer_forward");
  device_weights.assign(weights);
  adjust_weights<<<grid, block>>>(device_delta.get(), device_values.get(), device_weights.get(),
                                  device_changes.get());
  finish("adjust_weights");

  const std::vector<float> sums = partial_sums.host(), adjusted = device_weights.host();
  long wrong = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int unit = 0; unit < kTile; ++unit) {
      double sum = 0;
      for (int input = tile * kTile + 1; input <= (tile + 1) * kTile; ++input)
        sum += double(values[input]) * weights[std::size_t(input) * (kTile + 1) + unit + 1];
      wrong += !near(sums[std::size_t(tile) * kTile + unit], sum, 1e-4);
    }
  }
  for (int input = 0; input <= inputs; ++input) {
    for (int unit = 0; unit <= kTile; ++unit) {
      const std::size_t at = std::size_t(input) * (kTile + 1) + unit;
      const double value = input == 0 ? 1.0 : values[input];
      double expected = weights[at];
      if (unit > 0) expected += kRate * delta[unit] * value + kMomentum * changes[at];
      wrong += !near(adjusted[at], expected, 1e-5);
    }
  }
  return verdict(wrong, static_cast<long>(sums.size() + count));
}
