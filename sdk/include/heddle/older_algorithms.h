// Algorithms of cuda::std. Those of libstdc++ are constant expressions, and so for kernels, only
// from C++20 on, and then call memcmp.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "heddle/older_utilities.h"

#define HEDDLE_OLDER constexpr __host__ __device__
namespace cuda {
namespace std {
template <class It, class Test>
HEDDLE_OLDER It find_if(It first, It last, Test test) {
  while (first != last && !test(*first)) ++first;
  return first;
}
template <class It, class T>
HEDDLE_OLDER It find(It first, It last, const T& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <class It, class Test>
HEDDLE_OLDER bool any_of(It first, It last, Test test) {
  return cuda::std::find_if(first, last, test) != last;
}
template <class It, class Test>
HEDDLE_OLDER bool none_of(It first, It last, Test test) {
  return !cuda::std::any_of(first, last, test);
}
template <class It, class Test>
HEDDLE_OLDER bool all_of(It first, It last, Test test) {
  for (; first != last; ++first)
    if (!test(*first)) return false;
  return true;
}
template <class It, class Test>
HEDDLE_OLDER auto count_if(It first, It last, Test test) {
  typename ::std::iterator_traits<It>::difference_type count = 0;
  for (; first != last; ++first)
    if (test(*first)) ++count;
  return count;
}
template <class It, class Act>
HEDDLE_OLDER Act for_each(It first, It last, Act act) {
  for (; first != last; ++first) act(*first);
  return act;
}
template <class It, class Other, class Same = ::std::equal_to<>>
HEDDLE_OLDER bool equal(It first, It last, Other other, Same same = {}) {
  for (; first != last; ++first, ++other)
    if (!same(*first, *other)) return false;
  return true;
}

template <class It, class T>
HEDDLE_OLDER void fill(It first, It last, const T& value) {
  for (; first != last; ++first) *first = value;
}
template <class It, class Size, class T>
HEDDLE_OLDER It fill_n(It first, Size count, const T& value) {
  for (; count > 0; --count, ++first) *first = value;
  return first;
}
template <class It, class Out>
HEDDLE_OLDER Out copy(It first, It last, Out to) {
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}
template <class It, class Size, class Out>
HEDDLE_OLDER Out copy_n(It first, Size count, Out to) {
  for (; count > 0; --count, ++first, ++to) *to = *first;
  return to;
}
template <class It, class Out, class Act>
HEDDLE_OLDER Out transform(It first, It last, Out to, Act act) {
  for (; first != last; ++first, ++to) *to = act(*first);
  return to;
}
template <class It, class Other, class Out, class Act>
HEDDLE_OLDER Out transform(It first, It last, Other other, Out to, Act act) {
  for (; first != last; ++first, ++other, ++to) *to = act(*first, *other);
  return to;
}
template <class It>
HEDDLE_OLDER void reverse(It first, It last) {
  for (; first != last && first != --last; ++first) cuda::std::swap(*first, *last);
}

// The first element of a sorted range for which before(element, value) is false.
template <class It, class T, class Before = ::std::less<>>
HEDDLE_OLDER It lower_bound(It first, It last, const T& value, Before before = {}) {
  for (auto count = last - first; count > 0;) {
    const auto half = count / 2;
    const bool is_behind = before(first[half], value);
    first += is_behind ? half + 1 : 0;
    count = is_behind ? count - half - 1 : half;
  }
  return first;
}
template <class It, class T, class Before = ::std::less<>>
HEDDLE_OLDER It upper_bound(It first, It last, const T& value, Before before = {}) {
  for (auto count = last - first; count > 0;) {
    const auto half = count / 2;
    const bool is_behind = !before(value, first[half]);
    first += is_behind ? half + 1 : 0;
    count = is_behind ? count - half - 1 : half;
  }
  return first;
}

template <class It, class T, class Act = ::std::plus<>>
HEDDLE_OLDER T accumulate(It first, It last, T sum, Act act = {}) {
  for (; first != last; ++first) sum = act(::std::move(sum), *first);
  return sum;
}
template <class It, class T, class Act = ::std::plus<>>
HEDDLE_OLDER T reduce(It first, It last, T sum, Act act = {}) {
  return cuda::std::accumulate(first, last, sum, act);
}
template <class It, class Other, class T>
HEDDLE_OLDER T inner_product(It first, It last, Other other, T sum) {
  for (; first != last; ++first, ++other) sum = ::std::move(sum) + *first * *other;
  return sum;
}
template <class It, class T>
HEDDLE_OLDER void iota(It first, It last, T value) {
  for (; first != last; ++first, ++value) *first = value;
}
}  // namespace std
}  // namespace cuda
#undef HEDDLE_OLDER
