// cuda::atomic, barrier, pipeline, latch, semaphore and cuda::std in kernels and on the host, with
// known results.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <utility>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void count(cuda::atomic<int, cuda::thread_scope_device>* sum, unsigned int* plain,
                      double* real, unsigned int* last) {
  sum->fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> most(*plain);
  most.fetch_max(blockIdx.x * blockDim.x + threadIdx.x);
  cuda::atomic_ref<double, cuda::thread_scope_device>(*real).fetch_add(0.5);
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> seen(*last);
  unsigned int expected = seen.load();
  while (!seen.compare_exchange_weak(expected, expected + 2)) {}
}

// Every thread writes its number; after the barrier it reads another's. Four rounds use four
// phases.
__global__ void rounds(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int numbers[2][128];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int value = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    numbers[r & 1][threadIdx.x] = value;
    auto token = bar.arrive();
    const int mine = 10 * r;
    bar.wait(std::move(token));
    value = numbers[r & 1][(threadIdx.x + 1) % blockDim.x] + mine;
  }
  out[threadIdx.x] = value;
}

// Copies of a whole block, complete when the phase of the barrier ends.
__global__ void tiles(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) int tile[128];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

// A thread's own pipeline of two stages, and one of the block.
__global__ void stages(const int* in, int* own, int* shared) {
  __shared__ int mine[2][128];
  auto pipe = cuda::make_pipeline();
  for (int s = 0; s < 2; ++s) {
    pipe.producer_acquire();
    cuda::memcpy_async(&mine[s][threadIdx.x], &in[128 * s + threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
  }
  int sum = 0;
  for (int s = 0; s < 2; ++s) {
    pipe.consumer_wait();
    sum = 3 * sum + mine[s][threadIdx.x];
    pipe.consumer_release();
  }
  own[threadIdx.x] = sum;

  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  alignas(16) __shared__ int ours[2][128];
  const cg::thread_block block = cg::this_thread_block();
  auto all = cuda::make_pipeline(block, &state);
  int total = 0;
  for (int batch = 0, fetch = 0; batch < 6; ++batch) {
    for (; fetch < 6 && fetch < batch + 2; ++fetch) {
      all.producer_acquire();
      cuda::memcpy_async(block, ours[fetch % 2], in + 128 * fetch, sizeof ours[0], all);
      all.producer_commit();
    }
    all.consumer_wait();
    total = 2 * total + ours[batch % 2][127 - threadIdx.x];
    all.consumer_release();
  }
  shared[threadIdx.x] = total;
}

__global__ void guarded(cuda::binary_semaphore<cuda::thread_scope_device>* door,
                        cuda::latch<cuda::thread_scope_device>* done, int* plain) {
  door->acquire();
  *static_cast<volatile int*>(plain) = *static_cast<volatile int*>(plain) + 1;
  __threadfence();
  door->release();
  done->count_down();
}

__global__ void standard(float* out) {
  const cuda::std::array<float, 3> a{{1.0f, 2.0f, 4.0f}};
  const cuda::std::tuple<float, int> t(0.5f, 3);
  static_assert(cuda::std::is_same<cuda::std::remove_const<const int>::type, int>::value, "traits");
  out[0] = a[0] + a[1] + a[2];
  out[1] = cuda::std::get<0>(t) * static_cast<float>(cuda::std::get<1>(t));
  out[2] = cuda::std::numeric_limits<float>::max();
  const cuda::annotated_ptr<float, cuda::access_property::global> p(out);
  out[3] = p[0] + 1;
}

// Functions that the host's library has only from C++20 on.
__global__ void of_later_standards(int* answers) {
  cuda::std::array<int, 4> numbers{1, 2, 3, 4};
  const cuda::std::span<int> all(numbers.data(), 4);
  const cuda::std::span<const int> fewer = all.subspan(1);
  int sum = 0;
  for (int number : fewer.first(2)) sum += number;
  answers[0] = sum + 100 * static_cast<int>(fewer.size()) + 1000 * cuda::std::span(numbers).back();
  answers[1] = cuda::std::popcount(255u) + 10 * cuda::std::countl_zero(1ull) +
               1000 * cuda::std::countr_zero(static_cast<unsigned short>(8));
  answers[2] = static_cast<int>(cuda::std::bit_ceil(9u) + cuda::std::rotl(0x80000001u, 1) +
                                (cuda::std::bit_cast<unsigned int>(1.0f) >> 23));
}

int main() {
  struct Counts {
    cuda::atomic<int, cuda::thread_scope_device> sum{0};
    unsigned int plain = 0, last = 0;
    double real = 0;
  }* counts;
  cudaMallocManaged(reinterpret_cast<void**>(&counts), sizeof *counts);
  new (counts) Counts;
  count<<<4, 96>>>(&counts->sum, &counts->plain, &counts->real, &counts->last);
  cudaDeviceSynchronize();
  check(counts->sum == 384 && counts->plain == 383 && counts->real == 192 && counts->last == 768,
        "atomics");
  counts->sum += 6;
  int expected = 5;
  check(!counts->sum.compare_exchange_strong(expected, 1) && expected == 390, "a host's atomic");
  int* answers = nullptr;
  cudaMallocManaged(&answers, 3 * sizeof *answers);
  of_later_standards<<<1, 1>>>(answers);
  cudaDeviceSynchronize();
  check(answers[0] == 4305 && answers[1] == 3638 && answers[2] == 146, "spans and bits");

  int *in, *out;
  cudaMallocManaged(reinterpret_cast<void**>(&in), 768 * sizeof(int));
  cudaMallocManaged(reinterpret_cast<void**>(&out), 256 * sizeof(int));
  for (int i = 0; i < 768; ++i) in[i] = i * i % 1009;
  rounds<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 128; ++i) right = right && out[i] == (i + 4) % 128 + 60;
  check(right, "a barrier");
  tiles<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 128; ++i) right = right && out[i] == in[127 - i];
  check(right, "a copy to a barrier");
  stages<<<1, 128>>>(in, out, out + 128);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 128; ++i) {
    int total = 0;
    for (int b = 0; b < 6; ++b) total = 2 * total + in[128 * b + 127 - i];
    right = right && out[i] == 3 * in[i] + in[128 + i] && out[128 + i] == total;
  }
  check(right, "a pipeline");

  struct Doors {
    cuda::binary_semaphore<cuda::thread_scope_device> door{1};
    cuda::latch<cuda::thread_scope_device> done{128};
    int plain = 0;
  }* doors;
  cudaMallocManaged(reinterpret_cast<void**>(&doors), sizeof *doors);
  new (doors) Doors;
  guarded<<<2, 64>>>(&doors->door, &doors->done, &doors->plain);
  cudaDeviceSynchronize();
  check(doors->plain == 128 && doors->done.try_wait(), "a semaphore");

  float* reals;
  cudaMallocManaged(reinterpret_cast<void**>(&reals), 4 * sizeof(float));
  standard<<<1, 1>>>(reals);
  cudaDeviceSynchronize();
  check(reals[0] == 7 && reals[1] == 1.5f && reals[2] == 3.402823466e38f && reals[3] == 8,
        "cuda::std");
  return report();
}
