// cuda::ptx: copies that complete transactions of a barrier, in global, shared and tensor memory,
// and the special registers. Prints PASS or the failed check.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/ptx>

#include "check.h"

namespace ptx = cuda::ptx;

constexpr int kCount = 512;

__device__ void wait(std::uint64_t* bar, std::uint32_t parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, bar, parity)) {}
}

// Adds 1 to each part of a row, by a bulk copy there and back; counts the sum in total.
__global__ void bulk(int* data, int* total, int* numbers) {
  __shared__ alignas(16) int part[kCount], sum[4];
  __shared__ std::uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, blockDim.x);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  if (threadIdx.x < 4) sum[threadIdx.x] = 0;
  __syncthreads();
  int* const row = data + blockIdx.x * kCount;
  std::uint64_t state;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, row, sizeof part, &bar);
    state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &bar, sizeof part);
  } else {
    state = ptx::mbarrier_arrive(&bar);
  }
  while (!ptx::mbarrier_try_wait(&bar, state)) {}
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) atomicAdd(&sum[0], ++part[i]);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, row, part, sizeof part);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, sum,
                              sizeof sum);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
  numbers[blockIdx.x * blockDim.x + threadIdx.x] =
      ptx::get_sreg_ctaid_x() * ptx::get_sreg_ntid_x() + ptx::get_sreg_tid_x();
}

// Doubles a box of a tensor.
__global__ void box(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) float tile[8][32];
  __shared__ std::uint64_t bar;
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1);
  __syncthreads();
  const std::int32_t at[2] = {x, y};
#ifdef __NVCC__  // from CUDA 13.1 on
  const bool elected = threadIdx.x == 0;
#else
  const bool elected = ptx::elect_sync(~0u);
#endif
  if (elected) {
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof tile);
  }
  wait(&bar, 0);
  for (auto& row : tile) row[threadIdx.x] *= 2;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Each block of a pair stores its rank in the other one.
__global__ void __cluster_dims__(2) pair(int* out) {
  __shared__ alignas(8) int got;
  __shared__ std::uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 4);
  }
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  auto cluster = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(ptx::get_sreg_cluster_ctarank());
  if (threadIdx.x == 0) {
    int* const there = cluster.map_shared_rank(&got, rank ^ 1);
    if (ptx::getctarank(ptx::space_cluster, there) != unsigned(rank ^ 1)) ptx::trap();
    ptx::st_async(there, rank + 5, cluster.map_shared_rank(&bar, rank ^ 1));
  }
  wait(&bar, 0);
  if (threadIdx.x == 0) out[blockIdx.x] = got;
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

int main() {
  int *data, *total, *numbers;
  OK(cudaMallocManaged(&data, 2 * kCount * sizeof(int)));
  OK(cudaMallocManaged(&total, 16));
  OK(cudaMallocManaged(&numbers, 256 * sizeof(int)));
  long long sum = 0;
  for (int i = 0; i < 2 * kCount; ++i) data[i] = i, sum += i + 1;
  for (int i = 0; i < 4; ++i) total[i] = 0;
  bulk<<<2, 128>>>(data, total, numbers);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 2 * kCount; ++i) check(data[i] == i + 1, "cp_async_bulk");
  for (int i = 0; i < 256; ++i) check(numbers[i] == i, "special registers");
  check(total[0] == sum && total[1] == 0, "cp_reduce_async_bulk");

  float* tensor;
  OK(cudaMallocManaged(&tensor, 64 * 64 * sizeof(float)));
  for (int i = 0; i < 64 * 64; ++i) tensor[i] = i;
  CUtensorMap map;
  const cuuint64_t sizes[2] = {64, 64}, strides[1] = {256};
  const cuuint32_t extent[2] = {32, 8}, steps[2] = {1, 1};
  check(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, tensor, sizes, strides,
                               extent, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
        "the map is encoded");
  box<<<1, 32>>>(map, 16, 40);
  OK(cudaDeviceSynchronize());
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const bool inside = x >= 16 && x < 48 && y >= 40 && y < 48;
      check(tensor[y * 64 + x] == (y * 64 + x) * (inside ? 2 : 1), "cp_async_bulk_tensor");
    }

  pair<<<2, 32>>>(numbers);
  OK(cudaDeviceSynchronize());
  check(numbers[0] == 6 && numbers[1] == 5, "st_async");
  return report();
}
