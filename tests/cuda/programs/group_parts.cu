// Parts of a group know their count and index; a group updates an atomic variable once. Prints PASS
// or FAIL.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kItems = 8;
__device__ cuda::atomic<int, cuda::thread_scope_device> sum{0}, most{0}, counter{100};

template <class Group>
__device__ int place(const Group& group) {
  return static_cast<int>(group.meta_group_rank() * 100 + group.meta_group_size());
}

__global__ void part(int* answers) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  int* mine = answers + kItems * lane;
  const auto thirds = cg::binary_partition(warp, lane % 3 == 0);
  mine[0] = place(thirds);
  mine[1] = place(cg::binary_partition(warp, true));
  mine[2] = place(cg::labeled_partition(warp, 4 - lane % 5));
  mine[3] = place(cg::tiled_partition(thirds, 4));
  mine[4] = place(cg::coalesced_threads());
  cg::reduce_update_async(warp, sum, lane, cg::plus<int>());
  cg::reduce_store_async(warp, most, lane, cg::greater<int>());
  mine[5] = cg::inclusive_scan_update(warp, counter, lane, cg::plus<int>());
  mine[6] = cg::exclusive_scan_update(warp, counter, 1);
  warp.sync();
  mine[7] = sum.load() + 1000 * most.load() + 100000 * counter.load();
}

int main() {
  int* answers = nullptr;
  cudaMallocManaged(&answers, 32 * kItems * sizeof *answers);
  part<<<1, 32>>>(answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (int lane = 0; lane < 32; ++lane) {
    const bool third = lane % 3 == 0;
    const int rank = third ? lane / 3 : lane - lane / 3 - 1, size = third ? 11 : 21;
    const int expected[kItems] = {third ? 102 : 2,
                                  1,
                                  lane % 5 * 100 + 5,
                                  rank / 4 * 100 + (size + 3) / 4,
                                  1,
                                  100 + lane * (lane + 1) / 2,
                                  596 + lane,
                                  496 + 31000 + 62800000};
    for (int i = 0; i < kItems; ++i)
      if (answers[kItems * lane + i] != expected[i])
        ++mistakes, std::printf("lane %d, item %d: %d, expected %d\n", lane, i,
                                answers[kItems * lane + i], expected[i]);
  }
  return report();
}
