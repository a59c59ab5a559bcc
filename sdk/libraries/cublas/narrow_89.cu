// Products of 8-bit floating-point matrices by `mma`, compute capability 8.9 and later. A block
// copies tiles of both matrices asynchronously, two tiles ahead. The rows of the instruction's
// product are columns of D, its columns are rows of D, so a thread has pairs of neighbours.
#include <cuda_fp8.h>
#include <cuda_pipeline_primitives.h>

#include "cublas/narrow_product.h"

namespace heddle::blas {
namespace {

constexpr int kTile = 128;       // rows and columns of D
constexpr int kSteps = 64;       // of the sums, bytes of a line
constexpr int kPitch = 64 + 16;  // between lines, so that eight of them are in different banks
constexpr int kStages = 3, kStage = 2 * kTile * kPitch, kBytes = kStages * kStage;
constexpr int kChunk = 16;

#define HEDDLE_MMA(left_type, right_type)                                               \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." left_type "." right_type        \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"   \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                         \
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), \
                 "r"(right[1]))
template <Stored Left, Stored Right>
__device__ __forceinline__ void add_product(float (&d)[4], const unsigned (&left)[4],
                                            const unsigned (&right)[2]) {
  if constexpr (Left == Stored::e5m2)
    HEDDLE_MMA("e5m2", "e4m3");
  else if constexpr (Right == Stored::e5m2)
    HEDDLE_MMA("e4m3", "e5m2");
  else
    HEDDLE_MMA("e4m3", "e4m3");
}
#undef HEDDLE_MMA

__device__ float read(Stored type, const void* from, int64_t at) {
  switch (type) {
    case Stored::half: return __half2float(static_cast<const __half*>(from)[at]);
    case Stored::bfloat16: return __bfloat162float(static_cast<const __nv_bfloat16*>(from)[at]);
    default: return static_cast<const float*>(from)[at];
  }
}
// Two neighbours, of which the first is aligned to both.
__device__ void write(Stored type, void* to, int64_t at, float first, float second) {
  const auto narrow = [&](__nv_fp8_interpretation_t kind) {
    *reinterpret_cast<__nv_fp8x2_storage_t*>(static_cast<uint8_t*>(to) + at) =
        __nv_cvt_float2_to_fp8x2({first, second}, __NV_SATFINITE, kind);
  };
  switch (type) {
    case Stored::half:
      *reinterpret_cast<__half2*>(static_cast<__half*>(to) + at) = __floats2half2_rn(first, second);
      break;
    case Stored::bfloat16:
      *reinterpret_cast<__nv_bfloat162*>(static_cast<__nv_bfloat16*>(to) + at) =
          __floats2bfloat162_rn(first, second);
      break;
    case Stored::e4m3: narrow(__NV_E4M3); break;
    case Stored::e5m2: narrow(__NV_E5M2); break;
    default: *reinterpret_cast<float2*>(static_cast<float*>(to) + at) = {first, second};
  }
}

// What a thread copies of each tile: a chunk of four lines, 64 apart; first those of A, then of B.
struct Copies {
  const uint8_t* from[4];
  bool exists[4];
  int first_step, to;
  __device__ Copies(const NarrowProduct& p, int64_t batch, int64_t row, int64_t column)
      : first_step(threadIdx.x % 4 * kChunk), to(threadIdx.x / 4 * kPitch + first_step) {
    for (int i = 0; i < 4; ++i) {
      const int64_t line = threadIdx.x / 4 + i % 2 * 64 + (i < 2 ? row : column);
      exists[i] = line < (i < 2 ? p.m : p.n);
      const int64_t at = exists[i] ? line : 0;
      from[i] =
          i < 2 ? p.a + batch * p.a_stride + at * p.lda : p.b + batch * p.b_stride + at * p.ldb;
    }
  }
  __device__ void copy(uint8_t* stage, int64_t step, int64_t k) const {
    const int64_t at = step + first_step;
    for (int i = 0; i < 4; ++i) {
      const bool copies = exists[i] && at < k;
      __pipeline_memcpy_async(stage + i * 64 * kPitch + to, from[i] + (copies ? at : 0), kChunk,
                              copies ? 0 : kChunk);
    }
  }
};

// A warp has 64 columns and 32 rows of D.
template <Stored A, Stored B>
__global__ void __launch_bounds__(kThreads) multiply_narrow(const NarrowProduct p) {
  extern __shared__ __align__(16) uint8_t stages[];
  const int64_t batch = blockIdx.z;
  const int64_t row = int64_t{blockIdx.x} * kTile, column = int64_t{blockIdx.y} * kTile;
  const Copies copies(p, batch, row, column);
  const int warp = threadIdx.x / 32, quad = threadIdx.x % 32 / 4, in_quad = threadIdx.x % 4;
  const int warp_row = warp / 2 * 32, warp_column = warp % 2 * 64;
  float sums[4][4][4] = {};
  for (int s = 0; s < kStages - 1; ++s) {
    copies.copy(stages + s * kStage, s * kSteps, p.k);
    __pipeline_commit();
  }
  int stage = 0;
  for (int64_t step = 0; step < p.k; step += kSteps) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int free = stage == 0 ? kStages - 1 : stage - 1;
    copies.copy(stages + free * kStage, step + (kStages - 1) * kSteps, p.k);
    __pipeline_commit();
    const uint8_t* const a = stages + stage * kStage + (warp_row + quad) * kPitch + in_quad * 4;
    const uint8_t* const b =
        stages + stage * kStage + (kTile + warp_column + quad) * kPitch + in_quad * 4;
    const auto word = [](const uint8_t* at) { return *reinterpret_cast<const unsigned*>(at); };
#pragma unroll
    for (int l = 0; l < kSteps; l += 32) {
      unsigned right[4][2];
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int w = 0; w < 2; ++w) right[j][w] = word(a + j * 8 * kPitch + l + w * 16);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        unsigned left[4];
#pragma unroll
        for (int w = 0; w < 4; ++w)
          left[w] = word(b + (i * 16 + w % 2 * 8) * kPitch + l + w / 2 * 16);
#pragma unroll
        for (int j = 0; j < 4; ++j) add_product<B, A>(sums[i][j], left, right[j]);
      }
    }
    stage = stage == kStages - 1 ? 0 : stage + 1;
  }

  const auto scale = [](const float* at) { return at ? *at : 1.0f; };
  const float alpha = p.alpha.get() * scale(p.a_scale) * scale(p.b_scale), beta = p.beta.get();
  const float d_scale = scale(p.d_scale);
  float largest = 0;
  const auto finished = [&](float sum, int64_t r, int64_t c) {
    sum *= alpha;
    if (beta != 0) sum += beta * read(p.c_type, p.c, batch * p.c_stride + c * p.ldc + r);
    if (p.bias) sum += read(p.bias_type, p.bias, batch * p.bias_stride + r);
    if (p.function == Epilogue::Function::relu) sum = sum > 0 ? sum : 0;
    if (p.function == Epilogue::Function::gelu) sum = gelu(sum);
    largest = fmaxf(largest, fabsf(sum));
    return sum * d_scale;
  };
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int w = 0; w < 2; ++w) {
        const int64_t r = row + warp_row + j * 8 + in_quad * 2,
                      c = column + warp_column + i * 16 + w * 8 + quad;
        if (r >= p.m || c >= p.n) continue;
        const float first = finished(sums[i][j][w * 2], r, c),
                    second = finished(sums[i][j][w * 2 + 1], r + 1, c);
        write(p.d_type, p.d, batch * p.d_stride + c * p.ldd + r, first, second);
      }
  if (!p.amax) return;
  // Numbers that are not negative have the order of their bits.
  const unsigned of_warp = __reduce_max_sync(~0u, __float_as_uint(largest));
  if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<unsigned*>(p.amax), of_warp);
}

}  // namespace

Status launch_narrow(const cublasContext& h, const NarrowProduct& p, cudaDataType a_type,
                     cudaDataType b_type, int64_t count) {
  const auto kernel = a_type == CUDA_R_8F_E5M2   ? multiply_narrow<Stored::e5m2, Stored::e4m3>
                      : b_type == CUDA_R_8F_E5M2 ? multiply_narrow<Stored::e4m3, Stored::e5m2>
                                                 : multiply_narrow<Stored::e4m3, Stored::e4m3>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (p.amax) cudaMemsetAsync(p.amax, 0, sizeof *p.amax, h.stream);
  const dim3 grid(static_cast<unsigned>(ceil_div(p.m, kTile)),
                  static_cast<unsigned>(ceil_div(p.n, kTile)), static_cast<unsigned>(count));
  kernel<<<grid, kThreads, kBytes, h.stream>>>(p);
  return launched();
}

}  // namespace heddle::blas
