// centre [POINTS=7680] [DIMENSIONS=16] [CENTRES=3] [BLOCK=256]   distance of each point to the
// nearest centre; all threads read the coordinates of a centre
#include "common.h"
extern "C" __global__ void centre(const float* points, const float* centres, float* out, int n,
                                  int dimensions, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = 1e30f;
  for (int j = 0; j < count; j++) {
    float t = 0;
    for (int q = 0; q < dimensions; q++) {
      const float e = points[q * n + i] - centres[j * dimensions + q];
      t += e * e;
    }
    best = fminf(best, t);
  }
  out[i] = best;
}
int main(int argc, char** argv) {
  const int n = argi(argc, argv, 1, 7680), dimensions = argi(argc, argv, 2, 16),
            count = argi(argc, argv, 3, 3), block = argi(argc, argv, 4, 256);
  uint32_t s = 9;
  std::vector<float> p((size_t)n * dimensions), c((size_t)count * dimensions);
  for (auto& x : p) x = frand(s);
  for (auto& x : c) x = frand(s);
  float *dp = dev_copy(p), *dc = dev_copy(c), *d = dev_zero<float>(n);
  centre<<<n / block, block>>>(dp, dc, d, n, dimensions, count);
  CK(cudaDeviceSynchronize());
  auto g = host_copy(d, n);
  long bad = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    for (int j = 0; j < count; j++) {
      float t = 0;
      for (int q = 0; q < dimensions; q++) {
        const float e = p[(size_t)q * n + i] - c[j * dimensions + q];
        t += e * e;
      }
      best = std::min(best, t);
    }
    sum += g[i];
    if (fabsf(best - g[i]) > 1e-4f * fabsf(best)) bad++;
  }
  verdict("centre", bad, sum);
}
