// Functions of cuda::std that libstdc++ has only from C++20 or C++23 on.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#define HEDDLE_OLDER constexpr __host__ __device__
namespace cuda {
namespace std {
#if __cplusplus < 202002L
template <class T>
HEDDLE_OLDER void swap(T& a, T& b) noexcept(::std::is_nothrow_move_constructible_v<T> &&
                                            ::std::is_nothrow_move_assignable_v<T>) {
  T former = ::std::move(a);
  a = ::std::move(b);
  b = ::std::move(former);
}
template <class T, ::std::size_t n>
HEDDLE_OLDER void swap(T (&a)[n], T (&b)[n]) {
  for (::std::size_t i = 0; i < n; ++i) cuda::std::swap(a[i], b[i]);
}
template <class T, class U = T>
HEDDLE_OLDER T exchange(T& value, U&& next) {
  T former = ::std::move(value);
  value = static_cast<U&&>(next);
  return former;
}

struct identity {
  using is_transparent = void;
  template <class T>
  HEDDLE_OLDER T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};

template <class T, class U>
HEDDLE_OLDER bool cmp_equal(T a, U b) noexcept {
  using Wide = ::std::common_type_t<T, U>;
  return ((a < T{0}) == (b < U{0})) && static_cast<Wide>(a) == static_cast<Wide>(b);
}
template <class T, class U>
HEDDLE_OLDER bool cmp_less(T a, U b) noexcept {
  using Wide = ::std::common_type_t<T, U>;
  return (a < T{0}) == (b < U{0}) ? static_cast<Wide>(a) < static_cast<Wide>(b) : a < T{0};
}
template <class T, class U>
HEDDLE_OLDER bool cmp_not_equal(T a, U b) noexcept {
  return !cuda::std::cmp_equal(a, b);
}
template <class T, class U>
HEDDLE_OLDER bool cmp_greater(T a, U b) noexcept {
  return cuda::std::cmp_less(b, a);
}
template <class T, class U>
HEDDLE_OLDER bool cmp_less_equal(T a, U b) noexcept {
  return !cuda::std::cmp_less(b, a);
}
template <class T, class U>
HEDDLE_OLDER bool cmp_greater_equal(T a, U b) noexcept {
  return !cuda::std::cmp_less(a, b);
}
template <class T, class U>
HEDDLE_OLDER bool in_range(U value) noexcept {
  return cuda::std::cmp_less_equal(::std::numeric_limits<T>::min(), value) &&
         cuda::std::cmp_less_equal(value, ::std::numeric_limits<T>::max());
}

// Rounds towards a and does not overflow.
template <class T>
HEDDLE_OLDER ::std::enable_if_t<::std::is_integral_v<T>, T> midpoint(T a, T b) noexcept {
  using Bits = ::std::make_unsigned_t<T>;
  return a <= b
             ? static_cast<T>(static_cast<Bits>(a) +
                              static_cast<Bits>(static_cast<Bits>(b) - static_cast<Bits>(a)) / 2)
             : static_cast<T>(static_cast<Bits>(a) -
                              static_cast<Bits>(static_cast<Bits>(a) - static_cast<Bits>(b)) / 2);
}
template <class T>
HEDDLE_OLDER ::std::enable_if_t<::std::is_floating_point_v<T>, T> midpoint(T a, T b) noexcept {
  constexpr T half_of_all = ::std::numeric_limits<T>::max() / 2;
  return a <= half_of_all && a >= -half_of_all && b <= half_of_all && b >= -half_of_all
             ? (a + b) / 2
             : a / 2 + b / 2;
}
template <class T>
HEDDLE_OLDER ::std::enable_if_t<::std::is_floating_point_v<T>, T> lerp(T a, T b, T t) noexcept {
  return t == 1 ? b : a + t * (b - a);
}

template <class Container>
HEDDLE_OLDER auto ssize(const Container& c) {
  return static_cast<::std::make_signed_t<decltype(c.size())>>(c.size());
}
template <class T, ::std::size_t n>
HEDDLE_OLDER ::std::ptrdiff_t ssize(const T (&)[n]) noexcept {
  return static_cast<::std::ptrdiff_t>(n);
}
enum class endian {
  little = __ORDER_LITTLE_ENDIAN__,
  big = __ORDER_BIG_ENDIAN__,
  native = __BYTE_ORDER__
};
#endif

#if __cplusplus <= 202002L
template <class T>
HEDDLE_OLDER ::std::underlying_type_t<T> to_underlying(T value) noexcept {
  return static_cast<::std::underlying_type_t<T>>(value);
}
[[noreturn]] inline __host__ __device__ void unreachable() { __builtin_unreachable(); }
template <class T>
HEDDLE_OLDER ::std::enable_if_t<::std::is_integral_v<T>, T> byteswap(T value) noexcept {
  using Bits = ::std::make_unsigned_t<T>;
  Bits rest = static_cast<Bits>(value), swapped = 0;
  for (::std::size_t i = 0; i < sizeof(T);
       ++i, rest = static_cast<Bits>(static_cast<unsigned long long>(rest) >> 8)) {
    swapped = static_cast<Bits>(static_cast<unsigned long long>(swapped) << 8 | (rest & 0xff));
  }
  return static_cast<T>(swapped);
}
#endif

#if __cplusplus < 202002L
namespace to_array_parts {
template <class T, ::std::size_t n, ::std::size_t... i>
HEDDLE_OLDER ::std::array<::std::remove_cv_t<T>, n> copied(T (&from)[n],
                                                           ::std::index_sequence<i...>) {
  return {{from[i]...}};
}
}  // namespace to_array_parts
template <class T, ::std::size_t n>
HEDDLE_OLDER ::std::array<::std::remove_cv_t<T>, n> to_array(T (&from)[n]) {
  return to_array_parts::copied(from, ::std::make_index_sequence<n>{});
}
#endif
}  // namespace std
}  // namespace cuda
#undef HEDDLE_OLDER
