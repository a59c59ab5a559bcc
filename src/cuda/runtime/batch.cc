// Calls for several copies or hints. They are executed one after the other, in their order.
#include "cuda/process/api_call.h"
#include "cuda_runtime_api.h"

using namespace heddle::cuda;

namespace {

// Attributes belong to groups of operations. A group begins at its index: the first at 0, the
// others in ascending order below `count`.
bool are_groups(const size_t* first, size_t groups, size_t count) {
  if (!first || groups == 0 || groups > count || first[0] != 0) return false;
  for (size_t i = 1; i < groups; ++i)
    if (first[i] <= first[i - 1] || first[i] >= count) return false;
  return true;
}

template <class One>
cudaError_t each(size_t count, One&& one) {
  for (size_t i = 0; i < count; ++i)
    if (const cudaError_t error = one(i); error != cudaSuccess) return error;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                 size_t groups, cudaStream_t stream) {
  if (!to || !from || !bytes || count == 0 || !attributes || !are_groups(first, groups, count))
    return answer(cudaErrorInvalidValue);
  return each(count, [&](size_t i) {
    return cudaMemcpyAsync(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);
  });
}
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                      cudaMemLocation* locations, size_t* first, size_t groups,
                                      unsigned long long, cudaStream_t stream) {
  if (!pointers || !bytes || count == 0 || !locations || !are_groups(first, groups, count))
    return answer(cudaErrorInvalidValue);
  return each(count, [&](size_t i) {
    size_t group = 0;
    while (group + 1 < groups && first[group + 1] <= i) ++group;
    return cudaMemPrefetchAsync(pointers[i], bytes[i], locations[group], 0, stream);
  });
}
// Discarded memory may have any value, so nothing is done.
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* bytes, size_t count,
                                     unsigned long long, cudaStream_t) {
  return answer(pointers && bytes && count ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                cudaMemLocation* locations, size_t* first,
                                                size_t groups, unsigned long long flags,
                                                cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, first, groups, flags, stream);
}

#pragma GCC visibility push(default)
extern "C" {
// CUDA 12's signature, with the index of the first copy that failed.
cudaError_t heddle_cudaMemcpyBatchAsync_12(void** to, void** from, size_t* bytes, size_t count,
                                           cudaMemcpyAttributes* attributes, size_t* first,
                                           size_t groups, size_t* failed, cudaStream_t stream) {
  if (failed) *failed = ~size_t{0};
  return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, groups, stream);
}
}
#pragma GCC visibility pop
