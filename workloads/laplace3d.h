// One Jacobi step of Laplace's equation in three dimensions. A CTA owns a kX x kY column of the
// grid and sweeps along z. The current plane is in shared memory with a border of one; the planes
// above and below are in registers. Neighbouring CTAs share border lines.
#pragma once

#include "common.h"

namespace workload {

__device__ inline float average(float a, float b, float c, float d, float e, float f) {
  return (a + b + c + d + e + f) * (1.0f / 6.0f);
}

template <int kX, int kY>
__device__ inline void sweep_column(const float* u, float* result, int nx, int ny, int nz) {
  __shared__ float plane[kY + 2][kX + 2];
  const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool inside = x < nx && y < ny;
  const bool edge_x = x == 0 || x == nx - 1, edge_y = y == 0 || y == ny - 1;
  const int step = nx * ny;
  int at = y * nx + x;
  float below = 0.0f, here = inside ? u[at] : 0.0f;
  for (int z = 0; z < nz; ++z, at += step) {
    const float above = inside && z + 1 < nz ? u[at + step] : 0.0f;
    plane[ty][tx] = here;
    if (inside) {
      if (threadIdx.x == 0 && !edge_x) plane[ty][0] = u[at - 1];
      if (threadIdx.x == kX - 1 && !edge_x) plane[ty][kX + 1] = u[at + 1];
      if (threadIdx.y == 0 && !edge_y) plane[0][tx] = u[at - nx];
      if (threadIdx.y == kY - 1 && !edge_y) plane[kY + 1][tx] = u[at + nx];
    }
    __syncthreads();
    if (inside) {
      const bool fixed = edge_x || edge_y || z == 0 || z == nz - 1;
      result[at] = fixed ? here
                         : average(plane[ty][tx - 1], plane[ty][tx + 1], plane[ty - 1][tx],
                                   plane[ty + 1][tx], below, above);
    }
    __syncthreads();
    below = here;
    here = above;
  }
}

// How many values of a step differ from the host's by more than 1e-5 (relative above 1).
inline long wrong_values(const std::vector<float>& u, const std::vector<float>& result, int nx,
                         int ny, int nz) {
  const std::size_t row = nx, plane = std::size_t(nx) * ny;
  long wrong = 0;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const std::size_t at = z * plane + y * row + x;
        const bool fixed = x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1;
        const double expected = fixed ? double(u[at])
                                      : (double(u[at - 1]) + u[at + 1] + u[at - row] + u[at + row] +
                                         u[at - plane] + u[at + plane]) /
                                            6;
        wrong += !near(result[at], expected, 1e-5);
      }
    }
  }
  return wrong;
}

// A step of `sweep` with CTAs of `block` threads, on a grid of sizes[0] x sizes[1] x sizes[2]
// values that the seed gives. Compares the result with the host's and returns the exit code.
inline int run_step(const Sizes& sizes, void (*sweep)(const float*, float*, int, int, int),
                    dim3 block, unsigned seed) {
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2];
  Random random(seed);
  const std::vector<float> u = random.units(std::size_t(nx) * ny * nz);

  DeviceArray<float> device_u(u), device_result(u.size());
  sweep<<<dim3(blocks_for(nx, block.x), blocks_for(ny, block.y)), block>>>(
      device_u.get(), device_result.get(), nx, ny, nz);
  finish("sweep");
  return verdict(wrong_values(u, device_result.host(), nx, ny, nz), static_cast<long>(u.size()));
}

}  // namespace workload
