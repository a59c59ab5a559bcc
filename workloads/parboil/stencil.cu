// Jacobi steps with seven points, as Parboil's stencil.
// Version 1, Parboil's "cuda": CTAs of 32x4 threads sweep along z. Each thread has two columns of
// the grid, 32 apart. The current plane of the CTA's columns is in shared memory; neighbours beyond
// it are read from global memory.
// Version 2, "cuda_fermi": CTAs of 512x2 threads sweep along z. Each thread has one column, and
// reads its four neighbours in the plane through the L1, where this warp (along x) or another
// (along y) has read them.
// Version 3, "cuda_base": a CTA of nx - 1 threads per row of the grid, a thread per point, without
// a loop.
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kX = 32, kY = 4, kCachedX = 512, kCachedY = 2;
constexpr float kCentre = 0.16f, kNeighbour = 0.14f;

__global__ void jacobi(const float* u, float* result, int nx, int ny, int nz) {
  __shared__ float plane[kY][2 * kX];
  const int tx = threadIdx.x, ty = threadIdx.y, y = blockIdx.y * kY + ty, step = nx * ny;
  float below[2], above[2];
  int x[2], at[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    x[k] = blockIdx.x * 2 * kX + tx + k * kX;
    at[k] = y * nx + x[k];
    const bool in = x[k] < nx && y < ny;
    below[k] = in ? u[at[k]] : 0.0f;
    plane[ty][tx + k * kX] = in ? u[at[k] + step] : 0.0f;
  }
  __syncthreads();
#pragma unroll 1
  for (int z = 1; z < nz - 1; ++z) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      at[k] += step;
      above[k] = x[k] < nx && y < ny ? u[at[k] + step] : 0.0f;
      const int column = tx + k * kX;
      if (x[k] > 0 && x[k] < nx - 1 && y > 0 && y < ny - 1) {
        const float west = column > 0 ? plane[ty][column - 1] : u[at[k] - 1],
                    east = column < 2 * kX - 1 ? plane[ty][column + 1] : u[at[k] + 1],
                    north = ty > 0 ? plane[ty - 1][column] : u[at[k] - nx],
                    south = ty < kY - 1 ? plane[ty + 1][column] : u[at[k] + nx];
        result[at[k]] = kNeighbour * (west + east + north + south + below[k] + above[k]) +
                        kCentre * plane[ty][column];
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      below[k] = plane[ty][tx + k * kX];
      plane[ty][tx + k * kX] = above[k];
    }
    __syncthreads();
  }
}

// As the originals, versions 2 and 3 compute the index of each access from its coordinates, and
// have the coefficients as arguments.
struct Grid {
  int nx, ny;
  __device__ int at(int x, int y, int z) const { return x + nx * (y + ny * z); }
};

__global__ void jacobi_cached(float centre, float neighbour, const float* u, float* result, int nx,
                              int ny, int nz) {
  const int x = blockIdx.x * kCachedX + threadIdx.x, y = blockIdx.y * kCachedY + threadIdx.y;
  const Grid grid{nx, ny};
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1) return;
  float below = u[grid.at(x, y, 0)], here = u[grid.at(x, y, 1)];
#pragma unroll 1
  for (int z = 1; z < nz - 1; ++z) {
    const float above = u[grid.at(x, y, z + 1)];
    result[grid.at(x, y, z)] =
        neighbour * (above + below + u[grid.at(x, y + 1, z)] + u[grid.at(x, y - 1, z)] +
                     u[grid.at(x + 1, y, z)] + u[grid.at(x - 1, y, z)]) +
        centre * here;
    below = here;
    here = above;
  }
}

// threadIdx.x 0 has no point: a warp begins with a line, as in the original.
__global__ void jacobi_point(float centre, float neighbour, const float* u, float* result, int nx,
                             int ny) {
  const int x = threadIdx.x, y = blockIdx.x + 1, z = blockIdx.y + 1;
  const Grid grid{nx, ny};
  if (x == 0) return;
  result[grid.at(x, y, z)] =
      neighbour * (u[grid.at(x, y, z + 1)] + u[grid.at(x, y, z - 1)] + u[grid.at(x, y + 1, z)] +
                   u[grid.at(x, y - 1, z)] + u[grid.at(x + 1, y, z)] + u[grid.at(x - 1, y, z)]) +
      centre * u[grid.at(x, y, z)];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "stencil",
                    {{"nx", 70, 256, 512},
                     {"ny", 10, 128, 512},
                     {"nz", 5, 16, 64},
                     {"steps", 2, 2, 10},
                     {"version", 1, 1, 1}});
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2], steps = sizes[3], version = sizes[4];
  if (nx < 3 || ny < 3 || nz < 3) return verdict(1, 1);
  const bool by_row = version == 3;
  if (by_row && nx > 1025) return verdict(1, 1);  // a CTA has at most 1024 threads
  Random random(75);
  std::vector<float> u = random.units(std::size_t(nx) * ny * nz), next = u;
  DeviceArray<float> from(u), to(u);
  float *now = from.get(), *then = to.get();
  const dim3 tiles(blocks_for(nx, 2 * kX), blocks_for(ny, kY)),
      columns(blocks_for(nx, kCachedX), blocks_for(ny, kCachedY)), rows(ny - 2, nz - 2);
  for (int step = 0; step < steps; ++step) {
    if (by_row)
      jacobi_point<<<rows, nx - 1>>>(kCentre, kNeighbour, now, then, nx, ny);
    else if (version == 2)
      jacobi_cached<<<columns, dim3(kCachedX, kCachedY)>>>(kCentre, kNeighbour, now, then, nx, ny,
                                                           nz);
    else
      jacobi<<<tiles, dim3(kX, kY)>>>(now, then, nx, ny, nz);
    std::swap(now, then);
  }
  finish("jacobi");

  const std::size_t row = nx, plane = row * ny;
  for (int step = 0; step < steps; ++step) {
    for (int z = 1; z < nz - 1; ++z) {
      for (int y = 1; y < ny - 1; ++y) {
        for (int x = 1; x < nx - 1; ++x) {
          const std::size_t at = z * plane + y * row + x;
          next[at] = kNeighbour * (u[at - 1] + u[at + 1] + u[at - row] + u[at + row] +
                                   u[at - plane] + u[at + plane]) +
                     kCentre * u[at];
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
