// Vector addition: a pure stream, no reuse.
#include "common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "vecadd", {{"elements", 4096, 524288, 4194304}});
  const int n = sizes[0];
  Random random(1);
  const std::vector<float> a = random.units(n), b = random.units(n);

  DeviceArray<float> device_a(a), device_b(b), device_sum(n);
  add<<<blocks_for(n, kBlock), kBlock>>>(device_a.get(), device_b.get(), device_sum.get(), n);
  finish("add");

  const std::vector<float> sum = device_sum.host();
  long wrong = 0;
  for (int i = 0; i < n; ++i) wrong += sum[i] != a[i] + b[i];
  return verdict(wrong, n);
}
