// Sums rows of a matrix; the loop is marked for the warp scheduler ps when MARKED is defined.
#include <cstdio>
#include <heddle.h>

#ifndef MARKED
#undef heddlePsBegin
#undef heddlePsEnd
#undef heddleCtaDirection
#define heddlePsBegin(warps)
#define heddlePsEnd()
#define heddleCtaDirection(direction)
#endif

__global__ void rows(const float* a, float* sums, int n) {
  heddleCtaDirection(y);
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0;
  heddlePsBegin(2);
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i];
  heddlePsEnd();
  sums[row] = sum;
}

int main() {
  constexpr int kRows = 4096, kColumns = 64;
  float *a = nullptr, *sums = nullptr;
  cudaMallocManaged(&a, sizeof(float) * kRows * kColumns);
  cudaMallocManaged(&sums, sizeof(float) * kRows);
  for (int i = 0; i < kRows * kColumns; ++i) a[i] = static_cast<float>(i % 7);
  rows<<<kRows / 256, 256>>>(a, sums, kColumns);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    float sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += a[row * kColumns + i];
    wrong += sums[row] != sum;
  }
  std::puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
