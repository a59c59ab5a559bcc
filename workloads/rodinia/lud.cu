// LU decomposition in place without pivoting, as Rodinia's LUD: tiles of 16x16. Three launches per
// step: the tile on the diagonal (a CTA of 16 threads), the tiles of its row and its column (CTAs
// of 32 threads), and the product for all tiles below and right of it (CTAs of 16x16 threads).
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kTile = 16;

__device__ inline void factor(float (&tile)[kTile][kTile], int thread) {
  for (int k = 0; k < kTile - 1; ++k) {
    if (thread > k) {
      for (int i = 0; i < k; ++i) tile[thread][k] -= tile[thread][i] * tile[i][k];
      tile[thread][k] /= tile[k][k];
    }
    __syncthreads();
    if (thread > k)
      for (int i = 0; i < k + 1; ++i) tile[k + 1][thread] -= tile[k + 1][i] * tile[i][thread];
    __syncthreads();
  }
}

__global__ void diagonal(float* matrix, int size, int from) {
  __shared__ float tile[kTile][kTile];
  const int thread = threadIdx.x;
  float* corner = matrix + from * size + from;
  for (int row = 0; row < kTile; ++row) tile[row][thread] = corner[row * size + thread];
  __syncthreads();
  factor(tile, thread);
  for (int row = 1; row < kTile; ++row) corner[row * size + thread] = tile[row][thread];
}

// Threads 0 to 15 compute a column each of a tile right of the diagonal, the others a row each of
// the tile below the diagonal.
__global__ void perimeter(float* matrix, int size, int from) {
  __shared__ float tile[kTile][kTile], right[kTile][kTile], below[kTile][kTile];
  const int lane = threadIdx.x % kTile, away = (blockIdx.x + 1) * kTile;
  float* corner = matrix + from * size + from;
  if (threadIdx.x < kTile) {
    for (int row = 0; row < kTile; ++row) {
      tile[row][lane] = corner[row * size + lane];
      right[row][lane] = corner[row * size + away + lane];
    }
  } else {
    for (int row = 0; row < kTile; ++row) below[row][lane] = corner[(away + row) * size + lane];
  }
  __syncthreads();
  if (threadIdx.x < kTile) {
    for (int row = 1; row < kTile; ++row)
      for (int k = 0; k < row; ++k) right[row][lane] -= tile[row][k] * right[k][lane];
  } else {
    for (int column = 0; column < kTile; ++column) {
      for (int k = 0; k < column; ++k) below[lane][column] -= below[lane][k] * tile[k][column];
      below[lane][column] /= tile[column][column];
    }
  }
  __syncthreads();
  if (threadIdx.x < kTile) {
    for (int row = 1; row < kTile; ++row) corner[row * size + away + lane] = right[row][lane];
  } else {
    for (int row = 0; row < kTile; ++row) corner[(away + row) * size + lane] = below[row][lane];
  }
}

__global__ void inner(float* matrix, int size, int from) {
  __shared__ float right[kTile][kTile], below[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = from + (blockIdx.y + 1) * kTile + y,
            column = from + (blockIdx.x + 1) * kTile + x;
  right[y][x] = matrix[(from + y) * size + column];
  below[y][x] = matrix[row * size + from + x];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum += below[y][k] * right[k][x];
  matrix[row * size + column] -= sum;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "lud", {{"size", 64, 256, 256}});
  const int size = blocks_for(sizes[0], kTile) * kTile;
  Random random(85);
  std::vector<float> matrix = random.units(std::size_t(size) * size);
  for (int i = 0; i < size; ++i) matrix[std::size_t(i) * size + i] += float(size);
  DeviceArray<float> device(matrix);
  for (int from = 0; from < size; from += kTile) {
    diagonal<<<1, kTile>>>(device.get(), size, from);
    const int rest = (size - from) / kTile - 1;
    if (rest == 0) break;
    perimeter<<<rest, 2 * kTile>>>(device.get(), size, from);
    inner<<<dim3(rest, rest), dim3(kTile, kTile)>>>(device.get(), size, from);
  }
  finish("diagonal");

  // The product of the two factors is the matrix.
  const std::vector<float> found = device.host();
  long wrong = 0;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      double sum = y <= x ? found[std::size_t(y) * size + x] : 0.0;
      for (int k = 0; k < std::min(y, x + 1); ++k)
        sum += double(found[std::size_t(y) * size + k]) * found[std::size_t(k) * size + x];
      wrong += !near(sum, matrix[std::size_t(y) * size + x], 1e-4);
    }
  }
  return verdict(wrong, static_cast<long>(found.size()));
}
