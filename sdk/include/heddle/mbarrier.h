// Barriers of a block in shared memory as mbarrier instructions, from compute capability 8.0 on,
// and copies that arrive at them. A copy of multiples of 16 bytes is a bulk copy from 9.0 on.
#pragma once

#include "heddle/async_copy.h"
#include "heddle/group_copy.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HEDDLE_HAS_MBARRIER 1
#else
#define HEDDLE_HAS_MBARRIER 0
#endif

#if defined(__CUDA__)
namespace heddle {
namespace mbarrier {

using State = unsigned long long;

// By an instruction: clang cannot convert a pointer which it knows to be of another space, even
// where that is never executed.
static __device__ __forceinline__ unsigned int place(const void* shared) {
  unsigned long long place;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(place) : "l"(shared));
  return static_cast<unsigned int>(place);
}
static __device__ __forceinline__ void init(const State* b, unsigned int expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(b)), "r"(expected) : "memory");
}
static __device__ __forceinline__ void invalidate(const State* b) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(place(b)) : "memory");
}
static __device__ __forceinline__ State arrive(const State* b, unsigned int count) {
  State state;
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(place(b)), "r"(count)
               : "memory");
#else
  if (count > 1)
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(place(b)), "r"(count - 1)
                 : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(place(b)) : "memory");
#endif
  return state;
}
static __device__ __forceinline__ State arrive_and_drop(const State* b) {
  State state;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(place(b))
               : "memory");
  return state;
}

#if __CUDA_ARCH__ >= 900
#define HEDDLE_MBARRIER_WAIT "mbarrier.try_wait"
#else
#define HEDDLE_MBARRIER_WAIT "mbarrier.test_wait"
#endif
#define HEDDLE_MBARRIER_TEST(name, constraint)                      \
  unsigned int done;                                                \
  asm volatile("{\n.reg .pred p;\n" HEDDLE_MBARRIER_WAIT name       \
               ".shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" \
               : "=r"(done)                                         \
               : "r"(place(b)), constraint                          \
               : "memory");                                         \
  return done != 0
static __device__ __forceinline__ bool try_wait(const State* b, State state) {
  HEDDLE_MBARRIER_TEST("", "l"(state));
}
static __device__ __forceinline__ bool try_wait_parity(const State* b, unsigned int parity) {
  HEDDLE_MBARRIER_TEST(".parity", "r"(parity));
}
// A test_wait does not wait itself.
#if __CUDA_ARCH__ >= 900
#define HEDDLE_MBARRIER_PAUSE()
#else
#define HEDDLE_MBARRIER_PAUSE() scoped_pause()
#endif
static __device__ __forceinline__ void wait(const State* b, State state) {
  while (!try_wait(b, state)) HEDDLE_MBARRIER_PAUSE();
}
static __device__ __forceinline__ void wait_parity(const State* b, unsigned int parity) {
  while (!try_wait_parity(b, parity)) HEDDLE_MBARRIER_PAUSE();
}
#undef HEDDLE_MBARRIER_PAUSE
#undef HEDDLE_MBARRIER_TEST
#undef HEDDLE_MBARRIER_WAIT

// The phase lasts until the thread's copies so far are complete.
static __device__ __forceinline__ void arrive_after_copies(const State* b) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(place(b)) : "memory");
}
static __device__ __forceinline__ void await_bytes(const State* b, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(place(b)),
               "r"(bytes)
               : "memory");
}
static __device__ __forceinline__ void copy_bulk(void* to, const void* from, unsigned int bytes,
                                                 const State* b) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(place(to)),
      "l"(from), "r"(bytes), "r"(place(b))
      : "memory");
}

// The part of thread `rank` of `threads` of a copy from global to shared memory. False when an
// asynchronous copy needs more alignment.
static __device__ __forceinline__ bool copy_part(void* to, const void* from, size_t bytes,
                                                 size_t rank, size_t threads, const State* b) {
  const size_t mixed = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (mixed % 4 != 0 || !__isShared(to) || !__isGlobal(from)) return false;
#if __CUDA_ARCH__ >= 900
  if (mixed % 16 == 0) {
    if (rank == 0 && bytes > 0) {
      await_bytes(b, static_cast<unsigned int>(bytes));
      copy_bulk(to, from, static_cast<unsigned int>(bytes), b);
    }
    return true;
  }
#endif
  copy_part_async(to, from, bytes, rank, threads);
  arrive_after_copies(b);
  return true;
}

}  // namespace mbarrier
}  // namespace heddle
#endif
