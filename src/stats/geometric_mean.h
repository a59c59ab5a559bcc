// The geometric mean of values above 0, fed one at a time.
#pragma once

#include <cmath>
#include <cstddef>

namespace heddle::stats {

class GeometricMean {
 public:
  void add(double value) {
    logarithms_ += std::log(value);
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  double value() const {  // 1 without values
    return empty() ? 1 : std::exp(logarithms_ / static_cast<double>(count_));
  }

 private:
  double logarithms_ = 0;
  std::size_t count_ = 0;
};

}  // namespace heddle::stats
