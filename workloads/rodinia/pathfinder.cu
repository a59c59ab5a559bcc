// The cheapest path through a grid, row by row, as Rodinia's pathfinder: a launch computes
// `pyramid` rows. A CTA of 256 threads keeps its columns in shared memory and loses one on each
// side per row, so that CTAs overlap; two barriers per row.
#include <algorithm>
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void rows(const int* wall, const int* source, int* result, int columns, int first_row,
                     int steps, int border) {
  __shared__ int previous[kBlock], next[kBlock];
  const int thread = threadIdx.x, own = kBlock - 2 * border;
  const int column = blockIdx.x * own - border + thread;
  const bool inside = column >= 0 && column < columns;
  const int first = max(0, border - int(blockIdx.x) * own),
            last = min(kBlock - 1, columns - 1 - int(blockIdx.x) * own + border);
  const int west = max(thread - 1, first), east = min(thread + 1, last);
  if (inside) previous[thread] = source[column];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (thread >= i + 1 && thread <= kBlock - 2 - i && inside) {
      computed = true;
      const int shortest = min(min(previous[west], previous[thread]), previous[east]);
      next[thread] = shortest + wall[columns * (first_row + i) + column];
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) previous[thread] = next[thread];
    __syncthreads();
  }
  // The columns of the border belong to the neighbours, which compute the same values.
  if (computed && thread >= border && thread < border + own) result[column] = next[thread];
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "pathfinder",
      {{"columns", 1000, 20000, 100000}, {"rows", 9, 41, 100}, {"pyramid", 4, 20, 20}});
  const int columns = sizes[0], height = sizes[1], pyramid = std::min(sizes[2], kBlock / 2 - 2);
  Random random(82);
  std::vector<int> wall(std::size_t(columns) * height);
  for (int& cost : wall) cost = random.below(10);
  std::vector<int> costs(wall.begin(), wall.begin() + columns);
  DeviceArray<int> device_wall(wall), from(costs), to(costs);
  int *now = from.get(), *then = to.get();
  for (int row = 1; row < height; row += pyramid) {
    rows<<<blocks_for(columns, kBlock - 2 * pyramid), kBlock>>>(
        device_wall.get(), now, then, columns, row, std::min(pyramid, height - row), pyramid);
    std::swap(now, then);
  }
  finish("rows");

  std::vector<int> next(columns), found(columns);
  for (int row = 1; row < height; ++row) {
    for (int x = 0; x < columns; ++x) {
      const int least =
          std::min({costs[std::max(x - 1, 0)], costs[x], costs[std::min(x + 1, columns - 1)]});
      next[x] = least + wall[std::size_t(row) * columns + x];
    }
    std::swap(costs, next);
  }
  check(cudaMemcpy(found.data(), now, columns * sizeof(int), cudaMemcpyDeviceToHost), "result");
  long wrong = 0;
  for (int x = 0; x < columns; ++x) wrong += found[x] != costs[x];
  return verdict(wrong, columns);
}
