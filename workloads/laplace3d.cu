// Laplace's equation in three dimensions with CTAs of 32x4 columns (laplace3d.h).
#include "laplace3d.h"

using namespace workload;

constexpr int kX = 32, kY = 4;

__global__ void sweep(const float* u, float* result, int nx, int ny, int nz) {
  sweep_column<kX, kY>(u, result, nx, ny, nz);
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "laplace3d",
                    {{"nx", 40, 128, 100}, {"ny", 10, 120, 100}, {"nz", 6, 32, 100}});
  return run_step(sizes, sweep, dim3(kX, kY), 8);
}
