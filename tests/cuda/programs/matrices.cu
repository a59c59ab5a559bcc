// Matrix multiplication with tensor cores, checked on the host: wmma on halves, bytes and tf32, and
// mma.sync with ldmatrix, whose tiles cp.async loads two stages ahead.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kM = 64, kN = 64, kK = 64;

// C = A * B + C, a tile of 16 x 16 per warp; A by rows, B by columns.
template <class In, class Memory, class Sum, int kDepth>
__global__ void multiply(const Memory* a, const Memory* b, Sum* c) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, kDepth, In, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, kDepth, In, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, kDepth, Sum> fc, old;
  wmma::fill_fragment(fc, Sum(0));
  for (int k = 0; k < kK; k += kDepth) {
    wmma::load_matrix_sync(fa, a + row * kK + k, kK);
    wmma::load_matrix_sync(fb, b + column * kK + k, kK);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::load_matrix_sync(old, c + row * kN + column, kN, wmma::mem_row_major);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] += old.x[i];
  wmma::store_matrix_sync(c + row * kN + column, fc, kN, wmma::mem_row_major);
}

// The same with mma.m16n8k16: a warp computes 16 x 8; tiles of A (16 x 16) and B (8 x 16, by
// columns) go through shared memory in three stages.
__global__ void multiply_by_stages(const half* a, const half* b, float* c) {
  constexpr int kStages = 3;
  __shared__ __align__(16) half sa[kStages][16 * 16];
  __shared__ __align__(16) half sb[kStages][8 * 16];
  const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  auto fetch = [&](int stage, int k) {
    __pipeline_memcpy_async(&sa[stage][lane * 8], a + (row + lane / 2) * kK + k + lane % 2 * 8, 16);
    if (lane < 16)
      __pipeline_memcpy_async(&sb[stage][lane * 8], b + (column + lane / 2) * kK + k + lane % 2 * 8,
                              16);
  };
  for (int s = 0; s < kStages - 1; ++s) {
    fetch(s, s * 16);
    __pipeline_commit();
  }
  float d[4] = {};
  for (int i = 0; i < kK / 16; ++i) {
    __pipeline_wait_prior(kStages - 2);
    __syncwarp();
    if (i + kStages - 1 < kK / 16) fetch((i + kStages - 1) % kStages, (i + kStages - 1) * 16);
    __pipeline_commit();
    unsigned fa[4], fb[2];
    // Rows 0-7 and 8-15 of the left half, then of the right half.
    const unsigned ra =
        (unsigned)__cvta_generic_to_shared(&sa[i % kStages][lane % 16 * 16 + lane / 16 * 8]);
    const unsigned rb =
        (unsigned)__cvta_generic_to_shared(&sb[i % kStages][lane % 8 * 16 + lane / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(ra)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(rb)
                 : "memory");
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i)
    c[(row + lane / 4 + i / 2 * 8) * kN + column + lane % 4 * 2 + i % 2] += d[i];
}

// Small integers: every sum is exact.
template <class Memory, class Sum, class Launch>
void check(const char* name, Launch launch) {
  std::vector<int> a(kM * kK), b(kN * kK), c(kM * kN);
  for (auto* part : {&a, &b, &c})
    for (int& x : *part) x = std::rand() % 9 - 4;
  std::vector<Memory> ma(a.size()), mb(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ma[i] = static_cast<Memory>(static_cast<float>(a[i]));
  for (std::size_t i = 0; i < b.size(); ++i) mb[i] = static_cast<Memory>(static_cast<float>(b[i]));
  std::vector<Sum> mc(c.begin(), c.end());
  Memory *da, *db;
  Sum* dc;
  cudaMalloc(&da, ma.size() * sizeof(Memory));
  cudaMalloc(&db, mb.size() * sizeof(Memory));
  cudaMalloc(&dc, mc.size() * sizeof(Sum));
  cudaMemcpy(da, ma.data(), ma.size() * sizeof(Memory), cudaMemcpyHostToDevice);
  cudaMemcpy(db, mb.data(), mb.size() * sizeof(Memory), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, mc.data(), mc.size() * sizeof(Sum), cudaMemcpyHostToDevice);
  launch(da, db, dc);
  cudaMemcpy(mc.data(), dc, mc.size() * sizeof(Sum), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      int sum = c[i * kN + j];
      for (int k = 0; k < kK; ++k) sum += a[i * kK + k] * b[j * kK + k];
      wrong += mc[i * kN + j] != static_cast<Sum>(sum);
    }
  std::printf("%s: %d wrong\n", name, wrong);
  if (wrong) std::printf("FAIL\n"), std::exit(1);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}

int main() {
  const dim3 tiles(kN / 16, kM / 16);
  check<half, float>("halves", [&](half* a, half* b, float* c) {
    multiply<half, half, float, 16><<<tiles, 32>>>(a, b, c);
  });
  check<signed char, int>("bytes", [&](signed char* a, signed char* b, int* c) {
    multiply<signed char, signed char, int, 16><<<tiles, 32>>>(a, b, c);
  });
  check<float, float>("tf32", [&](float* a, float* b, float* c) {
    multiply<wmma::precision::tf32, float, float, 8><<<tiles, 32>>>(a, b, c);
  });
  check<half, float>("stages", [&](half* a, half* b, float* c) {
    multiply_by_stages<<<dim3(kN / 8, kM / 16), 32>>>(a, b, c);
  });
  std::printf("PASS\n");
}
