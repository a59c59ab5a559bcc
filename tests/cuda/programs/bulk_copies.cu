// Bulk copies by their C++ names: in with a barrier that expects bytes, out with groups.
#include <cstdio>
#include <cuda/barrier>
#include <utility>

namespace bulk = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reversed(const int* in, int* out) {
  __shared__ alignas(16) int tile[256], result[256];
  __shared__ barrier loaded;
  if (threadIdx.x == 0) {
    init(&loaded, blockDim.x);
    bulk::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  for (int step = 0; step < 2; ++step) {
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
      bulk::cp_async_bulk_global_to_shared(tile, in + 256 * step, sizeof tile / 2, loaded);
      cuda::device::memcpy_async_tx(tile + 128, in + 256 * step + 128,
                                    cuda::aligned_size_t<16>(sizeof tile / 2), loaded);
      token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof tile);
    } else {
      token = loaded.arrive();
    }
    loaded.wait(std::move(token));
    result[threadIdx.x] = tile[255 - threadIdx.x] + step;
    bulk::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulk::cp_async_bulk_shared_to_global(out + 256 * step, result, sizeof result);
      bulk::cp_async_bulk_commit_group();
      bulk::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 512 * sizeof *in);
  cudaMallocManaged(&out, 512 * sizeof *out);
  for (int i = 0; i < 512; ++i) in[i] = i * i;
  reversed<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 512; ++i)
    right = right && out[i] == in[i / 256 * 256 + 255 - i % 256] + i / 256;
  std::puts(right ? "PASS" : "FAIL");
}
