// Memory pools: what they reserve and release, and which one the device uses. Prints PASS or FAIL.
#include <cstdint>
#include <cstdio>

static int failures = 0;
#define EXPECT(condition) \
  ((condition) ? void() : (void)(++failures, std::printf("line %d: %s\n", __LINE__, #condition)))
#define DONE(call) EXPECT((call) == cudaSuccess)

__global__ void fill(int* cells) { cells[threadIdx.x] = threadIdx.x; }

constexpr std::uint64_t kPage = 2 << 20;

static std::uint64_t figure(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 77;
  DONE(cudaMemPoolGetAttribute(pool, which, &bytes));
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
  DONE(cudaStreamCreate(&stream));
  DONE(cudaDeviceGetDefaultMemPool(&standard, 0));
  DONE(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard);
  int *beside, *first, *second, host[32] = {};
  DONE(cudaMalloc(&beside, 1 << 20));
  EXPECT(used(standard) == 0 && held(standard) == 0);  // not from a pool

  // Above its threshold a pool releases memory when the host synchronizes.
  DONE(cudaMallocAsync(&first, 1000, stream));
  DONE(cudaMallocAsync(&second, kPage, stream));
  EXPECT(used(standard) == kPage + 1000 && held(standard) == 2 * kPage);
  fill<<<1, 32, 0, stream>>>(first);
  DONE(cudaMemcpyAsync(host, first, sizeof host, cudaMemcpyDeviceToHost, stream));
  DONE(cudaFreeAsync(second, stream));
  EXPECT(used(standard) == 1000 && held(standard) == 2 * kPage);
  DONE(cudaStreamSynchronize(stream));
  EXPECT(host[31] == 31 && held(standard) == kPage);
  DONE(cudaFree(first));
  DONE(cudaDeviceSynchronize());
  EXPECT(used(standard) == 0 && held(standard) == 0 &&
         figure(standard, cudaMemPoolAttrUsedMemHigh) == kPage + 1000);
  std::uint64_t threshold = ~std::uint64_t{0}, zero = 0, one = 1;
  DONE(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &zero));
  EXPECT(figure(standard, cudaMemPoolAttrUsedMemHigh) == 0 &&
         figure(standard, cudaMemPoolAttrReservedMemHigh) == 2 * kPage);
  EXPECT(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &one) ==
         cudaErrorInvalidValue);
  EXPECT(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &zero) ==
         cudaErrorInvalidValue);

  // Below the threshold memory stays reserved until the pool is trimmed.
  DONE(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(figure(standard, cudaMemPoolAttrReleaseThreshold) == threshold);
  DONE(cudaMallocAsync(&first, 3 * kPage, stream));
  DONE(cudaFreeAsync(first, stream));
  DONE(cudaStreamSynchronize(stream));
  EXPECT(held(standard) == 3 * kPage);
  DONE(cudaMemPoolTrimTo(standard, kPage));
  EXPECT(held(standard) == kPage);

  // A created pool, with a size limit.
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 2 * kPage;
  DONE(cudaMemPoolCreate(&own, &properties));
  DONE(cudaDeviceSetMemPool(0, own));
  DONE(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == own);
  DONE(cudaMallocAsync(&first, kPage, stream));
  EXPECT(used(own) == kPage && used(standard) == 0);
  EXPECT(cudaMallocAsync(&second, 2 * kPage, stream) == cudaErrorMemoryAllocation);
  DONE(cudaMallocFromPoolAsync(&second, 100, standard, stream));
  EXPECT(used(standard) == 100);
  int reuse = 5, no = 0;
  DONE(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EXPECT(reuse == 1);
  DONE(cudaMemPoolSetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &no));
  DONE(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EXPECT(reuse == 0);
  DONE(cudaMemPoolDestroy(own));
  DONE(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == standard && cudaMemPoolDestroy(standard) == cudaErrorInvalidValue &&
         cudaMemPoolTrimTo(own, 0) == cudaErrorInvalidValue);
  DONE(cudaFreeAsync(first, stream));  // outlives its pool
  DONE(cudaFreeAsync(second, stream));
  EXPECT(used(standard) == 0);
  std::puts(failures ? "FAIL" : "PASS");
}
