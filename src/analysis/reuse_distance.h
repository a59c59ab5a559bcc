// The largest distance along an axis at which two accesses touch one line.
#pragma once

#include <cstdint>

#include "analysis/line_runs.h"

namespace heddle::analysis {

// The largest d > at_least, or at_least, for which `first` at some point p and `second` at
// p + d * e_axis touch a line. p is in the first box and p + d * e_axis in the second. The pieces
// have equal coefficients.
std::uint32_t reuse_distance(const Piece& first, const Piece& second, std::size_t axis,
                             std::int64_t line_bytes, std::uint32_t at_least = 0);

// The same over all pairs of pieces of two lists, when each piece is a single place (is_place).
bool is_place(const Piece& piece);
std::uint32_t reuse_distance_of_places(const std::vector<Piece>& first,
                                       const std::vector<Piece>& second, std::size_t axis,
                                       std::int64_t line_bytes);

}  // namespace heddle::analysis
