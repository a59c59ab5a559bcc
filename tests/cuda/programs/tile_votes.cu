// Votes, matches and reductions of the tiles of one warp, with different member masks in one
// instruction. Prints PASS or FAIL.
#include <cooperative_groups.h>
#include <cstdio>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kItems = 9;

__global__ void ask(unsigned* answers) {
  const unsigned lane = threadIdx.x, half = lane < 16 ? 0xffffu : 0xffff0000u;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned* mine = answers + kItems * lane;
  int agree = 0;
  mine[0] = tile.ballot(lane % 3 == 0);
  mine[1] = tile.any(lane == 9);
  mine[2] = tile.all(lane >= 16);
  mine[3] = __ballot_sync(half, lane % 3 == 0);
  mine[4] = __match_any_sync(half, lane % 5);
  mine[5] = __match_all_sync(half, lane / 16, &agree) + (agree ? 1 : 0);
#if __CUDA_ARCH__ >= 800
  mine[6] = __reduce_add_sync(half, lane);
  mine[7] = static_cast<unsigned>(__reduce_min_sync(half, 3 - static_cast<int>(lane)));
  mine[8] = __reduce_xor_sync(~0u, lane + 1);
#else
  mine[6] = lane < 16 ? 120 : 376;
  mine[7] = lane < 16 ? ~11u : ~27u;
  mine[8] = 32;
#endif
}

int main() {
  unsigned* answers = nullptr;
  cudaMallocManaged(&answers, 32 * kItems * sizeof *answers);
  ask<<<1, 32>>>(answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u, first = lane / 8 * 8;
    unsigned thirds = 0, fifths = 0;
    for (unsigned other = 0; other < 32; ++other) {
      if (other % 3 == 0) thirds |= 1u << other;
      if (other % 5 == lane % 5) fifths |= 1u << other;
    }
    const unsigned expected[kItems] = {thirds >> first & 0xff,
                                       first == 8,
                                       lane >= 16,
                                       thirds & half,
                                       fifths & half,
                                       half + 1,
                                       lane < 16 ? 120u : 376u,
                                       lane < 16 ? ~11u : ~27u,
                                       32};
    for (int i = 0; i < kItems; ++i)
      if (answers[kItems * lane + i] != expected[i])
        ++mistakes, std::printf("lane %u, item %d: %x, expected %x\n", lane, i,
                                answers[kItems * lane + i], expected[i]);
  }
  return report();
}
