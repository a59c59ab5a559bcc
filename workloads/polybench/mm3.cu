// Three matrix products, as PolyBench's 3MM: E = A B, F = C D, G = E F. CTAs of 32x8 threads, an
// element per thread, all reads through the caches. As there, every step stores the sum so far.
// With a depth below the side A and C have as many columns, B and D as many rows, and G is the
// product of as many columns of E and rows of F: the loops are shorter and the grids the same.
#include <algorithm>

#include "../common.h"

using namespace workload;

__global__ void multiply(const float* a, const float* b, float* c, int n, int depth) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= n || row >= n) return;
  c[row * n + column] = 0.0f;
#pragma unroll 4
  for (int k = 0; k < depth; ++k) c[row * n + column] += a[row * n + k] * b[k * n + column];
}

static std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b,
                                  std::size_t n, std::size_t depth) {
  std::vector<float> c(n * n);
  std::vector<double> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < n; ++j) row[j] += double(a[i * n + k]) * b[k * n + j];
    for (std::size_t j = 0; j < n; ++j) c[i * n + j] = float(row[j]);
  }
  return c;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "mm3", {{"side", 40, 128, 512}, {"depth", 40, 128, 512}});
  const int n = sizes[0], depth = std::min(sizes[1], n);
  Random random(102);
  const std::size_t count = std::size_t(n) * n;
  const std::vector<float> a = random.units(count), b = random.units(count),
                           c = random.units(count), d = random.units(count);
  DeviceArray<float> device_a(a), device_b(b), device_c(c), device_d(d), e(count), f(count),
      g(count);
  const dim3 grid(blocks_for(n, 32), blocks_for(n, 8)), block(32, 8);
  multiply<<<grid, block>>>(device_a.get(), device_b.get(), e.get(), n, depth);
  multiply<<<grid, block>>>(device_c.get(), device_d.get(), f.get(), n, depth);
  multiply<<<grid, block>>>(e.get(), f.get(), g.get(), n, depth);
  finish("multiply");

  const std::vector<float> expected =
                               product(product(a, b, n, depth), product(c, d, n, depth), n, depth),
                           found = g.host();
  long wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += !near(found[i], expected[i], 1e-4);
  return verdict(wrong, static_cast<long>(count));
}
