#include "analysis/reuse_distance.h"

#include <algorithm>
#include <numeric>

namespace heddle::analysis {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t divisor) {
  return value - floor_of(value, divisor) * divisor;
}

// Adds step * [low, high] modulo the line length.
std::vector<std::int64_t> add_phases(const std::vector<std::int64_t>& phases, std::int64_t step,
                                     const Interval& range, std::int64_t line_bytes) {
  const std::int64_t period = line_bytes / std::gcd(modulo(step, line_bytes), line_bytes);
  std::vector<std::int64_t> result;
  for (std::int64_t n = range.low; n <= std::min(range.high, range.low + period - 1); ++n)
    for (std::int64_t p : phases) result.push_back(modulo(p + step * n, line_bytes));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

class Distance {
 public:
  Distance(const Piece& first, const Piece& second, std::size_t axis, std::int64_t line_bytes,
           std::uint32_t at_least)
      : first_(first), second_(second), axis_(axis), line_(line_bytes), best_(at_least) {
    step_ = first.coefficients[axis];
    const Interval &a = first.box[axis], &b = second.box[axis];
    largest_ = b.high - a.low;
    smallest_ = std::max<std::int64_t>({1, b.low - a.high});
    phases_ = {0};
    for (std::size_t other = 0; other < first.box.size(); ++other) {
      if (other == axis) continue;
      const Interval both{std::max(first.box[other].low, second.box[other].low),
                          std::min(first.box[other].high, second.box[other].high)};
      if (both.low > both.high) largest_ = 0;
      phases_ = add_phases(phases_, first.coefficients[other], both, line_);
    }
  }

  std::uint32_t find() {
    smallest_ = std::max(smallest_, best_ + 1);
    if (largest_ < smallest_) return static_cast<std::uint32_t>(best_);
    for (const Run& r : first_.runs) {
      if (step_ == 0)
        examine_all_near(r);
      else if (step_ > 0)
        examine_upwards(r);
      else
        examine_downwards(r);
      if (best_ >= largest_) break;
      smallest_ = std::max(smallest_, best_ + 1);
    }
    return static_cast<std::uint32_t>(best_);
  }

 private:
  bool share(const Run& a, const Run& b, std::int64_t shift_a, std::int64_t shift_b) const {
    return floor_of(a.first + shift_a, line_) <= floor_of(b.last + shift_b, line_) &&
           floor_of(b.first + shift_b, line_) <= floor_of(a.last + shift_a, line_);
  }
  // Is there a point at which the runs share a line at distance d?
  bool share_at(const Run& a, const Run& b, std::int64_t d) const {
    const Interval from{std::max(first_.box[axis_].low, second_.box[axis_].low - d),
                        std::min(first_.box[axis_].high, second_.box[axis_].high - d)};
    if (from.low > from.high) return false;
    const std::int64_t period = line_ / std::gcd(modulo(step_, line_), line_);
    for (std::int64_t p = from.low; p <= std::min(from.high, from.low + period - 1); ++p)
      for (std::int64_t phase : phases_)
        if (share(a, b, phase + step_ * p, phase + step_ * (p + d))) return true;
    return false;
  }
  // The largest d in [low, high] that is better.
  void examine(const Run& a, const Run& b, std::int64_t low, std::int64_t high) {
    for (std::int64_t d = std::min(high, largest_); d >= std::max(low, smallest_); --d)
      if (d <= best_)
        return;
      else if (share_at(a, b, d)) {
        best_ = d;
        return;
      }
  }

  void examine_all_near(const Run& a) {
    auto b = std::lower_bound(second_.runs.begin(), second_.runs.end(), a.first - line_,
                              [](const Run& run, std::int64_t value) { return run.last < value; });
    for (; b != second_.runs.end() && b->first <= a.last + line_; ++b)
      // Without a step all distances are alike.
      if (share_at(a, *b, largest_) || share_at(a, *b, smallest_)) {
        best_ = largest_;
        return;
      } else {
        examine(a, *b, smallest_, largest_);
      }
  }
  void examine_upwards(const Run& a) {
    auto b = std::lower_bound(second_.runs.begin(), second_.runs.end(),
                              a.first - line_ - step_ * largest_,
                              [](const Run& run, std::int64_t value) { return run.last < value; });
    for (; b != second_.runs.end(); ++b) {
      const std::int64_t high = floor_of(a.last + line_ - 1 - b->first, step_);
      if (high < smallest_ || high <= best_) return;
      examine(a, *b, -floor_of(-(a.first - line_ + 1 - b->last), step_), high);
      if (best_ >= largest_) return;
    }
  }
  void examine_downwards(const Run& a) {
    const std::int64_t down = -step_;
    auto b =
        std::lower_bound(second_.runs.begin(), second_.runs.end(), a.last + line_ + down * largest_,
                         [](const Run& run, std::int64_t value) { return run.first <= value; });
    while (b != second_.runs.begin()) {
      --b;
      const std::int64_t high = floor_of(b->last + line_ - 1 - a.first, down);
      if (high < smallest_ || high <= best_) return;
      examine(a, *b, -floor_of(-(b->first - line_ + 1 - a.last), down), high);
      if (best_ >= largest_) return;
    }
  }

  const Piece &first_, &second_;
  std::size_t axis_;
  std::int64_t line_, step_ = 0, largest_ = 0, smallest_ = 1, best_;
  std::vector<std::int64_t> phases_;
};

}  // namespace

std::uint32_t reuse_distance(const Piece& first, const Piece& second, std::size_t axis,
                             std::int64_t line_bytes, std::uint32_t at_least) {
  return Distance(first, second, axis, line_bytes, at_least).find();
}

}  // namespace heddle::analysis
