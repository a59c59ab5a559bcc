// Tensor maps of the driver API, copies of boxes by them, and products of what they load by a
// warpgroup.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "check.h"

namespace {

constexpr int kRows = 80, kColumns = 96;  // of the tensor of floats
constexpr int kBoxRows = 16, kBoxColumns = 32;

CUtensorMap map_of(void* address, CUtensorMapDataType type, unsigned long long columns,
                   unsigned long long rows, unsigned element, unsigned box_columns,
                   unsigned box_rows, CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {columns, rows}, strides[1] = {columns * element};
  // A map of two axes reads two extents: 0 would be refused.
  const cuuint32_t box[3] = {box_columns, box_rows, 0}, steps[2] = {1, 1};
  check(cuTensorMapEncodeTiled(&map, type, 2, address, sizes, strides, box, steps,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
        "the map is encoded");
  return map;
}

}  // namespace

__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void load(void* to, const CUtensorMap* map, int x, int y, unsigned long long* bar,
                     unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
      "%3}], [%4];" ::"r"(at(to)),
      "l"(map), "r"(x), "r"(y), "r"(at(bar))
      : "memory");
}
__device__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nWAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra "
      "WAIT;\n}" ::"r"(at(bar)),
      "r"(parity)
      : "memory");
}
__device__ void init(unsigned long long* bar) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
}

// Doubles every box of the tensor, in place.
__global__ void doubled(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(1024) float tile[kBoxRows * kBoxColumns];
  __shared__ unsigned long long bar;
  init(&bar);
  const int x = blockIdx.x * kBoxColumns, y = blockIdx.y * kBoxRows;
  if (threadIdx.x == 0) load(tile, &map, x, y, &bar, sizeof tile);
  wait(&bar, 0);
  for (int i = threadIdx.x; i < kBoxRows * kBoxColumns; i += blockDim.x) tile[i] *= 2;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
      "r"(x), "r"(y), "r"(at(tile))
      : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Copies what a load writes to shared memory.
__global__ void loaded(const __grid_constant__ CUtensorMap map, int x, int y, float* out) {
  __shared__ alignas(1024) float tile[kBoxRows * kBoxColumns];
  __shared__ unsigned long long bar;
  init(&bar);
  if (threadIdx.x == 0) load(tile, &map, x, y, &bar, sizeof tile);
  wait(&bar, 0);
  for (int i = threadIdx.x; i < kBoxRows * kBoxColumns; i += blockDim.x) out[i] = tile[i];
}

// Adds a tile of ones to every box of the tensor, twice, and keeps the larger of the sum and 100.
__global__ void combined(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(1024) float ones[kBoxRows * kBoxColumns], hundreds[kBoxRows * kBoxColumns];
  for (int i = threadIdx.x; i < kBoxRows * kBoxColumns; i += blockDim.x)
    ones[i] = 1, hundreds[i] = 100;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int x = blockIdx.x * kBoxColumns, y = blockIdx.y * kBoxRows;
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 2; ++i)
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], "
        "[%3];" ::"l"(&map),
        "r"(x), "r"(y), "r"(at(ones))
        : "memory");
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.bulk_group [%0, {%1, %2}], [%3];" ::
          "l"(&map),
      "r"(x), "r"(y), "r"(at(hundreds))
      : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Each block of a pair loads a box for both.
__global__ void __cluster_dims__(2, 1, 1)
    loaded_by_pair(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(1024) float tiles[2][kBoxRows * kBoxColumns];
  __shared__ unsigned long long bar;
  init(&bar);
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)),
                 "r"(static_cast<unsigned>(sizeof tiles))
                 : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes."
        "multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(tiles[rank])),
        "l"(&map), "r"(0), "r"(static_cast<int>(rank) * kBoxRows), "r"(at(&bar)),
        "h"(static_cast<unsigned short>(3))
        : "memory");
  wait(&bar, 0);
  for (int i = threadIdx.x; i < 2 * kBoxRows * kBoxColumns; i += blockDim.x)
    out[blockIdx.x * 2 * kBoxRows * kBoxColumns + i] = tiles[0][i];
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Three matrices of halves, as stored by stmatrix: rows of 8 halves, the third by columns.
__global__ void stored_matrices(unsigned* out) {
  __shared__ alignas(16) unsigned tile[2][32];
  const unsigned t = threadIdx.x, word = t << 16 | (100 + t);
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at(tile[0] + 4 * (t % 8))),
      "r"(word)
      : "memory");
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at(tile[1] + 4 * (t % 8))),
      "r"(word)
      : "memory");
  __syncwarp();
  out[t] = tile[0][t];
  out[32 + t] = tile[1][t];
}

#define SUMS                                                                                    \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24," \
  "%25,%26,%27,%28,%29,%30,%31}"
#define FOUR(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])

// C = A * B, 64 x 64 x 128 halves: two stages of 64 along k; B is stored by columns.
__global__ void product(const __grid_constant__ CUtensorMap a,
                        const __grid_constant__ CUtensorMap b, float* c) {
  __shared__ alignas(1024) __half tile_a[2][64 * 64], tile_b[2][64 * 64];
  __shared__ unsigned long long bars[2];
  init(&bars[0]);
  init(&bars[1]);
  for (int stage = 0; stage < 2 && threadIdx.x == 0; ++stage) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(&bars[stage])),
                 "r"(8192u)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
        "{%2, %3}], [%4];" ::"r"(at(tile_b[stage])),
        "l"(&b), "r"(64 * stage), "r"(0), "r"(at(&bars[stage]))
        : "memory");
    load(tile_a[stage], &a, 64 * stage, 0, &bars[stage], 8192);
  }
  float d[32];
  for (float& x : d) x = 0;
  const auto descriptor = [](unsigned address) {
    return (address >> 4 & 0x3fffull) | 1ull << 16 | 64ull << 32 | 1ull << 62;
  };
  for (int stage = 0; stage < 2; ++stage) {
    wait(&bars[stage], 0);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (unsigned k = 0; k < 4; ++k)
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " SUMS
                   ", %32, %33, 1, 1, 1, 0, 0;"
                   : FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)
                   : "l"(descriptor(at(tile_a[stage]) + 32 * k)),
                     "l"(descriptor(at(tile_b[stage]) + 32 * k)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 32; ++i) {
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8,
              column = i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
    c[row * 64 + column] = d[i];
  }
}

int main() {
  float *tensor, *out;
  cudaMallocManaged(&tensor, kRows * kColumns * sizeof *tensor);
  cudaMallocManaged(&out, kBoxRows * kBoxColumns * sizeof *out);
  for (int i = 0; i < kRows * kColumns; ++i) tensor[i] = static_cast<float>(i);
  const CUtensorMap plain = map_of(tensor, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, kColumns, kRows, 4,
                                   kBoxColumns, kBoxRows, CU_TENSOR_MAP_SWIZZLE_NONE),
                    swizzled = map_of(tensor, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, kColumns, kRows, 4,
                                      kBoxColumns, kBoxRows, CU_TENSOR_MAP_SWIZZLE_128B);
  doubled<<<dim3(kColumns / kBoxColumns, kRows / kBoxRows), 128>>>(plain);
  check(cudaDeviceSynchronize() == cudaSuccess, "boxes are doubled");
  bool right = true;
  for (int i = 0; i < kRows * kColumns; ++i) right = right && tensor[i] == 2.f * i;
  check(right, "every element is twice its number");
  for (const bool swizzles : {false, true}) {
    const int x = -5, y = 70;
    loaded<<<1, 128>>>(swizzles ? swizzled : plain, x, y, out);
    check(cudaDeviceSynchronize() == cudaSuccess, "a box is loaded");
    right = true;
    for (int i = 0; i < kBoxRows * kBoxColumns; ++i) {
      const int row = y + i / kBoxColumns, column = x + i % kBoxColumns;
      const bool inside = row < kRows && column >= 0 && column < kColumns;
      const int place = swizzles ? (i * 4 ^ (i * 4 >> 3 & 112)) / 4 : i;
      right = right && out[place] == (inside ? tensor[row * kColumns + column] : 0);
    }
    check(right, swizzles ? "the box is swizzled" : "the box is filled with zeros");
  }
  combined<<<dim3(kColumns / kBoxColumns, kRows / kBoxRows), 128>>>(plain);
  check(cudaDeviceSynchronize() == cudaSuccess, "tiles are combined with the tensor");
  right = true;
  for (int i = 0; i < kRows * kColumns; ++i)
    right = right && tensor[i] == (2.f * i + 2 > 100 ? 2.f * i + 2 : 100);
  check(right, "every element has grown by two, to 100 at least");
  float* pairs;
  cudaMallocManaged(&pairs, 4 * kBoxRows * kBoxColumns * sizeof *pairs);
  loaded_by_pair<<<2, 128>>>(plain, pairs);
  check(cudaDeviceSynchronize() == cudaSuccess, "boxes are loaded for two blocks");
  right = true;
  for (int i = 0; i < 4 * kBoxRows * kBoxColumns; ++i) {
    const int row = i / kBoxColumns % (2 * kBoxRows), column = i % kBoxColumns;
    right = right && pairs[i] == tensor[row * kColumns + column];
  }
  check(right, "both blocks have both boxes");
  for (int i = 0; i < kRows * kColumns; ++i) tensor[i] = 1 + i * 0x1p-12f;
  const CUtensorMap rounded = map_of(tensor, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, kColumns, kRows, 4,
                                     kBoxColumns, kBoxRows, CU_TENSOR_MAP_SWIZZLE_NONE);
  loaded<<<1, 128>>>(rounded, 0, 0, out);
  check(cudaDeviceSynchronize() == cudaSuccess, "a box of tf32 is loaded");
  const float firsts[] = {1, 1, 1, 1 + 0x1p-10f, 1 + 0x1p-10f, 1 + 0x1p-10f, 1 + 0x1p-9f};
  right = true;
  for (int i = 0; i < 7; ++i) right = right && out[i] == firsts[i];
  check(right, "its elements are rounded to the nearest even");
  unsigned* matrices;
  cudaMallocManaged(&matrices, 64 * sizeof *matrices);
  stored_matrices<<<1, 32>>>(matrices);
  check(cudaDeviceSynchronize() == cudaSuccess, "matrices are stored");
  right = true;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned row = i / 4, column = i % 4 * 2;  // transposed: lane 4 * column + row / 2
    const unsigned low = 4 * column + row / 2, high = low + 4, add = row % 2 ? 0 : 100;
    right = right && matrices[i] == (i << 16 | (100 + i)) &&
            matrices[32 + i] == ((high + add) << 16 | (low + add));
  }
  check(right, "the second matrix is transposed");
  __half *a, *b;
  float* c;
  cudaMallocManaged(&a, 64 * 128 * sizeof *a);
  cudaMallocManaged(&b, 64 * 128 * sizeof *b);
  cudaMallocManaged(&c, 64 * 64 * sizeof *c);
  for (int i = 0; i < 64 * 128; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6));
    b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5));
  }
  product<<<1, 128>>>(
      map_of(a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 128, 64, 2, 64, 64, CU_TENSOR_MAP_SWIZZLE_128B),
      map_of(b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 128, 64, 2, 64, 64, CU_TENSOR_MAP_SWIZZLE_128B),
      c);
  check(cudaDeviceSynchronize() == cudaSuccess, "tiles are multiplied");
  right = true;
  for (int i = 0; i < 64 * 64; ++i) {
    float sum = 0;
    for (int k = 0; k < 128; ++k)
      sum += __half2float(a[i / 64 * 128 + k]) * __half2float(b[i % 64 * 128 + k]);
    right = right && c[i] == sum;
  }
  check(right, "the product");
  return report();
}
