// Tiles of more than a warp, which nvcc's headers build on barriers and exchanges in reserved shared memory. Prints PASS or FAIL.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int* out) {
  __shared__ int own[128];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  own[threadIdx.x] = static_cast<int>(tile.thread_rank());
  tile.sync();
  const int neighbour = own[threadIdx.x ^ 32];
  out[threadIdx.x] = cg::reduce(tile, neighbour + 1000 * static_cast<int>(tile.meta_group_rank()), cg::plus<int>());
}

int main() {
  int *device = nullptr, sum[128], mistakes = 0;
  cudaMalloc(&device, sizeof sum);
  sums<<<2, 128>>>(device);
  if (cudaMemcpy(sum, device, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) ++mistakes;
  for (int i = 0; i < 128; ++i) mistakes += sum[i] != 63 * 32 + 64000 * (i / 64);
  std::printf("%s\n", mistakes ? "FAIL" : "PASS");
  return mistakes;
}
