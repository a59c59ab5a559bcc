// Products of halves and bfloat16 by warpgroups (wgmma, compute capability 9.0). A warp copies
// tiles by tensor copies, several stages ahead; blocks of a cluster copy a part each of the tiles
// that they share and send it to all of them. The 64 rows of a warpgroup's product are columns of
// D, its 128 columns are rows of D, which are neighbours in memory.
#pragma once
#include <cuda.h>

#include "cublas/product.h"

namespace heddle::blas {

__device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void wait_for_phase(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nWAIT:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::
          "r"(barrier),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void arrive_at_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_for_cluster() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#define HEDDLE_FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define HEDDLE_SIXTEEN(i) \
  HEDDLE_FOUR(i), HEDDLE_FOUR(i + 4), HEDDLE_FOUR(i + 8), HEDDLE_FOUR(i + 12)
#define HEDDLE_WGMMA(types)                                                                       \
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." types                               \
               " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "    \
               "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, " \
               "%33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
               "%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "     \
               "%64, %65, 1, 1, 1, %66, %67;"                                                     \
               : HEDDLE_SIXTEEN(0), HEDDLE_SIXTEEN(16), HEDDLE_SIXTEEN(32), HEDDLE_SIXTEEN(48)    \
               : "l"(left), "l"(right), "n"(LeftDown ? 1 : 0), "n"(RightDown ? 1 : 0))
// d += left * right, 64 x 128 x 16. Down: the neighbours in memory are rows or columns of the
// product, not steps of its sums.
template <class In, bool LeftDown, bool RightDown>
__device__ __forceinline__ void add_product(float (&d)[64], uint64_t left, uint64_t right) {
  if constexpr (std::is_same_v<In, __half>)
    HEDDLE_WGMMA("f16.f16");
  else
    HEDDLE_WGMMA("bf16.bf16");
}
#undef HEDDLE_WGMMA
#undef HEDDLE_SIXTEEN
#undef HEDDLE_FOUR

// A tile of op(A), or of op(B) transposed, in shared memory: lines of 128 bytes, which the copy
// swizzles. Down: the lines of 64 rows follow those of the 64 rows before.
template <int Rows, bool Down>
struct SwizzledTile {
  static constexpr int kLine = 128, kSteps = 64, kBytes = Rows * kLine;

  // What wgmma reads from this row on, and what is added for a later step.
  static __device__ __forceinline__ uint64_t descriptor(unsigned tile, int row) {
    constexpr uint64_t kEightLines = 8 * kLine, k64Rows = 64 * kLine, kSwizzle = 1;
    return (tile + row * kLine) >> 4 | k64Rows >> 4 << 16 | kEightLines >> 4 << 32 | kSwizzle << 62;
  }
  static constexpr uint64_t descriptor_step(int step) { return step * (Down ? kLine : 2) >> 4; }
  // The first line of a part of a tile.
  static __device__ __forceinline__ int first_line(int part, int parts) {
    return part * ((Down ? kSteps : Rows) >> (__ffs(parts) - 1));
  }
  // Copies the part with this first line to the blocks of the mask.
  static __device__ __forceinline__ void copy(const CUtensorMap* map, unsigned tile, int row,
                                              int step, int batch, int first, unsigned barrier,
                                              unsigned mask) {
    if constexpr (Down) {
#pragma unroll
      for (int r = 0; r < Rows; r += 64)
        copy_box(map, tile + (r + first) * kLine, row + r, step + first, batch, barrier, mask);
    } else {
      copy_box(map, tile + first * kLine, step, row + first, batch, barrier, mask);
    }
  }
  static __device__ __forceinline__ void copy_box(const CUtensorMap* map, unsigned to, int x, int y,
                                                  int z, unsigned barrier, unsigned mask) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes."
        "multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
        "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier), "h"(static_cast<unsigned short>(mask))
        : "memory");
  }
};

template <bool ADown, bool BDown, int Groups>
struct WarpgroupShape {
  static constexpr int kRows = 128, kColumns = 64 * Groups, kSteps = 64;
  using ATile = SwizzledTile<kRows, ADown>;
  using BTile = SwizzledTile<kColumns, BDown>;
  static constexpr int kStage = ATile::kBytes + BTile::kBytes;
  static constexpr int kStages = (192 << 10) / kStage, kBytes = kStages * kStage;
  static constexpr int kMultipliers = Groups * 128, kThreads = kMultipliers + 64;
  static constexpr int kPitch = kRows + 8;  // of a column of results
  static_assert(kColumns * kPitch * 4 <= kBytes);
};

// A block's place in its cluster, whose blocks share columns of D along x, rows along y. Width and
// height are powers of two.
struct ClusterPlace {
  int x, y, width, height;
  __device__ __forceinline__ ClusterPlace() {
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(width));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(height));
  }
  // The blocks with the same rows, and those with the same columns: a bit for each.
  __device__ __forceinline__ unsigned with_rows() const {
    unsigned mask = 0;
    for (int i = 0; i < height; ++i) mask |= 1u << (x + i * width);
    return mask;
  }
  __device__ __forceinline__ unsigned with_columns() const {
    return ((1u << width) - 1) << (y * width);
  }
};

// Two neighbours of a column.
__device__ __forceinline__ void write_pair(unsigned to, float first, float second) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to), "f"(first), "f"(second) : "memory");
}
__device__ __forceinline__ void write_pair(unsigned to, unsigned pair) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(pair) : "memory");
}
__device__ __forceinline__ unsigned pack(__half, float first, float second) {
  unsigned pair;
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
__device__ __forceinline__ unsigned pack(__nv_bfloat16, float first, float second) {
  unsigned pair;
  asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
template <int Threads>
__device__ __forceinline__ void synchronize_multipliers() {
  asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
}
// Writes the sums of a block to shared memory, by columns.
template <class Shape, class T>
__device__ __forceinline__ void write_patch(T* patch, const float (&sums)[64], float factor) {
  synchronize_multipliers<Shape::kMultipliers>();  // all tiles there have been multiplied
  const unsigned to = shared_address(
      patch + (threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4) * Shape::kPitch + threadIdx.x % 4 * 2);
  constexpr auto place = [](int i) -> unsigned {
    return (i / 2 % 2 * 8 * Shape::kPitch + i / 4 * 8) * sizeof(T);
  };
  if constexpr (std::is_same_v<T, float>) {
#pragma unroll
    for (int i = 0; i < 64; i += 2)
      write_pair(to + place(i), factor * sums[i], factor * sums[i + 1]);
  } else {
    // All before the first store, so that no store waits for its conversion.
    unsigned pairs[32];
#pragma unroll
    for (int i = 0; i < 64; i += 2)
      pairs[i / 2] = pack(T(), factor * sums[i], factor * sums[i + 1]);
#pragma unroll
    for (int i = 0; i < 64; i += 2) write_pair(to + place(i), pairs[i / 2]);
  }
  synchronize_multipliers<Shape::kMultipliers>();
}
template <class Shape, class In, class Out>
__device__ __forceinline__ void store_sums(const Product<In, float, Out>& p, unsigned char* memory,
                                           const float (&sums)[64], int64_t row, int64_t column,
                                           int64_t batch) {
  const float alpha = p.alpha.get(), beta = p.beta.get();
  const Out* const c = p.c.at(batch);
  Out* const d = p.d.at(batch);
  constexpr int kChunk = 16 / sizeof(Out), kInColumn = Shape::kRows / kChunk;
  constexpr int kStep = Shape::kMultipliers / kInColumn;  // columns
  if (p.is_plain() && is_zero(beta) && row + Shape::kRows <= p.m &&
      column + Shape::kColumns <= p.n && reinterpret_cast<uint64_t>(d) % 16 == 0 &&
      p.ldd % kChunk == 0) {
    Out* const patch = reinterpret_cast<Out*>(memory);
    write_patch<Shape>(patch, sums, alpha);
    const int r = threadIdx.x % kInColumn * kChunk, first = threadIdx.x / kInColumn;
    const unsigned from = shared_address(patch + first * Shape::kPitch + r);
    Out* const to = d + row + r + (column + first) * p.ldd;
    constexpr int kEach = Shape::kColumns / kStep;
    unsigned values[kEach][4];
#pragma unroll
    for (int e = 0; e < kEach; ++e)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+%5];"
                   : "=r"(values[e][0]), "=r"(values[e][1]), "=r"(values[e][2]), "=r"(values[e][3])
                   : "r"(from), "n"(e * kStep * Shape::kPitch * sizeof(Out)));
#pragma unroll
    for (int e = 0; e < kEach; ++e)
      *reinterpret_cast<uint4*>(to + e * kStep * p.ldd) =
          make_uint4(values[e][0], values[e][1], values[e][2], values[e][3]);
    return;
  }
  float* const patch = reinterpret_cast<float*>(memory);
  write_patch<Shape>(patch, sums, 1.f);
#pragma unroll 1
  for (int i = threadIdx.x; i < Shape::kRows * Shape::kColumns; i += Shape::kMultipliers) {
    const int r = i % Shape::kRows, e = i / Shape::kRows;
    p.store(row + r, column + e, patch[e * Shape::kPitch + r], alpha, beta, c, d, batch);
  }
}

// A stage of the tiles, and how often it has been used.
template <int Stages>
struct Turn {
  int stage = 0;
  unsigned parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == Stages) stage = 0, parity ^= 1;
  }
};

template <class In, class Out, bool ADown, bool BDown, int Groups>
__global__ void __launch_bounds__(Groups * 128 + 64)
    multiply_by_warpgroups(const __grid_constant__ CUtensorMap a_map,
                           const __grid_constant__ CUtensorMap b_map,
                           const Product<In, float, Out> p, int64_t first_batch) {
  using Shape = WarpgroupShape<ADown, BDown, Groups>;
  using ATile = typename Shape::ATile;
  using BTile = typename Shape::BTile;
  constexpr int kStages = Shape::kStages;
  extern __shared__ __align__(1024) unsigned char memory[];
  // Of each stage: its tiles have arrived; this block has multiplied them; so have all blocks to
  // which this one copies.
  __shared__ uint64_t barriers[3][kStages];
  const unsigned stages = shared_address(memory), full = shared_address(barriers[0]),
                 used = shared_address(barriers[1]), empty = shared_address(barriers[2]);
  const ClusterPlace place;
  const int first_row = blockIdx.x * Shape::kRows, first_column = blockIdx.y * Shape::kColumns;
  const int64_t batch = first_batch + blockIdx.z;
  const int steps = static_cast<int>((p.k + Shape::kSteps - 1) / Shape::kSteps);

  if (threadIdx.x < 3 * kStages) {
    const int kind = threadIdx.x / kStages;
    const int arrivals = kind == 0 ? 1 : kind == 1 ? Groups : place.width + place.height - 1;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full + threadIdx.x * 8), "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncwarp();
  arrive_at_cluster();

  Turn<kStages> turn;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == Shape::kMultipliers / 32) {  // copies
    const unsigned a_mask = place.with_rows(), b_mask = place.with_columns();
    const int a_batch = p.a.stride ? static_cast<int>(batch) : 0,
              b_batch = p.b.stride ? static_cast<int>(batch) : 0;
    const int a_first = ATile::first_line(place.y, place.height),
              b_first = BTile::first_line(place.x, place.width);
    wait_for_cluster();
    for (int s = 0; s < steps && lane == 0; ++s, turn.next()) {
      const unsigned tiles = stages + turn.stage * Shape::kStage, barrier = full + turn.stage * 8;
      if (s >= kStages) wait_for_phase(empty + turn.stage * 8, turn.parity ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier),
                   "r"(Shape::kStage)
                   : "memory");
      ATile::copy(&a_map, tiles, first_row, s * Shape::kSteps, a_batch, a_first, barrier, a_mask);
      BTile::copy(&b_map, tiles + ATile::kBytes, first_column, s * Shape::kSteps, b_batch, b_first,
                  barrier, b_mask);
    }
    __syncwarp();
    arrive_at_cluster();
    wait_for_cluster();
    return;
  }
  if (warp > Shape::kMultipliers / 32) {
    // Says to each block that copies to this one that a stage is empty, because the warps that
    // multiply would wait for the answer.
    const int x = lane & (place.width - 1), y = lane >> (__ffs(place.width) - 1);
    const bool notifies = y < place.height && (x == place.x || y == place.y);
    unsigned remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(empty), "r"(lane));
    wait_for_cluster();
    for (int s = 0; s < steps - kStages; ++s, turn.next()) {
      wait_for_phase(used + turn.stage * 8, turn.parity);
      if (notifies)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                         remote + turn.stage * 8)
                     : "memory");
      __syncwarp();
    }
    arrive_at_cluster();
    wait_for_cluster();
    return;
  }
  float sums[64];
#pragma unroll
  for (float& sum : sums) sum = 0;
  const int group = threadIdx.x / 128;
  const uint64_t b_row = BTile::descriptor(stages + ATile::kBytes, group * 64),
                 a_row = ATile::descriptor(stages, 0);
  wait_for_cluster();
  wait_for_phase(full, 0);
  for (int s = 0; s < steps; ++s) {
    const uint64_t tiles = turn.stage * (Shape::kStage >> 4);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int l = 0; l < Shape::kSteps; l += 16)
      add_product<In, BDown, ADown>(sums, b_row + tiles + BTile::descriptor_step(l),
                                    a_row + tiles + ATile::descriptor_step(l));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    // Here the products of this step still run. The next tiles are waited for first: copies into
    // the stage of the last step would keep the load/store unit from it.
    const unsigned last = used + (turn.stage == 0 ? kStages - 1 : turn.stage - 1) * 8;
    turn.next();
    if (s + 1 < steps) wait_for_phase(full + turn.stage * 8, turn.parity);
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (s > 0 && threadIdx.x % 128 == 0)
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(last) : "memory");
    __syncwarp();
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  arrive_at_cluster();
  store_sums<Shape>(p, memory, sums, first_row, first_column, batch);
  // Until then other blocks arrive at barriers of this one.
  wait_for_cluster();
}

}  // namespace heddle::blas
