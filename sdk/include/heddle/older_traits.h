// Type traits of cuda::std that libstdc++ has from C++20 on.
#pragma once

#include <cstddef>
#include <type_traits>

namespace cuda {
namespace std {
template <class T>
struct remove_cvref : ::std::remove_cv<typename ::std::remove_reference<T>::type> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <class T>
struct is_bounded_array : ::std::false_type {};
template <class T, ::std::size_t n>
struct is_bounded_array<T[n]> : ::std::true_type {};
template <class T>
struct is_unbounded_array : ::std::false_type {};
template <class T>
struct is_unbounded_array<T[]> : ::std::true_type {};
template <class T>
inline constexpr bool is_bounded_array_v = is_bounded_array<T>::value;
template <class T>
inline constexpr bool is_unbounded_array_v = is_unbounded_array<T>::value;

constexpr __host__ __device__ bool is_constant_evaluated() noexcept {
  return __builtin_is_constant_evaluated();
}
}  // namespace std
}  // namespace cuda
