// Headers that programs include, and their functions where the result is known.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/details/reduce.h>
#include <cooperative_groups/details/scan.h>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Checks only that each name exists.
namespace names {
#define NAME(name) using ::name;
#include "device_names.inc"
#undef NAME
}  // namespace names

__global__ void groups(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(warp, static_cast<int>(threadIdx.x), cg::plus<int>());
  if (warp.thread_rank() == 0) out[threadIdx.x / 32] = sum;
  const auto part = cg::tiled_partition<8>(warp);
  const int before = part.shfl_up(static_cast<int>(threadIdx.x), 1);
  if (threadIdx.x == 13) out[2] = before;
  if (threadIdx.x < 5) {
    const auto few = cg::coalesced_threads();
    if (few.thread_rank() == 0) out[3] = static_cast<int>(few.size());
  }
}
__global__ void words(unsigned* out) {
  out[0] = __vadd2(0x0001ffffu, 0x00010001u);
  out[1] = __vabsdiffu4(0x10ff0005u, 0x20000007u);
  out[2] = __vcmpgts2(0x00018000u, 0x00000001u);
  out[3] = __vmaxs4(0x7f80ff01u, 0x017f0002u);
  out[4] = __vsadu4(0x01020304u, 0x04030201u);
}
// The first word of Philox with key and counter 0 is published. The first word of XORWOW with seed
// 1234 is cuRAND's.
__global__ void random(unsigned* out) {
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, 0, &philox);
  out[0] = curand(&philox);
  out[1] = curand(&philox);
  curandState xorwow;
  curand_init(1234, 0, 0, &xorwow);
  out[2] = curand(&xorwow);
  curandStateMRG32k3a mrg;
  curand_init(0, 1, 0, &mrg);
  out[3] = curand(&mrg);
}

int main() {
  int sums[4];
  unsigned simd[5], numbers[4];
  void* device = nullptr;
  cudaMalloc(&device, 64);
  groups<<<1, 64>>>(static_cast<int*>(device));
  cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
  words<<<1, 1>>>(static_cast<unsigned*>(device));
  cudaMemcpy(simd, device, sizeof simd, cudaMemcpyDeviceToHost);
  random<<<1, 1>>>(static_cast<unsigned*>(device));
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  const bool groups_right = sums[0] == 496 && sums[1] == 1520 && sums[2] == 12 && sums[3] == 5;
  const bool words_right = simd[0] == 0x00020000u && simd[1] == 0x10ff0002u &&
                           simd[2] == 0xffff0000u && simd[3] == 0x7f7f0002u && simd[4] == 8;
  const bool random_right =
      numbers[0] == 0x6627e8d5u && numbers[1] == 0xe169c58du && numbers[2] == 624778773u;
  const cuDoubleComplex product = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4));
  const bool host_right = product.x == -5 && product.y == 10 &&
                          __half2float(__float2half(1.5f)) == 1.5f && CUDART_PI_F > 3.14f;
  std::printf("groups %d words %d random %d host %d\n", groups_right, words_right, random_right,
              host_right);
  std::puts(groups_right && words_right && random_right && host_right ? "PASS" : "FAIL");
}
