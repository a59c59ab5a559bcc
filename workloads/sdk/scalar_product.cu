// Scalar products of pairs of vectors, as the SDK's scalarProd: 128 CTAs of 256 threads, each for
// every 128th pair. Threads add 1024 partial sums of a pair in shared memory, then a tree of sums.
#include "../common.h"

using namespace workload;

constexpr int kBlocks = 128, kBlock = 256, kSums = 1024;

__global__ void multiply(const float* a, const float* b, float* products, int vectors,
                         int elements) {
  __shared__ float sums[kSums];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int base = vector * elements;
    for (int i = threadIdx.x; i < kSums; i += blockDim.x) {
      float sum = 0.0f;
      for (int at = i; at < elements; at += kSums) sum += a[base + at] * b[base + at];
      sums[i] = sum;
    }
    for (int half = kSums / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < half; i += blockDim.x) sums[i] += sums[i + half];
    }
    __syncthreads();
    if (threadIdx.x == 0) products[vector] = sums[0];
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "scalar_product",
                    {{"vectors", 6, 256, 256}, {"elements", 700, 4096, 4096}});
  const int vectors = sizes[0], elements = sizes[1];
  Random random(106);
  const std::size_t count = std::size_t(vectors) * elements;
  const std::vector<float> a = random.units(count), b = random.units(count);
  DeviceArray<float> device_a(a), device_b(b), products(vectors);
  multiply<<<kBlocks, kBlock>>>(device_a.get(), device_b.get(), products.get(), vectors, elements);
  finish("multiply");
  const std::vector<float> found = products.host();
  long wrong = 0;
  for (int vector = 0; vector < vectors; ++vector) {
    double sum = 0;
    for (int i = 0; i < elements; ++i) {
      const std::size_t at = std::size_t(vector) * elements + i;
      sum += double(a[at]) * b[at];
    }
    wrong += !near(found[vector], sum, 1e-4);
  }
  return verdict(wrong, vectors);
}
