// The box of a tensor that cp.async.bulk.tensor copies, in pieces of 16 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "exec/state/decoded_instruction.h"
#include "exec/state/tensor_map.h"
#include "exec/state/warp.h"

namespace heddle::exec {

using TensorPlace = std::array<std::int32_t, TensorMap::kMaxRank>;  // the innermost dimension first

// The copy of one lane; faults when its tensor map is none.
struct LaneTensorCopy {
  TensorMap map;
  TensorPlace place{};
  TensorPlace offsets{};  // of im2col, by dimension
};
LaneTensorCopy tensor_copy(Warp& w, const DecodedInstruction& r, int lane);
// Checks the alignment and the shape of a box at this address in shared memory.
void check_box(const Warp& w, const DecodedInstruction& r, int lane, const TensorMap& map,
               std::uint64_t shared);

// 16 bytes of shared memory. Those from `first` to `end` - 1 are in the tensor, the first of them
// at `global`; the others are outside of it: loads fill them with zeros, stores skip them.
struct TensorPiece {
  std::uint64_t global = 0;
  std::uint64_t shared = 0;
  std::uint32_t first = 0, end = 0;
};
inline constexpr std::uint32_t kTensorPiece = 16;

// The rows of a box: of a tile the inner dimension, of im2col the channels of a pixel.
class TensorRows {
 public:
  explicit TensorRows(const LaneTensorCopy& copy) : copy_(copy) {
    std::ranges::copy(copy.place, pixel_.begin());
  }
  std::int64_t coordinate(std::size_t d) const {
    if (copy_.map.is_im2col()) return pixel_[d] + copy_.offsets[d];
    return std::int64_t{copy_.place[d]} + std::int64_t{at_[d]} * copy_.map.steps[d];
  }
  void advance() {
    const TensorMap& m = copy_.map;
    if (m.is_im2col()) return advance_pixel(m);
    for (std::size_t d = 1; d < m.rank && ++at_[d] == m.elements(d); ++d) at_[d] = 0;
  }

 private:
  // Pixels follow each other in the bounding box of an image, then in that of the next image.
  void advance_pixel(const TensorMap& m) {
    std::size_t d = 1;
    for (; d + 1 < m.rank; ++d) {
      pixel_[d] += m.steps[d];
      if (pixel_[d] <= std::int64_t{m.last[d]} + m.upper[d - 1]) return;
      pixel_[d] = m.lower[d - 1];
    }
    ++pixel_[d];
  }

  const LaneTensorCopy& copy_;
  std::array<std::int64_t, TensorMap::kMaxRank> pixel_{};  // a program may begin anywhere
  std::array<std::uint32_t, TensorMap::kMaxRank> at_{};    // in the tile
};

// Calls f(index of the row in the box, address of the row's first element, byte of the row at which
// the tensor begins, byte at which it ends) for every row of the box.
template <class F>
void for_each_row(const LaneTensorCopy& copy, F f) {
  const TensorMap& m = copy.map;
  const auto end_of = [&m](std::size_t d) { return std::int64_t{m.last[d]} + 1; };
  const std::int64_t first = copy.place[0], columns = m.box[0];
  const std::int64_t begin = std::clamp<std::int64_t>(-first, 0, columns),
                     end = std::clamp<std::int64_t>(end_of(0) - first, begin, columns);
  TensorRows at(copy);
  for (std::uint32_t row = 0, rows = static_cast<std::uint32_t>(m.rows()); row < rows;
       ++row, at.advance()) {
    bool inside = true;
    std::uint64_t address = m.address + static_cast<std::uint64_t>(first) * m.element_bytes();
    for (std::size_t d = 1; d < m.rank; ++d) {
      const std::int64_t c = at.coordinate(d);
      inside = inside && c >= 0 && c < end_of(d);
      address += static_cast<std::uint64_t>(c) * m.strides[d];
    }
    f(row, address, static_cast<std::uint32_t>(inside ? begin : 0) * m.element_bytes(),
      static_cast<std::uint32_t>(inside ? end : 0) * m.element_bytes());
  }
}

// Calls f(TensorPiece) for all of the box, which begins at `shared`.
template <class F>
void for_each_piece(const LaneTensorCopy& copy, std::uint64_t shared, F f) {
  const std::uint32_t row_bytes = copy.map.row_bytes();
  for_each_row(
      copy, [&](std::uint32_t row, std::uint64_t address, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t n = 0; n < row_bytes; n += kTensorPiece) {
          const std::uint64_t at = shared + std::uint64_t{row} * row_bytes + n;
          TensorPiece piece;
          // The piece's number within the row changes by exclusive or with that of the row.
          piece.shared = at ^ (at >> 3 & (copy.map.swizzled_bytes - kTensorPiece));
          piece.first = std::clamp(begin, n, n + kTensorPiece) - n;
          piece.end = std::clamp(end, n + piece.first, n + kTensorPiece) - n;
          piece.global = address + n + piece.first;
          f(piece);
        }
      });
}

}  // namespace heddle::exec
