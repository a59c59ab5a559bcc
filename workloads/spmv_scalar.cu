// Sparse matrix times vector, one row per thread: every lane reads its own row, so each load
// touches up to 32 lines, and the same warp reuses a line in its next iterations.
#include "csr.h"

using namespace workload;

template <class Vector>
__global__ void multiply_rows(const int* row_start, const int* column, const float* value, Vector x,
                              float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  const int end = row_start[row + 1];
#pragma unroll 1
  for (int i = row_start[row]; i < end; ++i) sum += value[i] * x[column[i]];
  y[row] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "spmv_scalar",
                    {{"rows", 384, 23040, 8192},
                     {"average", 12, 20, 82},
                     {"lengths", 1, 1, 2},
                     {"vector", 1, 1, 2},
                     {"block", 192, 192, 128},
                     {"rounds", 1, 1, 1}});
  const int block = sizes[4];
  Random random(3);
  const CsrMatrix matrix =
      random_matrix(random, sizes[0], sizes[1], static_cast<Lengths>(sizes[2]));
  const std::vector<float> x = random.units(matrix.rows);

  DeviceArray<int> row_start(matrix.row_start), column(matrix.column);
  DeviceArray<float> value(matrix.value), device_x(x), y(matrix.rows);
  const auto multiply = [&](auto vector) {
    for (int round = 0; round < sizes[5]; ++round)
      multiply_rows<<<blocks_for(matrix.rows, block), block>>>(
          row_start.get(), column.get(), value.get(), vector, y.get(), matrix.rows);
  };
  if (sizes[3] == 2)
    multiply(texture_of(device_x.get(), matrix.rows));
  else
    multiply(GlobalVector{device_x.get()});
  finish("multiply_rows");
  return verdict(wrong_rows(matrix, x, y.host()), matrix.rows);
}
