// One Jacobi step of Laplace's equation in three dimensions, as LPS of the ISPASS benchmarks: CTAs
// of 32x4 columns sweep along z. Three planes of the CTA with a border of one are in shared memory.
// Beside its own element of the next plane, each of the first threads reads an element of the
// border: warps 0 and 1 the rows before and behind, the next threads the columns left and right,
// corners included. Rows have no padding, as under GPGPU-Sim 3.2, whose cudaMallocPitch adds none.
#include "../laplace3d.h"

using namespace workload;

constexpr int kX = 32, kY = 4, kRow = kX + 2, kPlane = kRow * (kY + 2);
constexpr int kBorder = 2 * (kX + kY + 2);

// Positions and conditions are computed again in every plane, as in the code of the papers'
// compiler: a value that may have changed cannot be moved out of the loop.
__device__ inline int in_this_plane(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

// An element that a thread keeps in the CTA's planes, by its place in the grid.
struct Element {
  int x, y;
  bool used;
};

// The element moves down by a plane, and the next one is read.
__device__ inline void move_down(float* planes, Element e, const float* next, int nx, int ny,
                                 bool more) {
  const int x = in_this_plane(e.x), y = in_this_plane(e.y);
  if (!(e.used && x >= 0 && x < nx && y >= 0 && y < ny)) return;
  float* place = &planes[(y - blockIdx.y * kY + 1) * kRow + x - blockIdx.x * kX + 1];
  place[0] = place[kPlane];
  place[kPlane] = place[2 * kPlane];
  if (more) place[2 * kPlane] = next[y * nx + x];
}

__global__ void sweep(const float* u, float* result, int nx, int ny, int nz) {
  __shared__ float planes[3 * kPlane];
  const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * kX + tx, i = thread - 2 * kX;
  const int x0 = blockIdx.x * kX, y0 = blockIdx.y * kY;
  const Element own{x0 + tx, y0 + ty, true};
  Element border{x0 + tx, ty == 0 ? y0 - 1 : y0 + kY, true};  // a row
  if (i >= 0) border = {i % 2 == 0 ? x0 - 1 : x0 + kX, y0 + i / 2 - 1, thread < kBorder};
  for (int k = thread; k < 3 * kPlane; k += kX * kY) planes[k] = 0.0f;
  __syncthreads();
  for (int z = -1; z < nz; ++z) {  // the first round reads the first plane
    move_down(planes, own, u, nx, ny, z + 1 < nz);
    move_down(planes, border, u, nx, ny, z + 1 < nz);
    __syncthreads();
    const int x = in_this_plane(own.x), y = in_this_plane(own.y);
    if (z >= 0 && x < nx && y < ny) {
      const float* here = &planes[(ty + 1) * kRow + tx + 1 + kPlane];
      const bool fixed = x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1;
      result[(z * ny + y) * nx + x] =
          fixed ? here[0]
                : average(here[-1], here[1], here[-kRow], here[kRow], here[-kPlane], here[kPlane]);
    }
    __syncthreads();
    u += nx * ny;
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "lps",
                    {{"nx", 40, 100, 100}, {"ny", 10, 100, 100}, {"nz", 6, 32, 100}});
  return run_step(sizes, sweep, dim3(kX, kY), 8);
}
