// A first-in first-out queue of fixed capacity, allocated once. The caller must not push into a
// full queue.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace heddle {

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : slots_(capacity), capacity_(capacity) {}

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t free() const { return capacity_ - size_; }

  void push(T value) { emplace(std::move(value)); }
  // Builds the element in its slot. Large elements are not copied twice.
  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    check_invariant(!full(), "an element was pushed into a full queue");
    T* const slot = &slots_[wrap(head_ + size_)];
    ++size_;
    std::destroy_at(slot);
    return *::new (static_cast<void*>(slot)) T{std::forward<Arguments>(arguments)...};
  }
  T& front() {
    check_invariant(!empty(), "the first element of an empty queue was read");
    return slots_[head_];
  }
  const T& front() const {
    check_invariant(!empty(), "the first element of an empty queue was read");
    return slots_[head_];
  }
  // The i-th element counted from the front.
  T& operator[](std::size_t i) { return slots_[wrap(head_ + i)]; }
  const T& operator[](std::size_t i) const { return slots_[wrap(head_ + i)]; }
  T pop() {
    check_invariant(!empty(), "an element was popped from an empty queue");
    T value = std::move(slots_[head_]);
    // An empty queue restarts at the first slot, which is most likely in the host's caches.
    head_ = --size_ == 0 ? 0 : wrap(head_ + 1);
    return value;
  }
  void clear() { head_ = size_ = 0; }

 private:
  std::size_t wrap(std::size_t i) const { return i >= capacity_ ? i - capacity_ : i; }

  std::vector<T> slots_;
  std::size_t capacity_;  // slots_.size(), whose computation divides by the size of an element
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
