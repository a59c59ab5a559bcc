// Sparse matrix times vector, as Parboil's SPMV: a row per thread in jagged diagonal storage. Rows
// are sorted by length, element k of all rows is adjacent, so that the matrix is read coalesced and
// the vector is gathered. Matrix 1 (row-adjacent): the non-zeros of a row are next to each other,
// so that a thread's next loads need the same line of the vector. Matrix 2 (column-adjacent): all
// rows nearby have their non-zeros in the same columns, so that other warps need the same lines.
#include <algorithm>
#include <numeric>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 192, kWarp = 32;

__global__ void multiply(const float* values, const int* columns, const int* diagonal_start,
                         const int* warp_length, const int* row_of, const float* x, float* y,
                         int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int length = warp_length[row / kWarp];
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < length; ++k) {
    const int at = diagonal_start[k] + row;
    sum += values[at] * x[columns[at]];
  }
  y[row_of[row]] = sum;
}

struct Element {
  int column;
  float value;
};

static std::vector<std::vector<Element>> random_rows(Random& random, int rows, int average,
                                                     int kind) {
  std::vector<std::vector<Element>> matrix(rows);
  std::vector<int> shared(2 * average);
  for (int row = 0; row < rows; ++row) {
    if (row % (16 * kWarp) == 0)
      for (int& column : shared) column = random.below(rows);
    const int length = average / 2 + random.below(average + 1),
              start = random.below(std::max(rows - length, 1));
    for (int k = 0; k < length; ++k) {
      const int column = kind == 1 ? start + k : (shared[k] + random.below(8)) % rows;
      matrix[row].push_back({std::min(column, rows - 1), random.unit()});
    }
  }
  return matrix;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "spmv_jds",
                    {{"rows", 600, 23040, 146689}, {"average", 12, 25, 25}, {"matrix", 1, 1, 1}});
  const int rows = sizes[0], average = sizes[1], kind = sizes[2];
  Random random(97);
  const std::vector<std::vector<Element>> matrix = random_rows(random, rows, average, kind);
  std::vector<int> order(rows);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return matrix[a].size() != matrix[b].size() ? matrix[a].size() > matrix[b].size() : a < b;
  });

  // A diagonal has an element of each row of the warps that reach it; shorter rows have zeros.
  std::vector<int> columns, start, lengths;
  std::vector<float> values;
  for (int row = 0; row < rows; row += kWarp)
    lengths.push_back(static_cast<int>(matrix[order[row]].size()));
  const int longest = lengths.empty() ? 0 : lengths[0];
  for (int k = 0; k < longest; ++k) {
    start.push_back(static_cast<int>(values.size()));
    for (int row = 0; row < rows && lengths[row / kWarp] > k; ++row) {
      const std::vector<Element>& own = matrix[order[row]];
      const bool used = k < static_cast<int>(own.size());
      columns.push_back(used ? own[k].column : 0);
      values.push_back(used ? own[k].value : 0.0f);
    }
  }
  const std::vector<float> x = random.units(rows);
  DeviceArray<float> device_values(values), device_x(x), y(rows);
  DeviceArray<int> device_columns(columns), device_start(start), device_lengths(lengths),
      device_order(order);
  multiply<<<blocks_for(rows, kBlock), kBlock>>>(device_values.get(), device_columns.get(),
                                                 device_start.get(), device_lengths.get(),
                                                 device_order.get(), device_x.get(), y.get(), rows);
  finish("multiply");

  const std::vector<float> found = y.host();
  long wrong = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (const Element& element : matrix[row]) sum += double(element.value) * x[element.column];
    wrong += !near(found[row], sum, 1e-4);
  }
  return verdict(wrong, rows);
}
