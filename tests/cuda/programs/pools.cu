// Memory pools: what they reserve and release, and which one the device uses. Prints PASS or FAIL.
#include <cstdint>

#include "check.h"

__global__ void fill(int* cells) { cells[threadIdx.x] = threadIdx.x; }

constexpr std::uint64_t kPage = 2 << 20;

static std::uint64_t figure(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 77;
  OK(cudaMemPoolGetAttribute(pool, which, &bytes));
  return bytes;
}
static std::uint64_t used(cudaMemPool_t pool) {
  return figure(pool, cudaMemPoolAttrUsedMemCurrent);
}
static std::uint64_t held(cudaMemPool_t pool) {
  return figure(pool, cudaMemPoolAttrReservedMemCurrent);
}

int main() {
  cudaStream_t stream;
  cudaMemPool_t standard, own, current;
  OK(cudaStreamCreate(&stream));
  OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard);
  int *beside, *first, *second, host[32] = {};
  OK(cudaMalloc(&beside, 1 << 20));
  EXPECT(used(standard) == 0 && held(standard) == 0);  // not from a pool

  // Above its threshold a pool releases memory when the host synchronizes.
  OK(cudaMallocAsync(&first, 1000, stream));
  OK(cudaMallocAsync(&second, kPage, stream));
  EXPECT(used(standard) == kPage + 1000 && held(standard) == 2 * kPage);
  fill<<<1, 32, 0, stream>>>(first);
  OK(cudaMemcpyAsync(host, first, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(second, stream));
  EXPECT(used(standard) == 1000 && held(standard) == 2 * kPage);
  OK(cudaStreamSynchronize(stream));
  EXPECT(host[31] == 31 && held(standard) == kPage);
  OK(cudaFree(first));
  OK(cudaDeviceSynchronize());
  EXPECT(used(standard) == 0 && held(standard) == 0 &&
         figure(standard, cudaMemPoolAttrUsedMemHigh) == kPage + 1000);
  std::uint64_t threshold = ~std::uint64_t{0}, zero = 0, one = 1;
  OK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &zero));
  EXPECT(figure(standard, cudaMemPoolAttrUsedMemHigh) == 0 &&
         figure(standard, cudaMemPoolAttrReservedMemHigh) == 2 * kPage);
  EXPECT(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &one) ==
         cudaErrorInvalidValue);
  EXPECT(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &zero) ==
         cudaErrorInvalidValue);

  // Below the threshold memory stays reserved until the pool is trimmed.
  OK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(figure(standard, cudaMemPoolAttrReleaseThreshold) == threshold);
  OK(cudaMallocAsync(&first, 3 * kPage, stream));
  OK(cudaFreeAsync(first, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(held(standard) == 3 * kPage);
  OK(cudaMemPoolTrimTo(standard, kPage));
  EXPECT(held(standard) == kPage);

  // A created pool, with a size limit.
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 2 * kPage;
  OK(cudaMemPoolCreate(&own, &properties));
  OK(cudaDeviceSetMemPool(0, own));
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == own);
  OK(cudaMallocAsync(&first, kPage, stream));
  EXPECT(used(own) == kPage && used(standard) == 0);
  EXPECT(cudaMallocAsync(&second, 2 * kPage, stream) == cudaErrorMemoryAllocation);
  OK(cudaMallocFromPoolAsync(&second, 100, standard, stream));
  EXPECT(used(standard) == 100);
  int reuse = 5, no = 0;
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EXPECT(reuse == 1);
  OK(cudaMemPoolSetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &no));
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EXPECT(reuse == 0);
  OK(cudaMemPoolDestroy(own));
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard && cudaMemPoolDestroy(standard) == cudaErrorInvalidValue &&
         cudaMemPoolTrimTo(own, 0) == cudaErrorInvalidValue);
  OK(cudaFreeAsync(first, stream));  // outlives its pool
  OK(cudaFreeAsync(second, stream));
  EXPECT(used(standard) == 0);
  return report();
}
