// Tiles of several warps, which synchronize and exchange values through shared memory. Prints PASS
// or FAIL.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int* out) {
  __shared__ int own[128];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  own[threadIdx.x] = static_cast<int>(tile.thread_rank());
  tile.sync();
  const int neighbour = own[threadIdx.x ^ 32];
  out[threadIdx.x] = cg::reduce(tile, neighbour + 1000 * static_cast<int>(tile.meta_group_rank()),
                                cg::plus<int>());
}

// Every member's rank, with every function of a tile of 128; tiles of a tile; the second tile does
// more than the first.
__global__ void everything(int* wrong) {
  __shared__ cg::block_tile_memory<512> room;
  const auto block = cg::this_thread_block(room);
  const auto tile = cg::tiled_partition<128>(block);
  const int rank = static_cast<int>(tile.thread_rank());
  int mistakes = 0;
  mistakes += tile.size() != 128 || tile.meta_group_size() != 4 ||
              tile.meta_group_rank() != threadIdx.x / 128 ||
              rank != static_cast<int>(threadIdx.x % 128);
  mistakes += tile.shfl(rank * 3, 77) != 231;
  mistakes += !tile.any(rank == 100) || tile.any(rank == 128) || tile.all(rank != 5) ||
              !tile.all(rank < 128);
  mistakes += cg::reduce(tile, static_cast<double>(rank), cg::plus<double>()) != 8128.0;
  mistakes += cg::reduce(tile, rank ^ 85, cg::greater<int>()) != 127;
  mistakes += cg::inclusive_scan(tile, rank, cg::plus<int>()) != rank * (rank + 1) / 2;
  mistakes += cg::exclusive_scan(tile, rank, cg::plus<int>()) != rank * (rank - 1) / 2;
  const auto half = cg::tiled_partition<64>(tile);
  mistakes +=
      half.meta_group_size() != 2 || half.meta_group_rank() != static_cast<unsigned int>(rank) / 64;
  if (tile.meta_group_rank() == 1) {
    for (int i = 0; i < 5; ++i) mistakes += cg::reduce(half, i, cg::plus<int>()) != 64 * i;
  }
  const auto warp = cg::tiled_partition<32>(half);
  mistakes += warp.meta_group_size() != 2 || cg::reduce(warp, 1, cg::plus<int>()) != 32;
  if (mistakes) atomicAdd(wrong, 1);
}

int main() {
  int *device = nullptr, sum[128], wrong = 0, mistakes = 0;
  cudaMalloc(&device, sizeof sum);
  sums<<<2, 128>>>(device);
  if (cudaMemcpy(sum, device, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) ++mistakes;
  for (int i = 0; i < 128; ++i) mistakes += sum[i] != 63 * 32 + 64000 * (i / 64);
  cudaMemset(device, 0, sizeof(int));
  everything<<<3, 512>>>(device);
  if (cudaMemcpy(&wrong, device, sizeof wrong, cudaMemcpyDeviceToHost) != cudaSuccess) ++mistakes;
  std::printf("%s\n", mistakes || wrong ? "FAIL" : "PASS");
  return mistakes;
}
