// A first-in first-out queue that grows, for what other limits bound. Capacities are powers of two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heddle::mem {

template <class T>
class GrowingQueue {
 public:
  explicit GrowingQueue(std::size_t capacity) : slots_(capacity) {}

  bool empty() const { return size_ == 0; }
  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  void push(const T& value) {
    if (size_ == slots_.size()) {
      std::rotate(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(head_),
                  slots_.end());
      head_ = 0;
      slots_.resize(slots_.size() * 2);
    }
    slots_[(head_ + size_++) & (slots_.size() - 1)] = value;
  }
  void pop() {
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
  }

 private:
  std::vector<T> slots_;
  std::size_t head_ = 0, size_ = 0;
};

}  // namespace heddle::mem
