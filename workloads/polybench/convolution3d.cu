// Convolution of a cube with a 3x3x3 filter, as PolyBench's 3DCONV: CTAs of 32x8 threads, a launch
// per plane. Eleven of the 27 elements around a point count.
#include <algorithm>

#include "../common.h"

using namespace workload;

// As in the original, two corners are read with three coefficients each.
__host__ __device__ inline float filtered(const float* a, int n, int i, int j, int k) {
  const auto at = [&](int di, int dj, int dk) {
    return a[(i + di) * (n * n) + (j + dj) * n + (k + dk)];
  };
  return 2.0f * at(-1, -1, -1) + 4.0f * at(1, -1, -1) + 5.0f * at(-1, -1, -1) +
         7.0f * at(1, -1, -1) - 8.0f * at(-1, -1, -1) + 10.0f * at(1, -1, -1) -
         3.0f * at(0, -1, 0) + 6.0f * at(0, 0, 0) - 9.0f * at(0, 1, 0) + 2.0f * at(-1, -1, 1) +
         4.0f * at(1, -1, 1) + 5.0f * at(-1, 0, 1) + 7.0f * at(1, 0, 1) - 8.0f * at(-1, 1, 1) +
         10.0f * at(1, 1, 1);
}

// The plane i of a cube with n elements per side; consecutive elements differ in the third index.
__global__ void convolve(const float* a, float* b, int n, int i) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > 0 && j < n - 1 && k > 0 && k < n - 1) {
    b[i * (n * n) + j * n + k] = filtered(a, n, i, j, k);
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "convolution3d", {{"side", 32, 128, 256}, {"planes", 3, 16, 254}});
  const int n = std::max(sizes[0], 3), planes = std::min(sizes[1], n - 2);
  Random random(101);
  const std::vector<float> a = random.units(std::size_t(n) * n * n);
  DeviceArray<float> device_a(a), b(a.size());
  for (int i = 1; i <= planes; ++i)
    convolve<<<dim3(blocks_for(n, 32), blocks_for(n, 8)), dim3(32, 8)>>>(device_a.get(), b.get(), n,
                                                                         i);
  finish("convolve");

  const std::vector<float> found = b.host();
  long wrong = 0;
  for (int i = 1; i <= planes; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      for (int k = 1; k < n - 1; ++k) {
        const int at = (i * n + j) * n + k;
        wrong += !near(found[at], filtered(a.data(), n, i, j, k), 1e-4);
      }
    }
  }
  return verdict(wrong, long(planes) * (n - 2) * (n - 2));
}
