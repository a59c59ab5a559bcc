// A sparse matrix in compressed rows, with random columns in ascending order and row lengths around an average.
#pragma once

#include <algorithm>

#include "common.h"

namespace workload {

struct CsrMatrix {
  int rows = 0;
  std::vector<int> row_start;   // rows + 1
  std::vector<int> column;
  std::vector<float> value;
};

inline CsrMatrix random_matrix(Random& random, int rows, int average) {
  CsrMatrix matrix;
  matrix.rows = rows;
  matrix.row_start.push_back(0);
  for (int row = 0; row < rows; ++row) {
    const int length = average / 2 + random.below(average + 1);
    for (int i = 0; i < length; ++i) {
      matrix.column.push_back(random.below(rows));
      matrix.value.push_back(random.unit());
    }
    std::sort(matrix.column.end() - length, matrix.column.end());
    matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

// How many rows of y differ from the matrix times x.
inline long wrong_rows(const CsrMatrix& matrix, const std::vector<float>& x, const std::vector<float>& y) {
  long wrong = 0;
  for (int row = 0; row < matrix.rows; ++row) {
    double sum = 0;
    for (int i = matrix.row_start[row]; i < matrix.row_start[row + 1]; ++i) sum += double(matrix.value[i]) * x[matrix.column[i]];
    wrong += !near(y[row], sum, 1e-4);
  }
  return wrong;
}

}  // namespace workload
