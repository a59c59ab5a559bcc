// Pure stream: coalesced reads and writes, each byte once. Schedulers can only change the order in
// which DRAM rows are opened: warps that advance together request neighbouring lines.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void triad(const float* a, const float* b, float* c, int trips, float scale) {
  const int threads = gridDim.x * blockDim.x;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < trips; ++i) {
    c[at] = a[at] + scale * b[at];
    at += threads;
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "stream", {{"blocks", 4, 180, 720}, {"trips", 3, 12, 24}});
  const int blocks = sizes[0], trips = sizes[1], count = blocks * kBlock * trips;
  Random random(25);
  const std::vector<float> a = random.units(count), b = random.units(count);
  DeviceArray<float> device_a(a), device_b(b), device_c(count);
  triad<<<blocks, kBlock>>>(device_a.get(), device_b.get(), device_c.get(), trips, 3.0f);
  finish("triad");

  const std::vector<float> c = device_c.host();
  long wrong = 0;
  for (int i = 0; i < count; ++i) wrong += !near(c[i], a[i] + 3.0 * b[i], 1e-5);
  return verdict(wrong, count);
}
