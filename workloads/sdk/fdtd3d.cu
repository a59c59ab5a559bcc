// Finite differences in three dimensions with a radius of four, as the SDK's FDTD3d: CTAs of 32x16
// threads sweep along z. The current plane with its border is in shared memory, the four planes
// before and behind are in registers, the coefficients in constant memory.
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kRadius = 4, kX = 32, kY = 16;
__constant__ float coefficients[kRadius + 1];

// The inner grid of nx x ny x nz points has a border of kRadius on each side.
__global__ void difference(const float* u, float* result, int nx, int ny, int nz) {
  __shared__ float plane[kY + 2 * kRadius][kX + 2 * kRadius];
  const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  const int row = nx + 2 * kRadius, step = row * (ny + 2 * kRadius);
  const int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
  const bool inside = x < nx && y < ny;
  int at = (y + kRadius) * row + x + kRadius;
  float before[kRadius], behind[kRadius], here = 0.0f;
  if (inside) {
#pragma unroll
    for (int i = 0; i < kRadius; ++i) {
      before[i] = u[at + (kRadius - 1 - i) * step];
      behind[i] = u[at + (kRadius + 1 + i) * step];
    }
    here = u[at + kRadius * step];
  }
  at += kRadius * step;
  for (int z = 0; z < nz; ++z, at += step) {
    __syncthreads();
    if (inside) {
      plane[ty][tx] = here;
      if (threadIdx.y < kRadius) plane[ty - kRadius][tx] = u[at - kRadius * row];
      if (threadIdx.y >= kY - kRadius || y >= ny - kRadius)
        plane[ty + kRadius][tx] = u[at + kRadius * row];
      if (threadIdx.x < kRadius) plane[ty][tx - kRadius] = u[at - kRadius];
      if (threadIdx.x >= kX - kRadius || x >= nx - kRadius)
        plane[ty][tx + kRadius] = u[at + kRadius];
    }
    __syncthreads();
    if (inside) {
      float sum = coefficients[0] * here;
#pragma unroll
      for (int i = 1; i <= kRadius; ++i) {
        sum += coefficients[i] * (before[i - 1] + behind[i - 1] + plane[ty - i][tx] +
                                  plane[ty + i][tx] + plane[ty][tx - i] + plane[ty][tx + i]);
      }
      result[at] = sum;
#pragma unroll
      for (int i = kRadius - 1; i > 0; --i) before[i] = before[i - 1];
      before[0] = here;
      here = behind[0];
#pragma unroll
      for (int i = 0; i < kRadius - 1; ++i) behind[i] = behind[i + 1];
      if (z + 1 < nz) behind[kRadius - 1] = u[at + (kRadius + 1) * step];
    }
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "fdtd3d",
      {{"nx", 40, 192, 376}, {"ny", 20, 96, 376}, {"nz", 4, 16, 376}, {"steps", 1, 1, 5}});
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2], steps = sizes[3];
  const std::size_t row = nx + 2 * kRadius, plane = row * (ny + 2 * kRadius);
  const float weights[kRadius + 1] = {0.4f, 0.05f, 0.03f, 0.015f, 0.005f};
  Random random(76);
  std::vector<float> u = random.units(plane * (nz + 2 * kRadius)), next = u;
  DeviceArray<float> from(u), to(u);
  check(cudaMemcpyToSymbol(coefficients, weights, sizeof weights), "coefficients");
  float *now = from.get(), *then = to.get();
  for (int step = 0; step < steps; ++step) {
    difference<<<dim3(blocks_for(nx, kX), blocks_for(ny, kY)), dim3(kX, kY)>>>(now, then, nx, ny,
                                                                               nz);
    std::swap(now, then);
  }
  finish("difference");

  for (int step = 0; step < steps; ++step) {
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          const std::size_t at = (z + kRadius) * plane + (y + kRadius) * row + x + kRadius;
          double sum = weights[0] * double(u[at]);
          for (int i = 1; i <= kRadius; ++i) {
            sum += weights[i] * (double(u[at - i]) + u[at + i] + u[at - i * row] + u[at + i * row] +
                                 u[at - i * plane] + u[at + i * plane]);
          }
          next[at] = static_cast<float>(sum);
        }
      }
    }
    std::swap(u, next);
  }
  const std::vector<float> found = (steps % 2 ? to : from).host();
  long wrong = 0;
  for (std::size_t i = 0; i < u.size(); ++i) wrong += !near(found[i], u[i], 1e-4);
  return verdict(wrong, static_cast<long>(u.size()));
}
