// Four launches: along x, along y, along y as the register still says, and without a direction.
#include <cstdio>
#include <heddle.h>

__global__ void add(int* sums) { atomicAdd(&sums[blockIdx.y], static_cast<int>(blockIdx.x)); }

int main() {
  constexpr int kRows = 6, kColumns = 5;
  int* sums = nullptr;
  cudaMallocManaged(&sums, sizeof(int) * kRows);
  heddleSetCtaMapping(heddleCtaMappingX);
  add<<<dim3(kColumns, kRows), 32>>>(sums);
  heddleSetCtaMapping(heddleCtaMappingY);
  add<<<dim3(kColumns, kRows), 32>>>(sums);
  add<<<dim3(kColumns, kRows), 32>>>(sums);
  heddleSetCtaMapping(heddleCtaMappingNone);
  add<<<dim3(kColumns, kRows), 32>>>(sums);
  cudaDeviceSynchronize();
  bool right = true;
  for (int row = 0; row < kRows; ++row) right = right && sums[row] == 4 * 32 * 10;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
