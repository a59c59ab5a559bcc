// Exclusive prefix sums of an array, as the SDK's scanLargeArray: CTAs of 256 threads scan 512
// elements each in shared memory, up and down a tree with a barrier per level. The sums of the CTAs
// are scanned in the same way and added.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kPart = 2 * kBlock;

// A gap after 16 elements avoids bank conflicts.
__device__ inline int gapped(int i) { return i + i / 16; }

__global__ void scan_parts(const float* input, float* output, float* sums, int count) {
  __shared__ float part[kPart + kPart / 16];
  const int thread = threadIdx.x, first = blockIdx.x * kPart + thread, second = first + kBlock;
  part[gapped(thread)] = first < count ? input[first] : 0.0f;
  part[gapped(thread + kBlock)] = second < count ? input[second] : 0.0f;
  int distance = 1;
  for (int active = kBlock; active > 0; active /= 2, distance *= 2) {
    __syncthreads();
    if (thread < active) {
      const int right = gapped(distance * (2 * thread + 2) - 1);
      part[right] += part[gapped(distance * (2 * thread + 1) - 1)];
    }
  }
  __syncthreads();
  if (thread == 0) {
    sums[blockIdx.x] = part[gapped(kPart - 1)];
    part[gapped(kPart - 1)] = 0.0f;
  }
  for (int active = 1; active <= kBlock; active *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < active) {
      const int left = gapped(distance * (2 * thread + 1) - 1),
                right = gapped(distance * (2 * thread + 2) - 1);
      const float value = part[left];
      part[left] = part[right];
      part[right] += value;
    }
  }
  __syncthreads();
  if (first < count) output[first] = part[gapped(thread)];
  if (second < count) output[second] = part[gapped(thread + kBlock)];
}

__global__ void add_sums(float* output, const float* sums, int count) {
  const int first = blockIdx.x * kPart + threadIdx.x, second = first + kBlock;
  const float sum = sums[blockIdx.x];
  if (first < count) output[first] += sum;
  if (second < count) output[second] += sum;
}

static void scan(const float* input, float* output, int count) {
  const int parts = blocks_for(count, kPart);
  DeviceArray<float> sums(parts), before(parts);
  scan_parts<<<parts, kBlock>>>(input, output, sums.get(), count);
  if (parts > 1) {
    scan(sums.get(), before.get(), parts);
    add_sums<<<parts, kBlock>>>(output, before.get(), count);
  }
  finish("scan_parts");
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "scan", {{"elements", 3000, 200000, 1000000}});
  const int count = sizes[0];
  Random random(92);
  std::vector<float> values(count);
  for (float& value : values) value = float(random.below(10));
  DeviceArray<float> input(values), output(count);
  scan(input.get(), output.get(), count);

  // Whole numbers below 2^24 have exact sums.
  const std::vector<float> found = output.host();
  float sum = 0;
  long wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += found[i] != sum;
    sum += values[i];
  }
  return verdict(wrong, count);
}
