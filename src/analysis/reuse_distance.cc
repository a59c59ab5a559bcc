#include "analysis/reuse_distance.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

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

// The first run from `from` on that does not precede, where those that precede come first. It looks
// near `from` first, so a walk through all runs costs little more than their number.
template <class Precedes>
Runs::const_iterator first_not_preceding(Runs::const_iterator from, Runs::const_iterator end,
                                         Precedes precedes) {
  std::ptrdiff_t reach = 1;
  while (reach <= end - from && precedes(from[reach - 1])) {
    from += reach;
    reach *= 2;
  }
  return std::partition_point(from, from + std::min(reach, end - from), precedes);
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
    start_ = second_.runs.begin();
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
    start_ = first_not_preceding(start_, second_.runs.end(),
                                 [&](const Run& run) { return run.last < a.first - line_; });
    for (auto b = start_; b != second_.runs.end() && b->first <= a.last + line_; ++b)
      // Without a step all distances are alike.
      if (share_at(a, *b, largest_) || share_at(a, *b, smallest_)) {
        best_ = largest_;
        return;
      } else {
        examine(a, *b, smallest_, largest_);
      }
  }
  void examine_upwards(const Run& a) {
    const std::int64_t lowest = a.first - line_ - step_ * largest_;
    start_ = first_not_preceding(start_, second_.runs.end(),
                                 [&](const Run& run) { return run.last < lowest; });
    for (auto b = start_; b != second_.runs.end(); ++b) {
      const std::int64_t high = floor_of(a.last + line_ - 1 - b->first, step_);
      if (high < smallest_ || high <= best_) return;
      examine(a, *b, -floor_of(-(a.first - line_ + 1 - b->last), step_), high);
      if (best_ >= largest_) return;
    }
  }
  void examine_downwards(const Run& a) {
    const std::int64_t down = -step_;
    const std::int64_t highest = a.last + line_ + down * largest_;
    start_ = first_not_preceding(start_, second_.runs.end(),
                                 [&](const Run& run) { return run.first <= highest; });
    auto b = start_;
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
  Runs::const_iterator start_;  // of the search in the second piece; the runs of both ascend
};

}  // namespace

std::uint32_t reuse_distance(const Piece& first, const Piece& second, std::size_t axis,
                             std::int64_t line_bytes, std::uint32_t at_least) {
  return Distance(first, second, axis, line_bytes, at_least).find();
}

bool is_place(const Piece& piece) {
  return std::all_of(piece.box.begin(), piece.box.end(),
                     [](const Interval& i) { return i.is_point(); });
}

namespace {

// The lines of a run of a place. Places of one row differ along the axis only.
struct PlacedLines {
  std::int64_t first = 0, last = 0;
  std::uint32_t row = 0;
  std::int64_t place = 0;  // along the axis
  bool in_first = false, in_second = false;
};

class PlacesInRows {
 public:
  PlacesInRows(std::size_t axis, std::int64_t line_bytes) : axis_(axis), line_(line_bytes) {}

  void append(const std::vector<Piece>& pieces, bool in_first, bool in_second) {
    for (const Piece& piece : pieces) {
      std::vector<std::int64_t> others;
      std::int64_t moved = 0;
      for (std::size_t a = 0; a < piece.box.size(); ++a) {
        moved += piece.coefficients[a] * piece.box[a].low;
        if (a != axis_) others.push_back(piece.box[a].low);
      }
      const auto row = static_cast<std::uint32_t>(rows_.size());
      const std::uint32_t known = rows_.try_emplace(std::move(others), row).first->second;
      for (const Run& r : piece.runs)
        all_.push_back({floor_of(r.first + moved, line_), floor_of(r.last + moved, line_), known,
                        piece.box[axis_].low, in_first, in_second});
    }
  }

  // Goes through the lines of each row in ascending order. `open` are the runs that may reach the
  // line that follows.
  std::int64_t largest_distance() {
    std::sort(all_.begin(), all_.end(), [](const PlacedLines& a, const PlacedLines& b) {
      return std::tie(a.row, a.first) < std::tie(b.row, b.first);
    });
    std::int64_t best = 0;
    std::vector<const PlacedLines*> open;
    for (const PlacedLines& lines : all_) {
      std::erase_if(open, [&](const PlacedLines* other) {
        return other->row != lines.row || other->last < lines.first;
      });
      for (const PlacedLines* other : open) {
        if (other->in_first && lines.in_second) best = std::max(best, lines.place - other->place);
        if (lines.in_first && other->in_second) best = std::max(best, other->place - lines.place);
      }
      open.push_back(&lines);
    }
    return best;
  }

 private:
  std::size_t axis_;
  std::int64_t line_;
  std::map<std::vector<std::int64_t>, std::uint32_t> rows_;  // by the places along other axes
  std::vector<PlacedLines> all_;
};

}  // namespace

std::uint32_t reuse_distance_of_places(const std::vector<Piece>& first,
                                       const std::vector<Piece>& second, std::size_t axis,
                                       std::int64_t line_bytes) {
  const auto is_at_start = [&](const Piece& piece) {
    return piece.box[axis].low == first.front().box[axis].low;
  };
  if (first.empty() || second.empty() ||
      (std::all_of(first.begin(), first.end(), is_at_start) &&
       std::all_of(second.begin(), second.end(), is_at_start)))
    return 0;
  PlacesInRows places(axis, line_bytes);
  places.append(first, true, &first == &second);
  if (&first != &second) places.append(second, false, true);
  return static_cast<std::uint32_t>(places.largest_distance());
}

}  // namespace heddle::analysis
