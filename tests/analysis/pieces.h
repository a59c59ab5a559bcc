// Pieces as tests write them, and the reuse distance of two by trying every pair of places.
#pragma once

#include <random>

#include "analysis/line_runs.h"

namespace heddle::analysis {

inline constexpr std::int64_t kLine = 128;  // bytes

// A piece along one axis.
inline Piece along(Interval box, std::int64_t coefficient, Runs runs) {
  return {{box}, {coefficient}, std::move(runs)};
}

inline Runs runs_at(const Piece& piece, const std::vector<std::int64_t>& point) {
  Runs moved = piece.runs;
  for (Run& r : moved)
    for (std::size_t a = 0; a < point.size(); ++a) {
      r.first += piece.coefficients[a] * point[a];
      r.last += piece.coefficients[a] * point[a];
    }
  return moved;
}

inline bool share_a_line(const Runs& a, const Runs& b, std::int64_t line_bytes) {
  for (const Run& r : a)
    for (const Run& s : b)
      if (floor_of(r.first, line_bytes) <= floor_of(s.last, line_bytes) &&
          floor_of(s.first, line_bytes) <= floor_of(r.last, line_bytes))
        return true;
  return false;
}

// Of pieces with two axes.
inline std::uint32_t enumerated_distance(const Piece& first, const Piece& second, std::size_t axis,
                                         std::int64_t line_bytes) {
  std::int64_t best = 0;
  const Interval &x = first.box[0], &y = first.box[1], &along = second.box[axis];
  const Interval& across = second.box[1 - axis];
  for (std::int64_t px = x.low; px <= x.high; ++px)
    for (std::int64_t py = y.low; py <= y.high; ++py) {
      std::vector<std::int64_t> from{px, py}, to = from;
      if (from[1 - axis] < across.low || from[1 - axis] > across.high) continue;
      for (to[axis] = std::max(from[axis] + best + 1, along.low); to[axis] <= along.high;
           ++to[axis])
        if (share_a_line(runs_at(first, from), runs_at(second, to), line_bytes))
          best = to[axis] - from[axis];
    }
  return static_cast<std::uint32_t>(best);
}

// Pieces with two axes, small boxes and up to three runs.
class RandomPieces {
 public:
  explicit RandomPieces(unsigned seed) : random_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  std::vector<std::int64_t> coefficients() {
    static constexpr std::int64_t kUsual[] = {0, 4, -4, 32, -48, 96, 128, -128, 200, 512};
    return {kUsual[number(0, 9)], kUsual[number(0, 9)]};
  }
  Piece piece(std::vector<std::int64_t> coefficients) {
    Piece piece{{}, std::move(coefficients), {}};
    for (int axis = 0; axis < 2; ++axis) {
      const std::int64_t low = number(0, 4);
      piece.box.push_back({low, low + number(0, 6)});
    }
    std::int64_t at = number(-500, 1500);
    for (std::int64_t n = number(1, 3); n > 0; --n) {
      piece.runs.push_back({at, at + number(3, 250)});
      at = piece.runs.back().last + number(129, 900);
    }
    return piece;
  }

 private:
  std::mt19937 random_;
};

}  // namespace heddle::analysis
