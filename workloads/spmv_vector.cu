// Sparse matrix times vector, one row per warp: the lanes read adjacent elements and add their sums
// through shared memory.
#include "csr.h"

using namespace workload;

constexpr int kWarp = 32;

// Before compute capability 7.0 the lanes of a warp run in lock step.
__device__ inline void warp_barrier() {
#if __CUDA_ARCH__ >= 700
  __syncwarp();
#endif
}

template <class Vector>
__global__ void multiply_rows(const int* row_start, const int* column, const float* value, Vector x,
                              float* y, int rows) {
  extern __shared__ volatile float partial[];
  const int t = threadIdx.x, lane = t % kWarp;
  const int row = blockIdx.x * (blockDim.x / kWarp) + t / kWarp;
  if (row >= rows) return;
  float sum = 0.0f;
  const int end = row_start[row + 1];
#pragma unroll 1
  for (int i = row_start[row] + lane; i < end; i += kWarp) sum += value[i] * x[column[i]];
  partial[t] = sum;
  for (int step = kWarp / 2; step > 0; step /= 2) {
    warp_barrier();
    if (lane < step) partial[t] = sum = sum + partial[t + step];
  }
  if (lane == 0) y[row] = sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "spmv_vector",
                    {{"rows", 96, 5760, 8192},
                     {"average", 48, 82, 82},
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
      multiply_rows<<<blocks_for(matrix.rows, block / kWarp), block, block * sizeof(float)>>>(
          row_start.get(), column.get(), value.get(), vector, y.get(), matrix.rows);
  };
  if (sizes[3] == 2)
    multiply(texture_of(device_x.get(), matrix.rows));
  else
    multiply(GlobalVector{device_x.get()});
  finish("multiply_rows");
  return verdict(wrong_rows(matrix, x, y.host()), matrix.rows);
}
