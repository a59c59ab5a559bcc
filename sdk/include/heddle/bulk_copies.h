// Part of cuda/barrier: the C++ names of the bulk copies of sm_90. They are executed at once, like
// other copies to a barrier, so expected bytes need no waiting.
#pragma once

namespace cuda {
namespace device {
using block_barrier = barrier<thread_scope_block>;

static __device__ __forceinline__ block_barrier::arrival_token barrier_arrive_tx(block_barrier& b,
                                                                                 ptrdiff_t arrivals,
                                                                                 ptrdiff_t) {
  return b.arrive(arrivals);
}
static __device__ __forceinline__ void barrier_expect_tx(block_barrier&, ptrdiff_t) {}
template <class To, class From, class Size>
static __device__ __forceinline__ void memcpy_async_tx(To* to, const From* from, Size size,
                                                       block_barrier&) {
  heddle::copy_bytes(to, from, heddle::byte_count(size));
}

namespace experimental {
static __device__ __forceinline__ void cp_async_bulk_global_to_shared(void* to, const void* from,
                                                                      ::std::uint32_t size,
                                                                      block_barrier&) {
  heddle::copy_bytes(to, from, size);
}
static __device__ __forceinline__ void cp_async_bulk_shared_to_global(void* to, const void* from,
                                                                      ::std::uint32_t size) {
  heddle::copy_bytes(to, from, size);
}
static __device__ __forceinline__ void cp_async_bulk_commit_group() {}
template <int groups>
static __device__ __forceinline__ void cp_async_bulk_wait_group_read() {}
static __device__ __forceinline__ void fence_proxy_async_shared_cta() { __threadfence_block(); }
}  // namespace experimental
}  // namespace device
}  // namespace cuda
