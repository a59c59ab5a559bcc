// Tiled matrix product C = A B: a CTA computes one 16x16 tile of C from a row of tiles of A and a
// column of tiles of B.
#include "common.h"

using namespace workload;

constexpr int kTile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += kTile) {
    tile_a[y][x] = a[row * n + k0 + x];
    tile_b[y][x] = b[(k0 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "matmul", {{"width", 32, 192, 1024}});
  const int n = sizes[0];
  if (n % kTile) {
    std::fprintf(stderr, "matmul: width must be a multiple of %d\n", kTile);
    return 2;
  }
  Random random(2);
  const std::vector<float> a = random.units(std::size_t(n) * n),
                           b = random.units(std::size_t(n) * n);

  DeviceArray<float> device_a(a), device_b(b), device_c(std::size_t(n) * n);
  multiply<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(device_a.get(), device_b.get(),
                                                               device_c.get(), n);
  finish("multiply");

  const std::vector<float> c = device_c.host();
  std::vector<double> expected(n);
  long wrong = 0;
  for (int row = 0; row < n; ++row) {
    expected.assign(n, 0.0);
    for (int k = 0; k < n; ++k) {
      const double factor = a[std::size_t(row) * n + k];
      for (int column = 0; column < n; ++column)
        expected[column] += factor * b[std::size_t(k) * n + column];
    }
    for (int column = 0; column < n; ++column)
      wrong += !near(c[std::size_t(row) * n + column], expected[column], 1e-4);
  }
  return verdict(wrong, long(n) * n);
}
