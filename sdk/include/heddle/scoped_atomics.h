// Atomic operations with orders and scopes for cuda::atomic and classes that use it. The device
// uses __nv_atomic_, the host the compiler's built-ins.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cuda_runtime.h"

#define HEDDLE_BOTH __host__ __device__ __forceinline__

namespace cuda {
namespace std {
using namespace ::std;
}

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
using ::std::memory_order;
inline constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
inline constexpr memory_order memory_order_consume = ::std::memory_order_consume;
inline constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
inline constexpr memory_order memory_order_release = ::std::memory_order_release;
inline constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
inline constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;
}  // namespace cuda

namespace heddle {

constexpr __host__ __device__ int order_number(::std::memory_order o) {
  return static_cast<int>(o);
}
constexpr __host__ __device__ int scope_number(cuda::thread_scope s) {
  return s == cuda::thread_scope_system   ? 4
         : s == cuda::thread_scope_device ? 3
         : s == cuda::thread_scope_block  ? 1
                                          : 0;
}
constexpr __host__ __device__ ::std::memory_order failure_of(::std::memory_order o) {
  return o == ::std::memory_order_acq_rel   ? ::std::memory_order_acquire
         : o == ::std::memory_order_release ? ::std::memory_order_relaxed
                                            : o;
}

template <class T>
static HEDDLE_BOTH T scoped_load(const T* at, ::std::memory_order order, cuda::thread_scope scope) {
#if defined(__CUDA_ARCH__)
  return __nv_atomic_load_n(at, order_number(order), scope_number(scope));
#else
  (void)scope;
  T value;
  __atomic_load(const_cast<T*>(at), &value, order_number(order));
  return value;
#endif
}
template <class T>
static HEDDLE_BOTH void scoped_store(T* at, T value, ::std::memory_order order,
                                     cuda::thread_scope scope) {
#if defined(__CUDA_ARCH__)
  __nv_atomic_store_n(at, value, order_number(order), scope_number(scope));
#else
  (void)scope;
  __atomic_store(at, &value, order_number(order));
#endif
}

#if defined(__CUDA_ARCH__)
// One and two bytes are exchanged within their word.
template <class T>
static __device__ __forceinline__ bool exchange_within_word(T* at, T& expected, T desired) {
  const auto place = reinterpret_cast<size_t>(at);
  auto* const word = reinterpret_cast<unsigned int*>(place & ~size_t{3});
  const unsigned int shift = (place & 3) * 8, mask = (sizeof(T) == 1 ? 0xffu : 0xffffu) << shift;
  const unsigned int wanted = static_cast<unsigned int>(bits_as<Word<T>>(expected)) << shift;
  const unsigned int next = static_cast<unsigned int>(bits_as<Word<T>>(desired)) << shift;
  unsigned int seen = *const_cast<volatile unsigned int*>(word);
  while ((seen & mask) == wanted) {
    const unsigned int found = ::atomicCAS(word, seen, (seen & ~mask) | next);
    if (found == seen) return true;
    seen = found;
  }
  expected = bits_as<T>(static_cast<Word<T>>((seen & mask) >> shift));
  return false;
}
#endif

template <class T>
static HEDDLE_BOTH bool scoped_compare_exchange(T* at, T& expected, T desired,
                                                ::std::memory_order success,
                                                ::std::memory_order failure,
                                                cuda::thread_scope scope) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) < 4) {
    fence_before(order_number(success), scope_number(scope));
    const bool done = exchange_within_word(at, expected, desired);
    fence_behind(order_number(done ? success : failure), scope_number(scope));
    return done;
  } else {
    return __nv_atomic_compare_exchange_n(at, &expected, desired, false, order_number(success),
                                          order_number(failure), scope_number(scope));
  }
#else
  (void)scope;
  return __atomic_compare_exchange(at, &expected, &desired, false, order_number(success),
                                   order_number(failure));
#endif
}

// Applies a function to a value with a compare-and-exchange loop.
template <class T, class Function>
static HEDDLE_BOTH T scoped_update(T* at, Function change, ::std::memory_order order,
                                   cuda::thread_scope scope) {
  T old = scoped_load(at, ::std::memory_order_relaxed, scope);
  while (!scoped_compare_exchange(at, old, static_cast<T>(change(old)), order, failure_of(order),
                                  scope)) {}
  return old;
}
template <class T>
inline constexpr bool kHasInstruction =
    (sizeof(T) == 4 || sizeof(T) == 8) && ::std::is_integral<T>::value;

template <class T>
static HEDDLE_BOTH T scoped_exchange(T* at, T value, ::std::memory_order order,
                                     cuda::thread_scope scope) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) >= 4)
    return __nv_atomic_exchange_n(at, value, order_number(order), scope_number(scope));
#endif
  return scoped_update(at, [&](T) { return value; }, order, scope);
}
#if defined(__CUDA_ARCH__)
#define HEDDLE_SCOPED_FETCH(name, number, direct, value_after)                            \
  template <class T>                                                                      \
  static HEDDLE_BOTH T scoped_##name(T* at, T operand, ::std::memory_order order,         \
                                     cuda::thread_scope scope) {                          \
    if constexpr (direct)                                                                 \
      return __nv_atomic_##number(at, operand, order_number(order), scope_number(scope)); \
    else                                                                                  \
      return scoped_update(at, [&](T old) { return value_after; }, order, scope);         \
  }
#else
#define HEDDLE_SCOPED_FETCH(name, number, direct, value_after)                    \
  template <class T>                                                              \
  static HEDDLE_BOTH T scoped_##name(T* at, T operand, ::std::memory_order order, \
                                     cuda::thread_scope scope) {                  \
    return scoped_update(at, [&](T old) { return value_after; }, order, scope);   \
  }
#endif
HEDDLE_SCOPED_FETCH(add, fetch_add,
                    kHasInstruction<T> || (::std::is_same<T, float>::value) ||
                        ((::std::is_same<T, double>::value) && __CUDA_ARCH__ >= 600),
                    old + operand)
HEDDLE_SCOPED_FETCH(sub, fetch_sub, kHasInstruction<T>, old - operand)
HEDDLE_SCOPED_FETCH(and, fetch_and, kHasInstruction<T>, old& operand)
HEDDLE_SCOPED_FETCH(or, fetch_or, kHasInstruction<T>, old | operand)
HEDDLE_SCOPED_FETCH(xor, fetch_xor, kHasInstruction<T>, old ^ operand)
HEDDLE_SCOPED_FETCH(min, fetch_min, kHasInstruction<T>, operand < old ? operand : old)
HEDDLE_SCOPED_FETCH(max, fetch_max, kHasInstruction<T>, old < operand ? operand : old)
#undef HEDDLE_SCOPED_FETCH

static HEDDLE_BOTH void scoped_fence(::std::memory_order order, cuda::thread_scope scope) {
#if defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(order_number(order), scope_number(scope));
#else
  (void)scope;
  ::std::atomic_thread_fence(order);
#endif
}

// Executed between two polls of a value that another thread changes.
static HEDDLE_BOTH void scoped_pause() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("nanosleep.u32 20;" : : : "memory");
#endif
}

}  // namespace heddle
