// rowwalk [THREADS=3840] [COLUMNS=32] [ROUNDS=1] [BLOCK=128]   every thread walks its own row,
// ROUNDS times
#include "common.h"
extern "C" __global__ void rowwalk(const int* a, int* out, int columns, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < columns; k++) sum += a[i * columns + k];
  out[i] = sum;
}
int main(int argc, char** argv) {
  const int n = argi(argc, argv, 1, 3840), columns = argi(argc, argv, 2, 32),
            rounds = argi(argc, argv, 3, 1), block = argi(argc, argv, 4, 128);
  uint32_t s = 7;
  std::vector<int> a((size_t)n * columns);
  for (auto& x : a) x = lcg(s) & 0xffff;
  int *da = dev_copy(a), *d = dev_zero<int>(n);
  rowwalk<<<n / block, block>>>(da, d, columns, rounds);
  CK(cudaDeviceSynchronize());
  auto g = host_copy(d, n);
  long bad = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned ref = 0;
    for (int k = 0; k < columns; k++) ref += a[(size_t)i * columns + k];
    ref *= rounds;
    sum += g[i];
    if ((unsigned)g[i] != ref) bad++;
  }
  verdict("rowwalk", bad, sum);
}
