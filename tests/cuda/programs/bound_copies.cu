// Copies that a barrier waits for: by a thread's pipeline, to a barrier in global memory, and of
// boxes of a tensor by libcu++'s names (sm_90).
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.h"

namespace bulk = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 256;

// Two arrivals of each thread at once.
__global__ void by_pipeline(int* out, const int* in, int n) {
  __shared__ block_barrier arrived;
  __shared__ int copied[kThreads];
  if (threadIdx.x == 0) init(&arrived, 2 * blockDim.x);
  __syncthreads();
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    cuda::memcpy_async(&copied[threadIdx.x], &in[i * kThreads + threadIdx.x], sizeof(int),
                       pipeline);
    cuda::pipeline_producer_commit(pipeline, arrived);
    arrived.wait(arrived.arrive(2));
    sum += copied[(threadIdx.x + 7) % kThreads];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void to_global_memory(int* out, const int* in, int n, block_barrier* arrived) {
  __shared__ int copied[kThreads];
  if (threadIdx.x == 0) init(arrived, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    cuda::memcpy_async(&copied[threadIdx.x], &in[i * kThreads + threadIdx.x], sizeof(int),
                       *arrived);
    arrived->arrive_and_wait();
    sum += copied[(threadIdx.x + 9) % kThreads];
    arrived->arrive_and_wait();
  }
  if (threadIdx.x >= 200) {
    arrived->arrive_and_wait();
    arrived->arrive_and_wait();
  } else {
    arrived->arrive_and_drop();
  }
  out[threadIdx.x] = sum;
}

// Adds 1 to each element of a box of 16 x 16 integers.
__global__ void box(const __grid_constant__ CUtensorMap map) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(128) int tile[16][16];
  __shared__ block_barrier loaded;
  if (threadIdx.x == 0) {
    init(&loaded, blockDim.x);
    bulk::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  block_barrier::arrival_token token;
  const int x = 16 * blockIdx.x, y = 16 * blockIdx.y;
  if (threadIdx.x == 0) {
    bulk::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, loaded);
    token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof tile);
  } else {
    token = loaded.arrive();
  }
  loaded.wait(std::move(token));
  ++tile[threadIdx.x / 16][threadIdx.x % 16];
  bulk::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    bulk::cp_async_bulk_commit_group();
    bulk::cp_async_bulk_wait_group_read<0>();
  }
  // A barrier of a block is one word, an mbarrier.
  static_assert(sizeof(block_barrier) == 8);
  if (threadIdx.x != 0) return;
  unsigned pending;
  asm volatile(
      "{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%1];\n"
      "mbarrier.pending_count.b64 %0, state;\n}"
      : "=r"(pending)
      : "l"(__cvta_generic_to_shared(cuda::device::barrier_native_handle(loaded))));
  if (pending != blockDim.x) __trap();
#endif
}

void test_box(int* values) {
  constexpr int kRows = 32, kColumns = 48;
  for (int i = 0; i < kRows * kColumns; ++i) values[i] = 3 * i;
  CUtensorMap map;
  const cuuint64_t sizes[] = {kColumns, kRows}, strides[] = {kColumns * sizeof(int)};
  const cuuint32_t lengths[] = {16, 16}, steps[] = {1, 1};
  EXPECT(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, values, sizes, strides,
                                lengths, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  box<<<dim3(kColumns / 16, kRows / 16), kThreads>>>(map);
  OK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kRows * kColumns; ++i) wrong += values[i] != 3 * i + 1;
  EXPECT(wrong == 0);
}

int main() {
  constexpr int kRounds = 8;
  int *in, *out;
  cudaMallocManaged(&in, kRounds * kThreads * sizeof *in);
  cudaMallocManaged(&out, kThreads * sizeof *out);
  for (int i = 0; i < kRounds * kThreads; ++i) in[i] = i * 7 % 1013;
  block_barrier* arrived;
  cudaMalloc(&arrived, sizeof *arrived);
  const auto test = [&](auto kernel, int neighbour, auto... rest) {
    kernel<<<1, kThreads>>>(out, in, kRounds, rest...);
    OK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < kThreads; ++t) {
      for (int i = 0; i < kRounds; ++i) out[t] -= in[i * kThreads + (t + neighbour) % kThreads];
      wrong += out[t] != 0;
    }
    EXPECT(wrong == 0);
  };
  test(by_pipeline, 7);
  test(to_global_memory, 9, arrived);
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, by_pipeline));
  if (attributes.ptxVersion >= 90) test_box(in);
  return report();
}
