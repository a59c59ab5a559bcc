// nvcc's built-in atomics with orders and scopes (since CUDA 12.8). An order is implemented by
// fences around a relaxed access.
#pragma once

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

static __device__ __forceinline__ void __nv_atomic_thread_fence(
    int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else
    __threadfence();
}

namespace heddle {

template <class T>
struct Same {
  using Type = T;
};
template <class T>
using Given = typename Same<T>::Type;  // an argument that does not take part in deduction

static __device__ __forceinline__ void fence_before(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
static __device__ __forceinline__ void fence_behind(int order, int scope) {
  if (order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}

template <int bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using Type = unsigned char;
};
template <>
struct WordOf<2> {
  using Type = unsigned short;
};
template <>
struct WordOf<4> {
  using Type = unsigned int;
};
template <>
struct WordOf<8> {
  using Type = unsigned long long;
};
template <class T>
using Word = typename WordOf<sizeof(T)>::Type;

template <class To, class From>
static __device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// The integer type of the same width and sign that has an atomic; T itself if it is no integer.
template <class T>
struct Counted {
  using Type = T;
};
template <>
struct Counted<long> {
  using Type = long long;
};
template <>
struct Counted<unsigned long> {
  using Type = unsigned long long;
};
template <class T>
using Count = typename Counted<T>::Type;

}  // namespace heddle

template <class T>
static __device__ __forceinline__ T __nv_atomic_load_n(const T* at, int order,
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_SEQ_CST) heddle::fence_before(order, scope);
  const auto word = *reinterpret_cast<const volatile heddle::Word<T>*>(at);
  heddle::fence_behind(order, scope);
  return heddle::bits_as<T>(static_cast<heddle::Word<T>>(word));
}
template <class T>
static __device__ __forceinline__ void __nv_atomic_load(const T* at, T* result, int order,
                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(at, order, scope);
}
template <class T>
static __device__ __forceinline__ void __nv_atomic_store_n(T* at, heddle::Given<T> value, int order,
                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  heddle::fence_before(order, scope);
  *reinterpret_cast<volatile heddle::Word<T>*>(at) = heddle::bits_as<heddle::Word<T>>(value);
  if (order == __NV_ATOMIC_SEQ_CST) heddle::fence_behind(order, scope);
}
template <class T>
static __device__ __forceinline__ void __nv_atomic_store(T* at, const T* value, int order,
                                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(at, *value, order, scope);
}
template <class T>
static __device__ __forceinline__ T __nv_atomic_exchange_n(T* at, heddle::Given<T> value, int order,
                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  using Word = heddle::Word<T>;
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__nv_atomic_exchange is on 4 or 8 bytes");
  heddle::fence_before(order, scope);
  const Word old = ::atomicExch(reinterpret_cast<Word*>(at), heddle::bits_as<Word>(value));
  heddle::fence_behind(order, scope);
  return heddle::bits_as<T>(old);
}
template <class T>
static __device__ __forceinline__ void __nv_atomic_exchange(T* at, const T* value, T* result,
                                                            int order,
                                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(at, *value, order, scope);
}
// If the values differ, `expected` is set to the value found. `weak` has no effect: no comparison
// fails spuriously.
template <class T>
static __device__ __forceinline__ bool __nv_atomic_compare_exchange_n(
    T* at, T* expected, heddle::Given<T> desired, bool /*weak*/, int success, int failure,
    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  using Word = heddle::Word<T>;
  static_assert(sizeof(T) >= 2, "__nv_atomic_compare_exchange is on 2, 4 or 8 bytes");
  heddle::fence_before(success, scope);
  const Word wanted = heddle::bits_as<Word>(*expected);
  const Word found =
      ::atomicCAS(reinterpret_cast<Word*>(at), wanted, heddle::bits_as<Word>(desired));
  heddle::fence_behind(found == wanted ? success : failure, scope);
  if (found == wanted) return true;
  *expected = heddle::bits_as<T>(found);
  return false;
}
template <class T>
static __device__ __forceinline__ bool __nv_atomic_compare_exchange(
    T* at, T* expected, const T* desired, bool weak, int success, int failure,
    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(at, expected, *desired, weak, success, failure, scope);
}

// The type in which integers are added and combined: signed and unsigned sums have the same bits.
template <class T>
struct heddle_summand {
  using Type = heddle::Word<T>;
};
template <>
struct heddle_summand<float> {
  using Type = float;
};
template <>
struct heddle_summand<double> {
  using Type = double;
};

#define HEDDLE_NV_ATOMIC(name, call, kind, operand)                                     \
  template <class T>                                                                    \
  static __device__ __forceinline__ T __nv_atomic_fetch_##name(                         \
      T* at, heddle::Given<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    using Operand = kind;                                                               \
    heddle::fence_before(order, scope);                                                 \
    const Operand old = ::call(reinterpret_cast<Operand*>(at), operand);                \
    heddle::fence_behind(order, scope);                                                 \
    return heddle::bits_as<T>(old);                                                     \
  }                                                                                     \
  template <class T>                                                                    \
  static __device__ __forceinline__ void __nv_atomic_##name(                            \
      T* at, heddle::Given<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __nv_atomic_fetch_##name(at, value, order, scope);                                  \
  }
HEDDLE_NV_ATOMIC(add, atomicAdd, typename heddle_summand<T>::Type, heddle::bits_as<Operand>(value))
HEDDLE_NV_ATOMIC(sub, atomicAdd, typename heddle_summand<T>::Type,
                 heddle::bits_as<Operand>(static_cast<T>(-value)))
HEDDLE_NV_ATOMIC(and, atomicAnd, heddle::Word<T>, heddle::bits_as<Operand>(value))
HEDDLE_NV_ATOMIC(or, atomicOr, heddle::Word<T>, heddle::bits_as<Operand>(value))
HEDDLE_NV_ATOMIC(xor, atomicXor, heddle::Word<T>, heddle::bits_as<Operand>(value))
HEDDLE_NV_ATOMIC(min, atomicMin, heddle::Count<T>, static_cast<Operand>(value))
HEDDLE_NV_ATOMIC(max, atomicMax, heddle::Count<T>, static_cast<Operand>(value))
#undef HEDDLE_NV_ATOMIC
