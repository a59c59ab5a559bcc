// Tiled matrix product: a CTA needs one row of tiles of A and one column of tiles of B. CTAs in the
// same row share A's tiles, CTAs in the same column share B's. Which of them run on the same SM
// decides how often its L1 is reused.
#include "../common.h"

using namespace workload;

constexpr int kTile = 16;

__global__ void product(const float* a, const float* b, float* c, int depth, int width) {
  __shared__ float of_a[kTile][kTile], of_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * kTile + x,
            row = blockIdx.y * kTile + y;
  float sum = 0.0f;
  for (int tile = 0; tile < depth; tile += kTile) {
    of_a[y][x] = a[row * depth + tile + x];
    of_b[y][x] = b[(tile + y) * width + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += of_a[y][i] * of_b[i][x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "tiled_product",
                    {{"tiles_x", 2, 16, 64}, {"tiles_y", 3, 12, 64}, {"tiles_deep", 2, 12, 64}});
  const int width = sizes[0] * kTile, height = sizes[1] * kTile, depth = sizes[2] * kTile;
  Random random(31);
  const std::vector<float> a = random.units(std::size_t(height) * depth),
                           b = random.units(std::size_t(depth) * width);
  DeviceArray<float> device_a(a), device_b(b), device_c(std::size_t(height) * width);
  product<<<dim3(sizes[0], sizes[1]), dim3(kTile, kTile)>>>(device_a.get(), device_b.get(),
                                                            device_c.get(), depth, width);
  finish("product");

  const std::vector<float> c = device_c.host();
  long wrong = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      double sum = 0;
      for (int i = 0; i < depth; ++i)
        sum += double(a[std::size_t(row) * depth + i]) * b[std::size_t(i) * width + column];
      wrong += !near(c[std::size_t(row) * width + column], sum, 1e-4);
    }
  }
  return verdict(wrong, long(height) * width);
}
