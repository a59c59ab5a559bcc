// Part of cuda/barrier: the C++ names of the bulk and tensor copies of sm_90.
#pragma once

#if defined(__CUDA__)
#define HEDDLE_BULK static __device__ __forceinline__

struct CUtensorMap_st;

namespace cuda {
namespace device {
using block_barrier = barrier<thread_scope_block>;

// The word on which mbarrier instructions act.
HEDDLE_BULK ::std::uint64_t* barrier_native_handle(block_barrier& b) {
  return reinterpret_cast<::std::uint64_t*>(b.word());
}
HEDDLE_BULK void barrier_expect_tx(block_barrier& b, ptrdiff_t bytes) {
  heddle::mbarrier::await_bytes(b.word(), static_cast<unsigned int>(bytes));
}
HEDDLE_BULK block_barrier::arrival_token barrier_arrive_tx(block_barrier& b, ptrdiff_t arrivals,
                                                           ptrdiff_t bytes) {
  barrier_expect_tx(b, bytes);
  return b.arrive(arrivals);
}
template <class To, class From, class Size>
HEDDLE_BULK void memcpy_async_tx(To* to, const From* from, Size size, block_barrier& b) {
  heddle::mbarrier::copy_bulk(to, from, static_cast<unsigned int>(heddle::byte_count(size)),
                              b.word());
}

namespace experimental {
HEDDLE_BULK void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t size,
                                                block_barrier& b) {
  heddle::mbarrier::copy_bulk(to, from, size, b.word());
}
HEDDLE_BULK void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t size) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(heddle::mbarrier::place(from)), "r"(size)
               : "memory");
}

// Boxes of tensors, from the coordinates c on.
#define HEDDLE_TENSOR_COPIES(n, declared, places, inputs)                                        \
  HEDDLE_BULK void cp_async_bulk_tensor_##n##d_global_to_shared(                                 \
      void* to, const CUtensorMap_st* map, HEDDLE_LIST declared, block_barrier& b) {             \
    asm volatile("cp.async.bulk.tensor." #n                                                      \
                 "d.shared::cluster.global.tile.mbarrier::"                                      \
                 "complete_tx::bytes [%0], [%1, {" places                                        \
                 "}], [%2];" ::"r"(heddle::mbarrier::place(to)),                                 \
                 "l"(map), "r"(heddle::mbarrier::place(b.word())), HEDDLE_LIST inputs            \
                 : "memory");                                                                    \
  }                                                                                              \
  HEDDLE_BULK void cp_async_bulk_tensor_##n##d_shared_to_global(                                 \
      const CUtensorMap_st* map, HEDDLE_LIST declared, const void* from) {                       \
    asm volatile("cp.async.bulk.tensor." #n "d.global.shared::cta.tile.bulk_group [%0, {" places \
                 "}], [%1];" ::"l"(map),                                                         \
                 "r"(heddle::mbarrier::place(from)), "r"(0), HEDDLE_LIST inputs                  \
                 : "memory");                                                                    \
  }
#define HEDDLE_LIST(...) __VA_ARGS__
HEDDLE_TENSOR_COPIES(1, (int c0), "%3", ("r"(c0)))
HEDDLE_TENSOR_COPIES(2, (int c0, int c1), "%3, %4", ("r"(c0), "r"(c1)))
HEDDLE_TENSOR_COPIES(3, (int c0, int c1, int c2), "%3, %4, %5", ("r"(c0), "r"(c1), "r"(c2)))
HEDDLE_TENSOR_COPIES(4, (int c0, int c1, int c2, int c3), "%3, %4, %5, %6",
                     ("r"(c0), "r"(c1), "r"(c2), "r"(c3)))
HEDDLE_TENSOR_COPIES(5, (int c0, int c1, int c2, int c3, int c4), "%3, %4, %5, %6, %7",
                     ("r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)))
#undef HEDDLE_LIST
#undef HEDDLE_TENSOR_COPIES

HEDDLE_BULK void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int groups>
HEDDLE_BULK void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(groups) : "memory");
}
HEDDLE_BULK void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
}  // namespace experimental
}  // namespace device
}  // namespace cuda
#undef HEDDLE_BULK
#endif
