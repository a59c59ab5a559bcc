// Convolution of a cube with a 3x3x3 filter, as PolyBench's 3DCONV: CTAs of 32x8 threads, a launch
// per plane. Eleven of the 27 coefficients are not zero.
#include <algorithm>

#include "../common.h"

using namespace workload;

__host__ __device__ inline float filtered(const float* a, int at, int row, int plane) {
  return 2.0f * a[at - plane - row - 1] + 4.0f * a[at + plane - row - 1] +
         5.0f * a[at - plane - row] + 7.0f * a[at + plane - row] - 8.0f * a[at - plane - row + 1] +
         10.0f * a[at + plane - row + 1] - 3.0f * a[at - row] + 6.0f * a[at] - 9.0f * a[at + row] +
         2.0f * a[at - plane + row - 1] + 4.0f * a[at + plane + row - 1] +
         5.0f * a[at - plane + row] + 7.0f * a[at + plane + row] - 8.0f * a[at - plane + row + 1] +
         10.0f * a[at + plane + row + 1];
}

// The plane i of a cube with n elements per side; consecutive elements differ in the third index.
__global__ void convolve(const float* a, float* b, int n, int i) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > 0 && j < n - 1 && k > 0 && k < n - 1) {
    const int at = (i * n + j) * n + k;
    b[at] = filtered(a, at, n, n * n);
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
        wrong += !near(found[at], filtered(a.data(), at, n, n * n), 1e-4);
      }
    }
  }
  return verdict(wrong, long(planes) * (n - 2) * (n - 2));
}
