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
  const int lane = threadIdx.x, warp = threadIdx.y, tx = lane + kRadius, ty = warp + kRadius;
  const bool inside = x < nx && y < ny;
  // Threads beyond the last column and row read the border for their neighbours.
  const bool reads = x < nx + kRadius && y < ny + kRadius;
  const bool reads_right = reads && x + kX < nx + kRadius,
             reads_bottom = reads && y + kY < ny + kRadius;
  int at = (y + kRadius) * row + x + kRadius;
  // The loop first moves down by a plane.
  float before[kRadius] = {}, here = 0.0f, behind[kRadius] = {};
  if (reads) {
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) before[i] = u[at + (kRadius - 2 - i) * step];
    here = u[at + (kRadius - 1) * step];
#pragma unroll
    for (int i = 0; i < kRadius; ++i) behind[i] = u[at + (kRadius + i) * step];
  }
  at += kRadius * step;
#pragma unroll 1
  for (int z = 0; z < nz; ++z, at += step) {
#pragma unroll
    for (int i = kRadius - 1; i > 0; --i) before[i] = before[i - 1];
    before[0] = here;
    here = behind[0];
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) behind[i] = behind[i + 1];
    if (reads) behind[kRadius - 1] = u[at + kRadius * step];
    __syncthreads();
    if (warp < kRadius) {
      if (reads) plane[warp][tx] = u[at - kRadius * row];
      if (reads_bottom) plane[ty + kY][tx] = u[at + kY * row];
    }
    if (lane < kRadius) {
      if (reads) plane[ty][lane] = u[at - kRadius];
      if (reads_right) plane[ty][tx + kX] = u[at + kX];
    }
    plane[ty][tx] = here;
    __syncthreads();
    if (inside) {
      float sum = coefficients[0] * here;
#pragma unroll
      for (int i = 1; i <= kRadius; ++i) {
        sum += coefficients[i] * (before[i - 1] + behind[i - 1] + plane[ty - i][tx] +
                                  plane[ty + i][tx] + plane[ty][tx - i] + plane[ty][tx + i]);
      }
      result[at] = sum;
    }
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "fdtd3d",
      {{"nx", 40, 184, 376}, {"ny", 20, 96, 376}, {"nz", 4, 16, 376}, {"steps", 1, 1, 5}});
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2], steps = sizes[3];
  const std::size_t row = nx + 2 * kRadius, plane = row * (ny + 2 * kRadius);
  const float weights[kRadius + 1] = {0.4f, 0.05f, 0.03f, 0.015f, 0.005f};
  Random random(76);
  std::vector<float> u = random.units(plane * (nz + 2 * kRadius)), next = u;
  // The first line is padded so that the inner grid begins with a line.
  const std::size_t padding = 32 - kRadius;
  std::vector<float> padded(padding);
  padded.insert(padded.end(), u.begin(), u.end());
  DeviceArray<float> from(padded), to(padded);
  check(cudaMemcpyToSymbol(coefficients, weights, sizeof weights), "coefficients");
  float *now = from.get() + padding, *then = to.get() + padding;
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
  for (std::size_t i = 0; i < u.size(); ++i) wrong += !near(found[padding + i], u[i], 1e-4);
  return verdict(wrong, static_cast<long>(u.size()));
}
