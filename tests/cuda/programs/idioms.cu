// Assumptions of public programs about headers, groups, atomics and warps. Prints PASS or the
// failed check.
#include <cuda_runtime.h>
#include <cuda.h>
#include <math_constants.h>
#include <vector_types.h>
#include <device_launch_parameters.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <curand_kernel.h>

#include "check.h"

#if !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || \
    !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error "helper headers test the include guards of CUDA's headers"
#endif
#if !defined(__cuda_cuda_h__) || !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || \
    !defined(_COOPERATIVE_GROUPS_H_) || !defined(CURAND_KERNEL_H_)
#error "helper headers test the include guards of CUDA's headers"
#endif

namespace cg = cooperative_groups;

template <class T>
T* device(int count) {
  T* p = nullptr;
  OK(cudaMalloc(&p, sizeof(T) * count));
  OK(cudaMemset(p, 0, sizeof(T) * count));
  return p;
}
template <class T>
void read(T* to, const T* from, int count) {
  OK(cudaMemcpy(to, from, sizeof(T) * count, cudaMemcpyDeviceToHost));
}

// The last steps of a block's reduction: eight lanes add the values of 32; returned lanes count as
// 0.
__global__ void sum_of_few(int* out) {
  int value = threadIdx.x + 1;
  if (threadIdx.x < 8) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xff, value, offset);
    if (threadIdx.x == 0) *out = value;
  }
}

__device__ unsigned tiles(cg::thread_block_tile<8> tile) {
  return tile.meta_group_rank() * 100 + tile.meta_group_size();
}
__device__ int of_group(const cg::thread_group& group) { return static_cast<int>(group.size()); }
__global__ void groups(unsigned* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<32> plain = warp;
  auto token = block.barrier_arrive();
  unsigned found = tiles(eight) + of_group(plain);  // index in the warp
  block.barrier_wait(std::move(token));
  found += 10000 * tiles(cg::tiled_partition<8>(block)) / 100;  // index in the block
  found += cg::reduce(plain, 1u, cg::plus<unsigned>()) +
           cg::labeled_partition(plain, threadIdx.x % 2).size();
  if (threadIdx.x == 57) *out = found;
}

__global__ void scoped(int* words, unsigned short* half_word) {
  atomicAdd_block(&words[0], 2);
  atomicAdd_system(&words[1], 3);
  atomicMax_system(&words[2], static_cast<int>(threadIdx.x));
  atomicSub_block(&words[3], 1);
  atomicCAS_system(&words[4], 0, 7);
  unsigned short before = *half_word, seen;
  do seen = before, before = atomicCAS(half_word, seen, static_cast<unsigned short>(seen + 1));
  while (before != seen);
}

// Compares jumps with steps, and subsequences with each other.
__global__ void jumps(unsigned* out) {
  curandState stepped, jumped;
  curand_init(1234, 0, 0, &stepped);
  curand_init(1234, 0, 1000, &jumped);
  for (int i = 0; i < 1000; ++i) curand(&stepped);
  out[0] = curand(&stepped) == curand(&jumped);
  curandState fifth, five;
  curand_init(99, 5, 17, &fifth);
  curand_init(99, 2, 17, &five);
  skipahead_sequence(3, &five);
  out[1] = curand(&fifth) == curand(&five);
  curand_init(1234, threadIdx.x, 3, &fifth);
  out[2 + threadIdx.x] = curand(&fifth);
}

// A grid barrier as in graph benchmarks: flags that are read with a load that skips the L1.
__device__ unsigned past_l1(const unsigned* p) {
  unsigned value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(p));
  return value;
}
__global__ void meet(volatile unsigned* flags, int* met) {
  if (blockIdx.x == 0) {
    for (unsigned peer = threadIdx.x + 1; peer < gridDim.x; peer += blockDim.x) {
      while (past_l1(const_cast<unsigned*>(flags) + peer) == 0) __threadfence_block();
    }
    __syncthreads();
    for (unsigned peer = threadIdx.x + 1; peer < gridDim.x; peer += blockDim.x) flags[peer] = 0;
  } else {
    if (threadIdx.x == 0) {
      flags[blockIdx.x] = 1;
      while (past_l1(const_cast<unsigned*>(flags) + blockIdx.x) == 1) {}
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(met, 1);
}

// A library selects parameters by the target of the PTX, on every GPU.
__global__ void compiled_for(int* arch) {
#if defined(__CUDA_ARCH__)
  *arch = __CUDA_ARCH__ / 10;
#endif
}
// Many registers, with launch bounds that must fit every GPU.
__global__ void __launch_bounds__(1024) bounded(const float* in, float* out) {
  float kept[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) kept[i] = in[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; ++i) out[i * 1024 + threadIdx.x] = kept[63 - i];
}
// The same without launch bounds: compilers spill, so the launch is valid with the smallest
// register file.
__global__ void unbounded(const double* in, double* out) {
  double kept[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) kept[i] = __shfl_xor_sync(~0u, in[i * 1024 + threadIdx.x], 1);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 32; ++i) out[i * 1024 + threadIdx.x] = kept[31 - i];
}
__host__ __device__ float normalized(float x) { return x * rsqrtf(x * x); }

// Rows of 19 bytes. Clang's back end may load 16 bytes only at a multiple of 16.
__global__ void rows_of_bytes(unsigned char* out, bool by_rows) {
  __shared__ unsigned char tile[64 * 19];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 19; i += 64) tile[i] = static_cast<unsigned char>(i * 7);
  __syncthreads();
  unsigned char row[19];
  if (by_rows) {
#pragma unroll
    for (int i = 0; i < 19; ++i) row[i] = tile[t * 19 + i];
    __syncthreads();
  } else {
#pragma unroll
    for (int i = 0; i < 19; ++i) row[i] = tile[i * 64 + t];
  }
#pragma unroll
  for (int i = 0; i < 19; ++i) out[i * 64 + t] = row[i];
}

int main() {
  EXPECT(normalized(4.f) == 1.f);
  int arch = 0, *d_arch = device<int>(1);
  compiled_for<<<1, 1>>>(d_arch);
  read(&arch, d_arch, 1);
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, compiled_for));
  EXPECT(attributes.ptxVersion == arch);
  float *in = device<float>(65536), *out = device<float>(65536);
  bounded<<<1, 1024>>>(in, out);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());

  double *many = device<double>(32768), *turned = device<double>(32768), ends[2] = {1.5, 2.25};
  cudaMemcpy(many, ends, sizeof ends, cudaMemcpyHostToDevice);
  unbounded<<<1, 1024>>>(many, turned);
  OK(cudaGetLastError());
  read(ends, turned + 31 * 1024, 2);
  EXPECT(ends[0] == 2.25 && ends[1] == 1.5);

  unsigned char bytes[64 * 19], *d_bytes = device<unsigned char>(64 * 19);
  rows_of_bytes<<<1, 64>>>(d_bytes, true);
  read(bytes, d_bytes, 64 * 19);
  for (int t = 0; t < 64; ++t)
    EXPECT(bytes[5 * 64 + t] == static_cast<unsigned char>((t * 19 + 5) * 7));

  int sum, *d_sum = device<int>(1);
  sum_of_few<<<1, 32>>>(d_sum);
  read(&sum, d_sum, 1);
  EXPECT(sum == 36);

  unsigned found, *d_found = device<unsigned>(1);
  groups<<<1, 64>>>(d_found);
  read(&found, d_found, 1);
  EXPECT(found == 304 + 32 + 10000 * 708 / 100 + 32 + 16);

  int words[5], *d_words = device<int>(5);
  unsigned short half_word, *d_half_word = device<unsigned short>(2);
  scoped<<<1, 64>>>(d_words, d_half_word);
  read(words, d_words, 5);
  read(&half_word, d_half_word, 1);
  EXPECT(words[0] == 128 && words[1] == 192 && words[2] == 63 && words[3] == -64 && words[4] == 7);
  EXPECT(half_word == 64);

  unsigned random[6], *d_random = device<unsigned>(6);
  jumps<<<1, 4>>>(d_random);
  read(random, d_random, 6);
  EXPECT(random[0] == 1 && random[1] == 1);
  const unsigned of_curand[] = {1954919316u, 2308946676u, 3189179224u,
                                2300410836u};  // the same as with nvcc's header
  for (int i = 0; i < 4; ++i) EXPECT(random[2 + i] == of_curand[i]);
  int met, *d_met = device<int>(1);
  meet<<<8, 128>>>(device<unsigned>(8), d_met);
  read(&met, d_met, 1);
  EXPECT(met == 8);
  for (float value : {1.f, 2.f}) EXPECT(value > 0);  // CUDA's headers include <initializer_list>

  return report();
}
