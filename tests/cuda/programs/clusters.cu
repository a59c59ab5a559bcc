// A cluster is one block, for every member of its group. Prints PASS or FAIL.
#include <cooperative_groups.h>
#include <cstdio>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kAnswers = 12;

__global__ void describe(int* answers) {
  __shared__ int word, copied;
  const cg::cluster_group cluster = cg::this_cluster();
  const int thread = static_cast<int>(cluster.thread_rank());
  if (thread == 5) word = 70 + static_cast<int>(blockIdx.x);
  cluster.sync();
  int* const other = cluster.map_shared_rank(&word, 0);
  if (thread == 9) copied = *other + static_cast<int>(cluster.query_shared_rank(other));
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
  if (thread != 40) return;
  int* const mine = answers + kAnswers * blockIdx.x;
  const int values[kAnswers] = {static_cast<int>(cluster.block_rank()),
                                static_cast<int>(cluster.num_blocks()),
                                static_cast<int>(cluster.block_index().x + cluster.block_index().y),
                                static_cast<int>(cluster.dim_blocks().x),
                                static_cast<int>(cluster.dim_blocks().y * cluster.dim_blocks().z),
                                static_cast<int>(cluster.num_threads()),
                                static_cast<int>(cluster.size()),
                                static_cast<int>(cluster.dim_threads().y),
                                static_cast<int>(cluster.thread_index().x),
                                static_cast<int>(cluster.thread_index().y),
                                copied,
                                thread};
  for (int i = 0; i < kAnswers; ++i) mine[i] = values[i];
}

int main() {
  int* answers = nullptr;
  if (cudaMallocManaged(&answers, 3 * kAnswers * sizeof *answers) != cudaSuccess) ++mistakes;
  describe<<<3, dim3(32, 2)>>>(answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (int block = 0; block < 3; ++block) {
    const int expected[kAnswers] = {0, 1, 0, 1, 1, 64, 64, 2, 8, 1, 70 + block, 40};
    for (int i = 0; i < kAnswers; ++i)
      if (answers[kAnswers * block + i] != expected[i])
        std::printf("block %d, answer %d: %d, not %d\n", block, i, answers[kAnswers * block + i],
                    expected[i]),
            ++mistakes;
  }
  return report();
}
