// The electric potential of atoms on a plane of a grid, as CP of the ISPASS 2009 benchmarks: CTAs
// of 16x8 threads, four points per thread, the atoms in constant memory. A long loop of arithmetic
// with a reciprocal square root, and four stores.
#include "../common.h"

using namespace workload;

constexpr int kX = 16, kY = 8, kPoints = 4, kMaxAtoms = 1024;
constexpr float kSpacing = 0.1f;

struct alignas(16) Atom {
  float x, y, z_square, charge;  // z_square: of the distance to the plane
};
__constant__ Atom atoms[kMaxAtoms];

__global__ void potential(float* grid, int count) {
  const int column = blockIdx.x * kX * kPoints + threadIdx.x, row = blockIdx.y * kY + threadIdx.y;
  const int width = gridDim.x * kX * kPoints;
  const float x = kSpacing * column, y = kSpacing * row;
  float energy[kPoints] = {};
#pragma unroll 4
  for (int i = 0; i < count; ++i) {
    const float dy = y - atoms[i].y, dx = x - atoms[i].x, square = dy * dy + atoms[i].z_square;
#pragma unroll
    for (int k = 0; k < kPoints; ++k) {
      const float away = dx + k * kX * kSpacing;
      energy[k] += atoms[i].charge * rsqrtf(away * away + square);
    }
  }
#pragma unroll
  for (int k = 0; k < kPoints; ++k) grid[row * width + column + k * kX] = energy[k];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "cp",
                    {{"blocks_x", 2, 8, 8}, {"blocks_y", 3, 32, 32}, {"atoms", 20, 50, 200}});
  const int count = sizes[2] < kMaxAtoms ? sizes[2] : kMaxAtoms, width = sizes[0] * kX * kPoints,
            height = sizes[1] * kY;
  Random random(109);
  std::vector<Atom> molecule(count);
  for (Atom& atom : molecule) {
    const float z = 1.0f + 10.0f * random.unit();
    atom = {kSpacing * width * random.unit(), kSpacing * height * random.unit(), z * z,
            2.0f * random.unit() - 1.0f};
  }
  check(cudaMemcpyToSymbol(atoms, molecule.data(), count * sizeof(Atom)), "atoms");
  DeviceArray<float> grid(std::size_t(width) * height);
  potential<<<dim3(sizes[0], sizes[1]), dim3(kX, kY)>>>(grid.get(), count);
  finish("potential");

  const std::vector<float> found = grid.host();
  long wrong = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      double energy = 0;
      for (const Atom& atom : molecule) {
        const double dx = kSpacing * column - atom.x, dy = kSpacing * row - atom.y;
        energy += atom.charge / std::sqrt(dx * dx + dy * dy + atom.z_square);
      }
      wrong += !near(found[std::size_t(row) * width + column], energy, 1e-3);
    }
  }
  return verdict(wrong, static_cast<long>(found.size()));
}
