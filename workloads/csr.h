// A sparse matrix in compressed sparse rows, with random columns in ascending order and random row
// lengths around an average; and the two ways to read the vector.
#pragma once

#include <algorithm>

#include "texture.h"

namespace workload {

struct CsrMatrix {
  int rows = 0;
  std::vector<int> row_start;  // rows + 1
  std::vector<int> column;
  std::vector<float> value;
};

// Row lengths. spread: uniform from half the average to one and a half of it. by_chance: every
// place of the matrix has an element with the same probability, as in SHOC's random matrices; rows
// then differ by some ten per cent.
enum class Lengths { spread = 1, by_chance = 2 };

inline CsrMatrix random_matrix(Random& random, int rows, int average,
                               Lengths lengths = Lengths::spread) {
  CsrMatrix matrix;
  matrix.rows = rows;
  matrix.row_start.push_back(0);
  for (int row = 0; row < rows; ++row) {
    const auto first = matrix.column.size();
    if (lengths == Lengths::by_chance) {
      for (int column = 0; column < rows; ++column) {
        if (random.below(rows) >= average) continue;
        matrix.column.push_back(column);
        matrix.value.push_back(random.unit());
      }
    } else {
      const int length = average / 2 + random.below(average + 1);
      for (int i = 0; i < length; ++i) {
        matrix.column.push_back(random.below(rows));
        matrix.value.push_back(random.unit());
      }
      std::sort(matrix.column.begin() + static_cast<std::ptrdiff_t>(first), matrix.column.end());
    }
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

// The vector in global memory, or read through the texture cache as in SHOC.
struct GlobalVector {
  const float* x;
  __device__ float operator[](int i) const { return x[i]; }
};
struct TextureVector {
  cudaTextureObject_t x;
  __device__ float operator[](int i) const { return tex1Dfetch<float>(x, i); }
};

inline TextureVector texture_of(const float* x, int elements) {
  return {linear_texture(x, static_cast<std::size_t>(elements))};
}

// The number of rows of y that differ from the matrix times x.
inline long wrong_rows(const CsrMatrix& matrix, const std::vector<float>& x,
                       const std::vector<float>& y) {
  long wrong = 0;
  for (int row = 0; row < matrix.rows; ++row) {
    double sum = 0;
    for (int i = matrix.row_start[row]; i < matrix.row_start[row + 1]; ++i)
      sum += double(matrix.value[i]) * x[matrix.column[i]];
    wrong += !near(y[row], sum, 1e-4);
  }
  return wrong;
}

}  // namespace workload
