// <span> of cuda::std before C++20, where libstdc++ has none.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
inline constexpr ::std::size_t dynamic_extent = static_cast<::std::size_t>(-1);

#define HEDDLE_SPAN constexpr __host__ __device__
template <class T, ::std::size_t Extent = dynamic_extent>
class span {
  template <class From>
  using converts = ::std::is_convertible<typename ::std::remove_pointer<From>::type (*)[], T (*)[]>;

 public:
  using element_type = T;
  using value_type = typename ::std::remove_cv<T>::type;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  static constexpr size_type extent = Extent;

  HEDDLE_SPAN span() noexcept {}
  HEDDLE_SPAN span(T* first, size_type count) : first_(first), count_(count) {}
  HEDDLE_SPAN span(T* first, T* last)
      : first_(first), count_(static_cast<size_type>(last - first)) {}
  template <::std::size_t n>
  HEDDLE_SPAN span(T (&array)[n]) noexcept : first_(array), count_(n) {}
  template <class Range, class Pointer = decltype(::std::declval<Range&>().data()),
            class = decltype(::std::declval<Range&>().size()),
            class = typename ::std::enable_if<converts<Pointer>::value>::type>
  HEDDLE_SPAN span(Range&& range) : first_(range.data()), count_(range.size()) {}

  HEDDLE_SPAN size_type size() const noexcept { return count_; }
  HEDDLE_SPAN size_type size_bytes() const noexcept { return count_ * sizeof(T); }
  HEDDLE_SPAN bool empty() const noexcept { return count_ == 0; }
  HEDDLE_SPAN T* data() const noexcept { return first_; }
  HEDDLE_SPAN T& operator[](size_type i) const { return first_[i]; }
  HEDDLE_SPAN T& front() const { return first_[0]; }
  HEDDLE_SPAN T& back() const { return first_[count_ - 1]; }
  HEDDLE_SPAN T* begin() const noexcept { return first_; }
  HEDDLE_SPAN T* end() const noexcept { return first_ + count_; }
  HEDDLE_SPAN span<T> first(size_type n) const { return {first_, n}; }
  HEDDLE_SPAN span<T> last(size_type n) const { return {first_ + (count_ - n), n}; }
  HEDDLE_SPAN span<T> subspan(size_type from, size_type n = dynamic_extent) const {
    return {first_ + from, n == dynamic_extent ? count_ - from : n};
  }
  template <::std::size_t n>
  HEDDLE_SPAN span<T, n> first() const {
    return {first_, n};
  }
  template <::std::size_t n>
  HEDDLE_SPAN span<T, n> last() const {
    return {first_ + (count_ - n), n};
  }

 private:
  T* first_ = nullptr;
  size_type count_ = Extent == dynamic_extent ? 0 : Extent;
};
#undef HEDDLE_SPAN

template <class T, ::std::size_t n>
__host__ __device__ span(T (&)[n]) -> span<T, n>;
template <class T, ::std::size_t n>
__host__ __device__ span(::std::array<T, n>&) -> span<T, n>;
template <class T>
__host__ __device__ span(T*, ::std::size_t) -> span<T>;
template <class Range>
__host__ __device__ span(Range&&)
    -> span<typename ::std::remove_pointer<decltype(::std::declval<Range&>().data())>::type>;
}  // namespace std
}  // namespace cuda
