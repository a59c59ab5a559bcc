// The matrix element in each lane, register and position of a fragment. PTX documents it for
// mma.sync ("Matrix Fragments for mma"); for wmma it is undefined, and uses the same layout here.
#pragma once

#include <cstdint>

namespace heddle::exec {

struct MatrixPlace {
  std::uint32_t row, column;
};

// A: `rows` x `depth`. The `packed` elements of a register are adjacent in the row. Registers
// beyond the matrix repeat it.
inline MatrixPlace place_in_a(std::uint32_t rows, std::uint32_t depth, std::uint32_t packed,
                              std::uint32_t lane, std::uint32_t reg, std::uint32_t element) {
  const std::uint32_t tiles = rows / 8, held = tiles * depth / (4 * packed), r = reg % held;
  return {r % tiles * 8 + lane / 4, r / tiles * 4 * packed + lane % 4 * packed + element};
}
// B: `depth` x `columns`. The elements of a register are adjacent in the column.
inline MatrixPlace place_in_b(std::uint32_t depth, std::uint32_t columns, std::uint32_t packed,
                              std::uint32_t lane, std::uint32_t reg, std::uint32_t element) {
  const std::uint32_t groups = depth / (4 * packed), held = groups * columns / 8, r = reg % held;
  return {r % groups * 4 * packed + lane % 4 * packed + element, r / groups * 8 + lane / 4};
}
// C and D: pairs that are adjacent in a row. 8 x 8 tiles follow each other down the rows, then
// along the columns.
inline MatrixPlace place_in_c(std::uint32_t rows, std::uint32_t packed, std::uint32_t lane,
                              std::uint32_t reg, std::uint32_t element) {
  const std::uint32_t tiles = rows / 8, e = reg * packed + element, tile = e / 2;
  return {tile % tiles * 8 + lane / 4, tile / tiles * 8 + lane % 4 * 2 + e % 2};
}

}  // namespace heddle::exec
