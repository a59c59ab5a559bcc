// The concepts of cuda::std before C++20, as constants for enable_if and static_assert.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

namespace heddle {
template <class T, class = void>
struct HasEquality : std::false_type {};
template <class T>
struct HasEquality<
    T, std::void_t<decltype(bool(std::declval<const T&>() == std::declval<const T&>())),
                   decltype(bool(std::declval<const T&>() != std::declval<const T&>()))>>
    : std::true_type {};
template <class T, class = void>
struct HasOrder : std::false_type {};
template <class T>
struct HasOrder<T, std::void_t<decltype(bool(std::declval<const T&>() < std::declval<const T&>()))>>
    : HasEquality<T> {};
template <class From, class To, class = void>
struct Casts : std::false_type {};
template <class From, class To>
struct Casts<From, To, std::void_t<decltype(static_cast<To>(std::declval<From>()))>>
    : std::is_convertible<From, To> {};
}  // namespace heddle

namespace cuda {
namespace std {
template <class T, class U>
inline constexpr bool same_as = ::std::is_same_v<T, U>;
template <class T>
inline constexpr bool integral = ::std::is_integral_v<T>;
template <class T>
inline constexpr bool signed_integral = ::std::is_integral_v<T> && ::std::is_signed_v<T>;
template <class T>
inline constexpr bool unsigned_integral = ::std::is_integral_v<T> && !::std::is_signed_v<T>;
template <class T>
inline constexpr bool floating_point = ::std::is_floating_point_v<T>;
template <class From, class To>
inline constexpr bool convertible_to = ::heddle::Casts<From, To>::value;
template <class T, class Base>
inline constexpr bool derived_from =
    ::std::is_base_of_v<Base, T> &&
    ::std::is_convertible_v<const volatile T*, const volatile Base*>;
template <class T>
inline constexpr bool destructible = ::std::is_nothrow_destructible_v<T>;
template <class T, class... Arguments>
inline constexpr bool constructible_from =
    destructible<T> && ::std::is_constructible_v<T, Arguments...>;
template <class T>
inline constexpr bool default_initializable = constructible_from<T>;
template <class T>
inline constexpr bool move_constructible =
    constructible_from<T, T> && ::std::is_convertible_v<T, T>;
template <class T>
inline constexpr bool copy_constructible = move_constructible<T> && constructible_from<T, const T&>;
template <class T>
inline constexpr bool swappable = ::std::is_swappable_v<T>;
template <class T>
inline constexpr bool movable = ::std::is_object_v<T> && move_constructible<T> &&
                                ::std::is_move_assignable_v<T> && swappable<T>;
template <class T>
inline constexpr bool copyable =
    copy_constructible<T> && movable<T> && ::std::is_copy_assignable_v<T>;
template <class T>
inline constexpr bool semiregular = copyable<T> && default_initializable<T>;
template <class T>
inline constexpr bool equality_comparable = ::heddle::HasEquality<T>::value;
template <class T>
inline constexpr bool regular = semiregular<T> && equality_comparable<T>;
template <class T>
inline constexpr bool totally_ordered = ::heddle::HasOrder<T>::value;
template <class F, class... Arguments>
inline constexpr bool invocable = ::std::is_invocable_v<F, Arguments...>;
template <class F, class... Arguments>
inline constexpr bool regular_invocable = invocable<F, Arguments...>;
template <class F, class... Arguments>
inline constexpr bool predicate = ::std::is_invocable_r_v<bool, F, Arguments...>;
}  // namespace std
}  // namespace cuda
