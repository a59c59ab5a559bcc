// Products of matrices by matrix instructions (wmma). A block of four or eight warps multiplies
// tiles that lie in shared memory as they do in global memory; from compute capability 8.0 on they
// are copied there asynchronously, several tiles ahead.
#pragma once
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "cublas/product.h"

namespace heddle::blas {

template <class In>
struct FragmentOf {
  using Type = In;
  static constexpr int kDepth = 16;
};
template <>
struct FragmentOf<float> {
  using Type = nvcuda::wmma::precision::tf32;
  static constexpr int kDepth = 8;
};
template <>
struct FragmentOf<int8_t> {
  using Type = signed char;
  static constexpr int kDepth = 16;
};
// A tile of op(A), or of op(B) transposed: `Lines` lines of `Length` neighbours in memory. A line
// is a row of the tile (Down: a column, whose elements are rows of the result).
template <class In, int Lines, int Length, int Threads>
struct MatrixTile {
  static constexpr int kChunk = 16 / sizeof(In);  // elements of a copy
  static constexpr int kPitch = Length + kChunk;
  static constexpr int kElements = Lines * kPitch;
  static constexpr int kInLine = Length / kChunk;
  static constexpr int kEach = Lines * kInLine / Threads;
  static_assert(kEach * Threads == Lines * kInLine);
};

// Copies tile after tile of one operand.
template <class In, int Lines, int Length, int Threads>
struct TileCopier {
  using Tile = MatrixTile<In, Lines, Length, Threads>;
  const In* data;
  int64_t ld, advance;
  int64_t lines, length;  // what the operand still has from this tile on
  bool along_lines;       // the next tile has other lines, not the next elements of these
  bool whole;             // 16 bytes may be copied at a time, and no tile but the last is cut

  __device__ __forceinline__ int line(int e) const {
    return (threadIdx.x + e * Threads) / Tile::kInLine;
  }
  __device__ __forceinline__ int first(int e) const {
    return (threadIdx.x + e * Threads) % Tile::kInLine * Tile::kChunk;
  }
  __device__ __forceinline__ bool full() const {
    return whole && lines >= Lines && length >= Length;
  }
  __device__ __forceinline__ void next() {
    data += advance;
    (along_lines ? lines : length) -= along_lines ? Lines : Length;
  }
  __device__ __forceinline__ void copy_cut(In* tile) const {
#pragma unroll 1
    for (int i = threadIdx.x; i < Lines * Length; i += Threads) {
      const int at = i / Length, e = i % Length;
      In value{};
      if (at < lines && e < length) value = data[at * ld + e];
      tile[at * Tile::kPitch + e] = value;
    }
  }
  __device__ __forceinline__ void copy_async(In* tile) const {
    if (full()) {
#pragma unroll
      for (int e = 0; e < Tile::kEach; ++e)
        __pipeline_memcpy_async(tile + line(e) * Tile::kPitch + first(e),
                                data + line(e) * ld + first(e), 16);
    } else {
      copy_cut(tile);
    }
  }
  // The same in two steps, with registers between them; the compiler would keep an array of uint4
  // in local memory.
  using Values = unsigned[Tile::kEach][4];
  __device__ __forceinline__ void fetch(Values& values) const {
    if (!full()) return;
#pragma unroll
    for (int e = 0; e < Tile::kEach; ++e)
      asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(values[e][0]), "=r"(values[e][1]), "=r"(values[e][2]), "=r"(values[e][3])
                   : "l"(__cvta_generic_to_global(data + line(e) * ld + first(e))));
  }
  __device__ __forceinline__ void keep(In* tile, const Values& values) const {
    if (full()) {
#pragma unroll
      for (int e = 0; e < Tile::kEach; ++e)
        *reinterpret_cast<uint4*>(tile + line(e) * Tile::kPitch + first(e)) =
            make_uint4(values[e][0], values[e][1], values[e][2], values[e][3]);
    } else {
      copy_cut(tile);
    }
  }
};

template <class In, class Sum, int BM, int BN, int BK, bool ADown, bool BDown>
struct MatrixShape {
  static constexpr int kThreads = BM * 2;  // two warps side by side along the rows
  static constexpr int kALines = ADown ? BK : BM, kALength = ADown ? BM : BK;
  static constexpr int kBLines = BDown ? BK : BN, kBLength = BDown ? BN : BK;
  using ATile = MatrixTile<In, kALines, kALength, kThreads>;
  using BTile = MatrixTile<In, kBLines, kBLength, kThreads>;
  static constexpr int kStage = ATile::kElements + BTile::kElements;
  static constexpr int kPatchPitch = BM / 2 + 4, kPatch = 16 * kPatchPitch;  // of a warp's results
  static constexpr size_t bytes(int stages) {
    return std::max<size_t>(stages * kStage * sizeof(In), kThreads / 32 * kPatch * sizeof(Sum));
  }
};

template <class In, class Sum, class Out, int BM, int BN, int BK, bool ADown, bool BDown,
          int Stages>
__global__ void __launch_bounds__(BM * 2)
    multiply_matrix_tiles(const Product<In, Sum, Out> p, int64_t first_batch) {
  namespace wmma = nvcuda::wmma;
  using Shape = MatrixShape<In, Sum, BM, BN, BK, ADown, BDown>;
  using Element = typename FragmentOf<In>::Type;
  constexpr int kDepth = FragmentOf<In>::kDepth;
  constexpr int kWarpRows = BM / 2, kWarpColumns = BN / (BM / 32);
  constexpr int FM = kWarpRows / 16, FN = kWarpColumns / 16;
  using ALayout = std::conditional_t<ADown, wmma::col_major, wmma::row_major>;
  using BLayout = std::conditional_t<BDown, wmma::row_major, wmma::col_major>;
  extern __shared__ __align__(16) unsigned char memory[];
  In* const tiles = reinterpret_cast<In*>(memory);

  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * BM;
  const int64_t first_column = static_cast<int64_t>(blockIdx.y) * BN;
  if (p.skips(first_row, BM, first_column, BN)) return;
  const int64_t batch = first_batch + blockIdx.z;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp % 2 * kWarpRows, warp_column = warp / 2 * kWarpColumns;

  const auto is_whole = [](const In* data, int64_t ld) {
    return reinterpret_cast<uint64_t>(data) % 16 == 0 && ld * sizeof(In) % 16 == 0;
  };
  TileCopier<In, Shape::kALines, Shape::kALength, Shape::kThreads> a;
  a.ld = ADown ? p.a_column : p.a_row;
  a.data = p.a.at(batch) + first_row * p.a_row;
  a.advance = BK * p.a_column;
  a.lines = ADown ? p.k : p.m - first_row;
  a.length = ADown ? p.m - first_row : p.k;
  a.along_lines = ADown;
  a.whole = is_whole(a.data, a.ld);
  TileCopier<In, Shape::kBLines, Shape::kBLength, Shape::kThreads> b;
  b.ld = BDown ? p.b_row : p.b_column;
  b.data = p.b.at(batch) + first_column * p.b_column;
  b.advance = BK * p.b_row;
  b.lines = BDown ? p.k : p.n - first_column;
  b.length = BDown ? p.n - first_column : p.k;
  b.along_lines = BDown;
  b.whole = is_whole(b.data, b.ld);

  wmma::fragment<wmma::accumulator, 16, 16, kDepth, Sum> sums[FM][FN];
#pragma unroll
  for (int i = 0; i < FM; ++i)
#pragma unroll
    for (int j = 0; j < FN; ++j) wmma::fill_fragment(sums[i][j], Sum(0));

  const auto multiply = [&](const In* stage) {
    const In* const a_tile = stage;
    const In* const b_tile = stage + Shape::ATile::kElements;
    constexpr int pitch_a = Shape::ATile::kPitch, pitch_b = Shape::BTile::kPitch;
#pragma unroll
    for (int l = 0; l < BK; l += kDepth) {
      wmma::fragment<wmma::matrix_a, 16, 16, kDepth, Element, ALayout> left[FM];
      wmma::fragment<wmma::matrix_b, 16, 16, kDepth, Element, BLayout> right[FN];
#pragma unroll
      for (int i = 0; i < FM; ++i) {
        const int row = warp_row + i * 16;
        const In* const from = a_tile + (ADown ? l * pitch_a + row : row * pitch_a + l);
        wmma::load_matrix_sync(left[i], from, pitch_a);
      }
#pragma unroll
      for (int j = 0; j < FN; ++j) {
        const int column = warp_column + j * 16;
        const In* const from = b_tile + (BDown ? l * pitch_b + column : column * pitch_b + l);
        wmma::load_matrix_sync(right[j], from, pitch_b);
      }
      if constexpr (std::is_same_v<In, float>) {
#pragma unroll
        for (int i = 0; i < FM; ++i)
          for (int e = 0; e < left[i].num_elements; ++e)
            left[i].x[e] = wmma::__float_to_tf32(left[i].x[e]);
#pragma unroll
        for (int j = 0; j < FN; ++j)
          for (int e = 0; e < right[j].num_elements; ++e)
            right[j].x[e] = wmma::__float_to_tf32(right[j].x[e]);
      }
#pragma unroll
      for (int i = 0; i < FM; ++i)
#pragma unroll
        for (int j = 0; j < FN; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
  };

  const int steps = static_cast<int>((p.k + BK - 1) / BK);
#if __CUDA_ARCH__ >= 800
  int copied = 0, filled = 0;  // steps, and the stage of the next one
  const auto copy = [&] {
    if (copied++ < steps) {
      In* const stage = tiles + filled * Shape::kStage;
      a.copy_async(stage);
      b.copy_async(stage + Shape::ATile::kElements);
      a.next();
      b.next();
    }
    filled = filled + 1 == Stages ? 0 : filled + 1;
    __pipeline_commit();
  };
  for (int s = 0; s < Stages - 1; ++s) copy();
  int used = 0;
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    copy();
    multiply(tiles + used * Shape::kStage);
    used = used + 1 == Stages ? 0 : used + 1;
  }
#else
  typename decltype(a)::Values a_next;
  typename decltype(b)::Values b_next;
  a.fetch(a_next);
  b.fetch(b_next);
  for (int step = 0; step < steps; ++step) {
    In* const stage = tiles + step % Stages * Shape::kStage;
    a.keep(stage, a_next);
    b.keep(stage + Shape::ATile::kElements, b_next);
    __syncthreads();
    if (step + 1 < steps) {
      a.next();
      b.next();
      a.fetch(a_next);
      b.fetch(b_next);
    }
    multiply(stage);
  }
#endif
  __syncthreads();

  Sum* const patch = reinterpret_cast<Sum*>(memory) + warp * Shape::kPatch;
  const Sum alpha = p.alpha.get(), beta = p.beta.get();
  const Out* const c = p.c.at(batch);
  Out* const d = p.d.at(batch);
  const bool plain =
      p.is_plain() && is_zero(beta) && first_row + BM <= p.m && first_column + BN <= p.n;
  // Sixteen columns at a time, so that a warp stores whole lines.
  constexpr int kPatchPitch = Shape::kPatchPitch;
#pragma unroll
  for (int j = 0; j < FN; ++j) {
#pragma unroll
    for (int i = 0; i < FM; ++i)
      wmma::store_matrix_sync(patch + i * 16, sums[i][j], kPatchPitch, wmma::mem_col_major);
    __syncwarp();
    const int64_t row = first_row + warp_row + lane;
    const int64_t column = first_column + warp_column + j * 16;
    if (plain) {
      Out* const to = d + row + column * p.ldd;
#pragma unroll
      for (int e = 0; e < 16; ++e)
#pragma unroll
        for (int i = 0; i < kWarpRows; i += 32)
          to[i + e * p.ldd] = convert<Out>(alpha * patch[lane + i + e * kPatchPitch]);
    } else {
#pragma unroll 1
      for (int e = 0; e < 16; ++e)
        for (int i = 0; i < kWarpRows; i += 32)
          p.store(row + i, column + e, patch[lane + i + e * kPatchPitch], alpha, beta, c, d, batch);
    }
    __syncwarp();
  }
}

// Chooses the kernel for the layouts, and tiles that occupy the SMs.
template <int Stages, int BM, int BN, int BK, class In, class Sum, class Out>
void launch_matrix_tiles(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  const auto run = [&]<bool ADown, bool BDown>() {
    constexpr size_t bytes = MatrixShape<In, Sum, BM, BN, BK, ADown, BDown>::bytes(Stages);
    const auto kernel = multiply_matrix_tiles<In, Sum, Out, BM, BN, BK, ADown, BDown, Stages>;
    if (bytes > 48 << 10)
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    constexpr int64_t kMaxBatches = 65535;
    for (int64_t first = 0; first < count; first += kMaxBatches) {
      const dim3 grid(static_cast<unsigned>(ceil_div(p.m, BM)),
                      static_cast<unsigned>(ceil_div(p.n, BN)),
                      static_cast<unsigned>(std::min(kMaxBatches, count - first)));
      kernel<<<grid, BM * 2, bytes, h.stream>>>(p, first);
    }
  };
  const bool a_down = p.a_row == 1, b_down = p.b_column == 1;
  if (a_down)
    b_down ? run.template operator()<true, true>() : run.template operator()<true, false>();
  else
    b_down ? run.template operator()<false, true>() : run.template operator()<false, false>();
}
template <int Stages, class In, class Sum, class Out>
void launch_best_tiles(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  constexpr int BK = 64 / sizeof(In) > 32 ? 64 : 64 / sizeof(In);
  const int64_t large = ceil_div(p.m, 128) * ceil_div(p.n, 128) * count;
  const int64_t small = ceil_div(p.m, 64) * ceil_div(p.n, 64) * count;
  if (ceil_div(large, h.sms) * 4 <= ceil_div(small, h.sms))
    launch_matrix_tiles<Stages, 128, 128, BK>(h, p, count);
  else
    launch_matrix_tiles<Stages, 64, 64, BK>(h, p, count);
}

}  // namespace heddle::blas
