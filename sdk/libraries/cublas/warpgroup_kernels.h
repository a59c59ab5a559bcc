// Products of halves and bfloat16 by warpgroups (wgmma, compute capability 9.0). A warp copies
// tiles by tensor copies, several stages ahead; blocks of a cluster copy a part each of the tiles
// that they share and send it to all of them. The 64 rows of a warpgroup's product are columns of
// D, its 128 columns are rows of D, which are neighbours in memory.
#pragma once
#include <cuda.h>

#include "cublas/warpgroup_results.h"

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
  // The blocks with the same rows, and those with the same columns: a bit for each. The former are
  // a shift of those with x = 0.
  __device__ __forceinline__ unsigned with_rows(unsigned of_first) const { return of_first << x; }
  __device__ __forceinline__ unsigned with_columns() const {
    return ((1u << width) - 1) << (y * width);
  }
};

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
                           const Product<In, float, Out> p, unsigned blocks_of_first_rows) {
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
  if (threadIdx.x < 3 * kStages) {
    const int arrivals = threadIdx.x < kStages       ? 1
                         : threadIdx.x < 2 * kStages ? Groups
                                                     : place.width + place.height - 1;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full + threadIdx.x * 8), "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncwarp();
  arrive_at_cluster();

  // What precedes the wait for the cluster is computed during that wait.
  const int first_row = blockIdx.x * Shape::kRows, first_column = blockIdx.y * Shape::kColumns;
  const int64_t batch = blockIdx.z;
  int steps = static_cast<int>((static_cast<uint64_t>(p.k) + Shape::kSteps - 1) / Shape::kSteps);
  compute_here(steps);
  Turn<kStages> turn;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == Shape::kMultipliers / 32) {  // copies
    unsigned a_mask = place.with_rows(blocks_of_first_rows), b_mask = place.with_columns();
    int a_batch = p.a.stride ? static_cast<int>(batch) : 0,
        b_batch = p.b.stride ? static_cast<int>(batch) : 0,
        a_first = ATile::first_line(place.y, place.height),
        b_first = BTile::first_line(place.x, place.width);
    compute_here(a_mask), compute_here(b_mask), compute_here(a_batch), compute_here(b_batch);
    compute_here(a_first), compute_here(b_first);
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
  const WholeTile<Shape, Out> tile(p, stages, first_row, first_column, batch);
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
  if (tile.is_whole) {
    tile.store(sums);
  } else {
    write_patch<Shape, float>(place_in_patch<Shape, float>(stages), sums);
    store_each<Shape>(p, reinterpret_cast<const float*>(memory), first_row, first_column, batch);
  }
  // Until then other blocks arrive at barriers of this one.
  wait_for_cluster();
}

}  // namespace heddle::blas
