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

// The columns of the elements of a sparse A of 16 rows (PTX ISA, "Sparse matrix storage"). Two of
// four neighbours are stored, or one of two where a register has one element (tf32); of eight
// elements in a register (int4) pairs count as one. A row has two bits for each element or pair,
// four for one of tf32, in lanes that begin with that of the selector.
class SparseColumns {
 public:
  // Whether the rows of a depth and the lanes of a selector have places in a word and in a quad.
  static bool fits(std::uint32_t depth, std::uint32_t packed, std::uint32_t selector) {
    const std::uint32_t bits = bits_of_row(depth, packed);
    return packed <= 2 ? (selector + 1) * bits <= 64 : selector * 32 + bits <= 64;
  }
  // metadata: a word of every lane.
  template <class Lanes>
  SparseColumns(std::uint32_t depth, std::uint32_t packed, const Lanes& metadata,
                std::uint32_t selector)
      : packed_(packed) {
    const std::uint32_t bits = bits_of_row(depth, packed);
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const std::uint32_t quad = row % 8 * 4, lower = row / 8;
      std::uint64_t word = 0;
      if (packed <= 2)  // halves of words: a row in the lower one, the row 8 below in the upper
        for (std::uint32_t piece = 0; piece < bits / 16; ++piece)
          word |= std::uint64_t{metadata[quad + selector * (bits / 16) + piece] >> (16 * lower) &
                                0xffff}
                  << (16 * piece);
      else  // words: a row in an even lane, the row 8 below in the next
        for (std::uint32_t piece = 0; piece < bits / 32; ++piece)
          word |= std::uint64_t{metadata[quad + (selector + piece) * 2 + lower]} << (32 * piece);
      bits_[row] = word;
    }
  }
  std::uint32_t of(std::uint32_t row, std::uint32_t element) const {
    const auto field = [&](std::uint32_t n) {
      return static_cast<std::uint32_t>(bits_[row] >> (2 * n) & 3);
    };
    switch (packed_) {
      case 1: return 2 * element + field(2 * element) / 2;
      case 8: return element / 4 * 8 + field(element / 2) * 2 + element % 2;
      default: return element / 2 * 4 + field(element);
    }
  }

 private:
  static constexpr std::uint32_t kRows = 16;
  static std::uint32_t bits_of_row(std::uint32_t depth, std::uint32_t packed) {
    return packed == 1 ? 2 * depth : packed == 8 ? depth / 2 : depth;
  }
  std::uint32_t packed_;
  std::uint64_t bits_[kRows];
};

}  // namespace heddle::exec
