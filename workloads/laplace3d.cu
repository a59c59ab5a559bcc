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
  const int nx = sizes[0], ny = sizes[1], nz = sizes[2];
  Random random(8);
  const std::vector<float> u = random.units(std::size_t(nx) * ny * nz);

  DeviceArray<float> device_u(u), device_result(u.size());
  sweep<<<dim3(blocks_for(nx, kX), blocks_for(ny, kY)), dim3(kX, kY)>>>(
      device_u.get(), device_result.get(), nx, ny, nz);
  finish("sweep");
  return verdict(wrong_values(u, device_result.host(), nx, ny, nz), static_cast<long>(u.size()));
}
