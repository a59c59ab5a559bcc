// Part of cuda/barrier: the bulk copies of sm_90 by their C++ names. As with the other copies to a
// barrier they are made when they are asked for, so that bytes to come are nothing to wait for.
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
