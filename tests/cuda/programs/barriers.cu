// Barriers, pipelines and asynchronous copies of blocks. nvcc compiles them to mbarrier
// instructions from sm_80 on, and to bulk copies from sm_90 on.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>

#include "check.h"
namespace cg = cooperative_groups;
__global__ void every_thread_copies(int* out, const int* in, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int buf[256];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int s = 0;
  for (int i = 0; i < n; ++i) {
    cuda::memcpy_async(&buf[threadIdx.x], &in[i * 256 + threadIdx.x], sizeof(int), bar);
    bar.arrive_and_wait();
    s += buf[(threadIdx.x + 1) % 256];
    auto t = bar.arrive();
    s += 1;
    bar.wait(std::move(t));
  }
  out[threadIdx.x] = s;
}
__global__ void a_block_fills_stages(int* out, const int* in, int n) {
  auto block = cg::this_thread_block();
  constexpr int S = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> st;
  __shared__ alignas(16) int buf[S][256];
  auto pipe = cuda::make_pipeline(block, &st);
  int s = 0;
  int fetch = 0;
  for (int i = 0; i < n; ++i) {
    for (; fetch < n && fetch < i + S; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buf[fetch % S], in + fetch * 256,
                         cuda::aligned_size_t<16>(sizeof(int) * 256), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    s += buf[i % S][(threadIdx.x + 3) % 256];
    pipe.consumer_release();
  }
  out[threadIdx.x] = s;
}
__global__ void groups_copy_and_some_drop_out(int* out, const int* in, int n) {
  __shared__ alignas(128) int buf[1024];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  block.sync();
  int s = 0;
  for (int i = 0; i < n; ++i) {
    cuda::memcpy_async(block, buf, in + i * 256, cuda::aligned_size_t<16>(1024), bar);
    bar.arrive_and_wait();
    s += buf[(threadIdx.x + 5) % 256];
    block.sync();
  }
  cg::memcpy_async(block, buf, in, 1024);
  cg::wait(block);
  s += buf[threadIdx.x ^ 1];
  if (threadIdx.x % 2)
    bar.arrive_and_drop();
  else
    bar.arrive_and_wait();
  out[threadIdx.x] = s;
}
__global__ void half_produces_half_consumes(int* out, const int* in, int n) {
  auto block = cg::this_thread_block();
  constexpr int S = 4;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> st;
  __shared__ int buf[S][128];
  bool producer = threadIdx.x < 128;
  auto pipe = cuda::make_pipeline(
      block, &st, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int s = 0;
  if (producer)
    for (int i = 0; i < n; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buf[i % S][threadIdx.x], in + i * 128 + threadIdx.x, 4, pipe);
      pipe.producer_commit();
    }
  else
    for (int i = 0; i < n; ++i) {
      pipe.consumer_wait();
      s += buf[i % S][(threadIdx.x + 3) % 128];
      pipe.consumer_release();
    }
  out[threadIdx.x] = s;
}
template <class Kernel, class Expected>
static void check(const char* name, Kernel kernel, int first, int* out, const int* in, int n,
                  Expected expected) {
  kernel<<<1, 256>>>(out, in, n);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int t = first; t < 256; ++t) wrong += out[t] != expected(t);
  if (wrong) ++mistakes, std::printf("%s: %d wrong\n", name, wrong);
}

int main() {
  const int n = 8;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int i = 0; i < n * 256; ++i) in[i] = i * 7 % 1013;
  const auto sum = [&](int width, int at) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += in[i * width + at % width];
    return s;
  };
  check("every thread copies", every_thread_copies, 0, out, in, n,
        [&](int t) { return sum(256, t + 1) + n; });
  check("a block fills stages", a_block_fills_stages, 0, out, in, n,
        [&](int t) { return sum(256, t + 3); });
  check("groups copy", groups_copy_and_some_drop_out, 0, out, in, n,
        [&](int t) { return sum(256, t + 5) + in[t ^ 1]; });
  check("half produces", half_produces_half_consumes, 128, out, in, n,
        [&](int t) { return sum(128, t + 3); });
  return report();
}
