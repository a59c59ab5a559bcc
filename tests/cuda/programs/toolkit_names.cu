// Names of CUDA's headers that are rarely used, and variadic device functions. Prints PASS or FAIL.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdarg>
#include <cstdio>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kAnswers = 9, kThreads = 64;

struct Large {
  int values[4];
};

__device__ __noinline__ double sum(int count, ...) {
  va_list list;
  va_start(list, count);
  double total = 0;
  for (int i = 0; i < count; ++i) {
    total += va_arg(list, int);
    total += va_arg(list, double);
  }
  va_end(list);
  return total;
}

__global__ void __maxnreg__(64)
    name(const __grid_constant__ Large given, const int* from, int* answers) {
  __shared__ int copied[kThreads], once;
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<32>(block);
  const int thread = static_cast<int>(threadIdx.x);
  copied[thread] = -1;
  cg::invoke_one(block, [](int* to, int value) { *to = value; }, &once, 5);
  block.sync();
  cg::memcpy_async(block, copied, 0 + kThreads, from, 40);
  cg::wait(block);
  block.sync();
  int* const mine = answers + kAnswers * (kThreads * static_cast<int>(blockIdx.x) + thread);
  mine[0] = copied[thread];
  mine[1] = once;
  mine[2] = cg::invoke_one_broadcast(tile, [](int value) { return value; }, thread);
  mine[3] = static_cast<int>(cg::this_thread().size() * 10 + cg::this_thread().thread_rank());
  mine[4] = static_cast<int>(grid.num_clusters() * 10 + grid.cluster_rank());
  mine[5] = static_cast<int>(grid.dim_clusters().x * 10 + grid.cluster_index().x);
  mine[6] = given.values[2];
  mine[7] = static_cast<int>(4 * sum(2, thread, 2.5, 3, 4.25));
  mine[8] = static_cast<int>(sum(0));
}

__global__ void wait_for_copies(const int* from, int* answers) {
  __shared__ int copied[kThreads];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&copied[threadIdx.x], &from[threadIdx.x], sizeof(int));
  __pipeline_arrive_on(&barrier);
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, false, 1000)) {}
  answers[threadIdx.x] = copied[threadIdx.x ^ 33];
}

int main() {
  int *from = nullptr, *answers = nullptr;
  cudaMallocManaged(&from, kThreads * sizeof *from);
  cudaMallocManaged(&answers, 2 * kThreads * kAnswers * sizeof *answers);
  for (int i = 0; i < kThreads; ++i) from[i] = 3 * i;
  name<<<2, kThreads>>>(Large{{7, 8, 9, 10}}, from, answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (int i = 0; i < 2 * kThreads; ++i) {
    const int thread = i % kThreads, block = i / kThreads;
    const int expected[kAnswers] = {thread < 40 ? 3 * thread : -1,
                                    5,
                                    thread / 32 * 32,
                                    10,
                                    20 + block,
                                    20 + block,
                                    9,
                                    4 * thread + 39,
                                    0};
    for (int n = 0; n < kAnswers; ++n)
      if (answers[kAnswers * i + n] != expected[n])
        std::printf("thread %d, answer %d: %d, not %d\n", i, n, answers[kAnswers * i + n],
                    expected[n]),
            ++mistakes;
  }
  wait_for_copies<<<1, kThreads>>>(from, answers);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (int i = 0; i < kThreads; ++i) mistakes += answers[i] != 3 * (i ^ 33);
  return report();
}
