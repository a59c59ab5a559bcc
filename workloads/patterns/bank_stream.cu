// Bank-conflicting stream: every warp reads adjacent lines in a region of its own. All regions
// begin in the same DRAM bank, in different rows. Warps that advance together close each other's
// rows; a single warp keeps its row open.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 128, kLine = 32;  // floats of a 128-byte line

__global__ void read_regions(const float* regions, float* sums, long long stride, int trips) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const float* at = regions + thread / 32 * stride + thread % 32;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < trips; ++i) sum += at[i * kLine];
  sums[thread] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "bank_stream",
                    {{"blocks", 4, 120, 240}, {"trips", 6, 48, 96}, {"stride_kib", 8, 192, 192}});
  const int blocks = sizes[0], trips = sizes[1], threads = blocks * kBlock, regions = threads / 32,
            used = trips * kLine;
  const long long stride = sizes[2] * 1024LL / static_cast<long long>(sizeof(float));
  if (used > stride) {
    std::fprintf(stderr, "bank_stream: %d trips do not fit between regions %d KiB apart\n", trips,
                 sizes[2]);
    return 2;
  }
  Random random(26);
  const std::vector<float> values = random.units(std::size_t(regions) * used);
  float* device_regions = nullptr;  // most of it is never used
  check(cudaMalloc(reinterpret_cast<void**>(&device_regions),
                   std::size_t(regions) * stride * sizeof(float)),
        "cudaMalloc");
  for (int r = 0; r < regions; ++r) {
    check(cudaMemcpy(device_regions + r * stride, &values[std::size_t(r) * used],
                     used * sizeof(float), cudaMemcpyHostToDevice),
          "copy to the device");
  }
  DeviceArray<float> device_sums(threads);
  read_regions<<<blocks, kBlock>>>(device_regions, device_sums.get(), stride, trips);
  finish("read_regions");

  const std::vector<float> sums = device_sums.host();
  long wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    double sum = 0;
    for (int i = 0; i < trips; ++i)
      sum += values[std::size_t(thread / 32) * used + i * kLine + thread % 32];
    wrong += !near(sums[thread], sum, 1e-5);
  }
  cudaFree(device_regions);
  return verdict(wrong, threads);
}
