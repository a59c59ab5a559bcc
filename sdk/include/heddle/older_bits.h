// <bit> of cuda::std before C++20, where libstdc++ has none.
#pragma once

#include <limits>
#include <type_traits>

namespace cuda {
namespace std {
#define HEDDLE_BITS(result, name) \
  template <class T>              \
  constexpr __host__ __device__   \
      typename ::std::enable_if<::std::is_unsigned<T>::value, result>::type name
HEDDLE_BITS(int, popcount)(T x) noexcept {
  int ones = 0;
  for (; x != 0; x = static_cast<T>(x & (x - 1))) ++ones;
  return ones;
}
HEDDLE_BITS(int, bit_width)(T x) noexcept {
  if (x == 0) return 0;
  return 64 - __builtin_clzll(x);
}
HEDDLE_BITS(int, countl_zero)(T x) noexcept {
  return ::std::numeric_limits<T>::digits - cuda::std::bit_width(x);
}
HEDDLE_BITS(int, countl_one)(T x) noexcept { return cuda::std::countl_zero(static_cast<T>(~x)); }
HEDDLE_BITS(int, countr_zero)(T x) noexcept {
  return x == 0 ? ::std::numeric_limits<T>::digits : __builtin_ctzll(x);
}
HEDDLE_BITS(int, countr_one)(T x) noexcept { return cuda::std::countr_zero(static_cast<T>(~x)); }
HEDDLE_BITS(bool, has_single_bit)(T x) noexcept { return x != 0 && (x & (x - 1)) == 0; }
HEDDLE_BITS(T, bit_floor)(T x) noexcept {
  return x == 0 ? T{0} : static_cast<T>(T{1} << (cuda::std::bit_width(x) - 1));
}
HEDDLE_BITS(T, bit_ceil)(T x) noexcept {
  return x <= 1 ? T{1} : static_cast<T>(T{1} << cuda::std::bit_width(static_cast<T>(x - 1)));
}
HEDDLE_BITS(T, rotl)(T x, int by) noexcept {
  constexpr unsigned int width = ::std::numeric_limits<T>::digits;
  const unsigned int left = static_cast<unsigned int>(by) % width;
  return left == 0 ? x : static_cast<T>(x << left | x >> (width - left));
}
HEDDLE_BITS(T, rotr)(T x, int by) noexcept { return cuda::std::rotl(x, -by); }
#undef HEDDLE_BITS
template <class To, class From>
constexpr __host__ __device__ To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
}  // namespace cuda
