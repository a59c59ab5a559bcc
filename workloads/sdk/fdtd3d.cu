// Finite differences in three dimensions with a radius of four, as the SDK's FDTD3d: CTAs of 32x16
// threads sweep along z. The current plane with its border is in shared memory, the four planes
// before and behind are in registers, the coefficients in constant memory.
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kRadius = 4, kX = 32, kY = 16;
__constant__ float coefficients[kRadius + 1];

// What a thread has of its column: the four planes before the current one, this, and four behind.
struct Column {
  float before[kRadius], here, behind[kRadius];
};

// The inner grid of nx x ny x nz points has a border of kRadius on each side. Threads beyond the
// last column and row read the border for their neighbours; what they read of it may lie in the
// next row or plane, and no result uses it.
__device__ __forceinline__ void plane_step(float (&plane)[kY + 2 * kRadius][kX + 2 * kRadius],
                                           Column& column, const float* u, float* result, int at,
                                           int row, int step, bool reads, bool inside) {
  const int lane = threadIdx.x, warp = threadIdx.y, tx = lane + kRadius, ty = warp + kRadius;
#pragma unroll
  for (int i = kRadius - 1; i > 0; --i) column.before[i] = column.before[i - 1];
  column.before[0] = column.here;
  column.here = column.behind[0];
#pragma unroll
  for (int i = 0; i < kRadius - 1; ++i) column.behind[i] = column.behind[i + 1];
  if (reads) column.behind[kRadius - 1] = u[at + kRadius * step];
  __syncthreads();
  if (warp < kRadius) {
    plane[warp][tx] = u[at - kRadius * row];
    plane[ty + kY][tx] = u[at + kY * row];
  }
  if (lane < kRadius) {
    plane[ty][lane] = u[at - kRadius];
    plane[ty][tx + kX] = u[at + kX];
  }
  plane[ty][tx] = column.here;
  __syncthreads();
  float sum = coefficients[0] * column.here;
#pragma unroll
  for (int i = 1; i <= kRadius; ++i) {
    sum += coefficients[i] * (column.behind[i - 1] + column.before[i - 1] + plane[ty - i][tx] +
                              plane[ty + i][tx] + plane[ty][tx - i] + plane[ty][tx + i]);
  }
  if (inside) result[at] = sum;
}

template <int kUnrolled>
__device__ __forceinline__ void sweep(const float* u, float* result, int nx, int ny, int nz) {
  __shared__ float plane[kY + 2 * kRadius][kX + 2 * kRadius];
  const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  const int row = nx + 2 * kRadius, step = row * (ny + 2 * kRadius);
  const bool inside = x < nx && y < ny, reads = x < nx + kRadius && y < ny + kRadius;
  int at = (y + kRadius) * row + x + kRadius;
  Column column = {};  // the first step moves down by a plane
  if (reads) {
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) column.before[i] = u[at + (kRadius - 2 - i) * step];
    column.here = u[at + (kRadius - 1) * step];
#pragma unroll
    for (int i = 0; i < kRadius; ++i) column.behind[i] = u[at + (kRadius + i) * step];
  }
  at += kRadius * step;
  int z = 0;
  if constexpr (kUnrolled > 1) {
#pragma unroll 1
    for (; z + kUnrolled <= nz; z += kUnrolled) {
#pragma unroll
      for (int i = 0; i < kUnrolled; ++i, at += step)
        plane_step(plane, column, u, result, at, row, step, reads, inside);
    }
  }
#pragma unroll 1
  for (; z < nz; ++z, at += step)
    plane_step(plane, column, u, result, at, row, step, reads, inside);
}

// The original asks for nine steps along z per trip of the loop. nvcc unrolls it; clang unrolls no
// loop with barriers whose trips are unknown, so that the nine steps are written out here.
__global__ void difference(const float* u, float* result, int nx, int ny, int nz) {
  sweep<9>(u, result, nx, ny, nz);
}

// The same as clang compiles the original: a step per trip.
__global__ void difference_rolled(const float* u, float* result, int nx, int ny, int nz) {
  sweep<1>(u, result, nx, ny, nz);
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "fdtd3d",
                    {{"nx", 40, 184, 376},
                     {"ny", 20, 96, 376},
                     {"nz", 4, 18, 376},
                     {"steps", 1, 1, 5},
                     {"unrolled", 9, 9, 9}});  // 9 or 1
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2], steps = sizes[3], unrolled = sizes[4];
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
  const dim3 grid(blocks_for(nx, kX), blocks_for(ny, kY)), block(kX, kY);
  const auto kernel = unrolled == 1 ? difference_rolled : difference;
  for (int step = 0; step < steps; ++step) {
    kernel<<<grid, block>>>(now, then, nx, ny, nz);
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
