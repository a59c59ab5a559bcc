// Temperatures of a chip, as Rodinia's hotspot: a launch computes `pyramid` time steps. A CTA of
// 16x16 threads keeps its part of the chip in shared memory and loses a border of one per step, so
// that CTAs overlap. As there, every thread divides by the resistances, and the sum is in double
// precision, because the constant 2.0 is a double.
#include <algorithm>
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 16;
constexpr float kAmbient = 80.0f;

struct Chip {
  int size;                          // rows and columns
  float step, capacity, rx, ry, rz;  // time step, thermal capacity and resistances
};

// What a thread needs of a chip.
struct Factors {
  float step, x, y, z;  // time step over capacity; 1 / resistance
};

__host__ __device__ inline Factors factors_of(const Chip& chip) {
  return {chip.step / chip.capacity, 1 / chip.rx, 1 / chip.ry, 1 / chip.rz};
}

__host__ __device__ inline float heated(const Factors& factors, float here, float north,
                                        float south, float west, float east, float power) {
  const double vertical = (south + north - 2.0 * here) * factors.y,
               horizontal = (east + west - 2.0 * here) * factors.x;
  const float ambient = (kAmbient - here) * factors.z;
  return static_cast<float>(here + factors.step * (power + vertical + horizontal + ambient));
}

__global__ void time_steps(Chip chip, const float* power, const float* source, float* result,
                           int steps, int border) {
  __shared__ float now[kBlock][kBlock], own_power[kBlock][kBlock], next[kBlock][kBlock];
  const int own = kBlock - 2 * border, tx = threadIdx.x, ty = threadIdx.y, last = chip.size - 1;
  const int left = blockIdx.x * own - border, top = blockIdx.y * own - border;
  const int x = left + tx, y = top + ty, at = y * chip.size + x;
  const Factors factors = factors_of(chip);
  const bool inside = x >= 0 && x <= last && y >= 0 && y <= last;
  if (inside) {
    now[ty][tx] = source[at];
    own_power[ty][tx] = power[at];
  }
  __syncthreads();
  // The part of the tile that is on the chip. Neighbours beyond it are the cell itself.
  const int first_x = max(0, -left), last_x = min(kBlock - 1, last - left), first_y = max(0, -top),
            last_y = min(kBlock - 1, last - top);
  const int north = max(ty - 1, first_y), south = min(ty + 1, last_y), west = max(tx - 1, first_x),
            east = min(tx + 1, last_x);
  bool computed = false;
  for (int i = 0; i < steps; ++i) {
    computed = tx >= i + 1 && tx <= kBlock - 2 - i && ty >= i + 1 && ty <= kBlock - 2 - i &&
               tx >= first_x && tx <= last_x && ty >= first_y && ty <= last_y;
    if (computed) {
      next[ty][tx] = heated(factors, now[ty][tx], now[north][tx], now[south][tx], now[ty][west],
                            now[ty][east], own_power[ty][tx]);
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  const bool mine = tx >= border && tx < kBlock - border && ty >= border && ty < kBlock - border;
  if (computed && mine) result[at] = next[ty][tx];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "hotspot",
                    {{"size", 40, 256, 512}, {"steps", 3, 2, 2}, {"pyramid", 2, 2, 2}});
  const int size = sizes[0], steps = sizes[1], pyramid = std::min(sizes[2], kBlock / 2 - 1);
  const Chip chip{size, 0.1f, 1.0f, 1 / 0.3f, 4.0f, 20.0f};
  const Factors factors = factors_of(chip);
  Random random(83);
  std::vector<float> power = random.units(std::size_t(size) * size), heat(power.size());
  for (float& value : heat) value = 320.0f + 20.0f * random.unit();
  DeviceArray<float> device_power(power), from(heat), to(heat);
  float *now = from.get(), *then = to.get();
  const int ctas = blocks_for(size, kBlock - 2 * pyramid);
  for (int step = 0; step < steps; step += pyramid) {
    time_steps<<<dim3(ctas, ctas), dim3(kBlock, kBlock)>>>(
        chip, device_power.get(), now, then, std::min(pyramid, steps - step), pyramid);
    std::swap(now, then);
  }
  finish("time_steps");

  std::vector<float> next(heat.size()), found(heat.size());
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const auto at = [&](int row, int column) {
          return heat[std::size_t(std::min(std::max(row, 0), size - 1)) * size +
                      std::min(std::max(column, 0), size - 1)];
        };
        next[std::size_t(y) * size + x] =
            heated(factors, at(y, x), at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1),
                   power[std::size_t(y) * size + x]);
      }
    }
    std::swap(heat, next);
  }
  check(cudaMemcpy(found.data(), now, found.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "result");
  long wrong = 0;
  for (std::size_t i = 0; i < heat.size(); ++i) wrong += !near(found[i], heat[i], 1e-5);
  return verdict(wrong, static_cast<long>(heat.size()));
}
