// Part of cooperative_groups.h: tiles of several warps (64 to 1024 threads), which synchronize
// and exchange values through their own shared memory.
#pragma once

namespace cooperative_groups {

// Shared memory that programs for targets before sm_80 reserve for such tiles. Heddle's tiles have
// their own, so it is unused.
template <unsigned int most_threads = 1024>
struct block_tile_memory {};
template <unsigned int most_threads>
static __device__ __forceinline__ thread_block this_thread_block(block_tile_memory<most_threads>&) {
  return {};
}

namespace details {

// The number of warps of each tile that have arrived at its synchronizations. Tiles of one size
// share it.
template <unsigned int tile>
static __device__ __forceinline__ unsigned int* arrivals() {
  __shared__ unsigned int counts[1024 / tile];
  return counts;
}
// A value of every warp of the block.
template <unsigned int tile, class T>
static __device__ __forceinline__ T* warp_values() {
  __shared__ __align__(16) unsigned char room[32 * sizeof(T)];
  return reinterpret_cast<T*>(room);
}

}  // namespace details

template <unsigned int tile, class Parent>
class thread_block_tile<tile, Parent, true> : public details::tile_base {
  static_assert(tile <= 1024 && (tile & (tile - 1)) == 0,
                "tiles of several warps have 64, 128, 256, 512 or 1024 threads");
  static constexpr unsigned int warps = tile / 32;

 public:
  // All threads of the parent create it together and clear the counts of its tiles.
  template <class From>
  __device__ thread_block_tile(details::part_of, const From& parent)
      : tiles_((static_cast<unsigned int>(parent.size()) + tile - 1) / tile) {
    const auto rank = static_cast<unsigned int>(parent.thread_rank());
    parent.sync();
    if (rank < tiles_)
      details::arrivals<tile>()[(details::thread_in_block() - rank) / tile + rank] = 0;
    parent.sync();
  }
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<tile, Other, true>& other)
      : tiles_(other.meta_group_size()) {}
  // When the last warp arrives, the count is a multiple of the number of warps.
  __device__ void sync() const {
    __syncwarp();
    if (details::lane_of_warp() == 0) {
      unsigned int* const count = details::arrivals<tile>() + details::thread_in_block() / tile;
      __threadfence_block();
      const unsigned int meeting = atomicAdd(count, 1u) / warps;
      while (*static_cast<volatile unsigned int*>(count) / warps == meeting) {}
      __threadfence_block();
    }
    __syncwarp();
  }
  static __device__ __forceinline__ unsigned int thread_rank() {
    return details::thread_in_block() & (tile - 1);
  }
  static constexpr __device__ unsigned int size() { return tile; }
  static constexpr __device__ unsigned int num_threads() { return tile; }
  __device__ unsigned int meta_group_rank() const {
    return details::thread_in_block() / tile % tiles_;
  }
  __device__ unsigned int meta_group_size() const { return tiles_; }

  template <class T>
  __device__ T shfl(T value, unsigned int rank) const {
    if (thread_rank() == rank) own_warp<T>()[0 - thread_rank() / 32] = value;
    sync();
    const T result = *first_warp<T>();
    sync();
    return result;
  }
  __device__ int any(int predicate) const {
    return fold<int>(__any_sync(~0u, predicate), [](int a, int b) { return a | b; });
  }
  __device__ int all(int predicate) const {
    return fold<int>(__all_sync(~0u, predicate), [](int a, int b) { return a & b; });
  }

  // Combines one value per warp: of all warps, or of the warps before this one, and whether there
  // are any.
  template <class T, class Operator>
  __device__ T fold(T value, Operator combine) const {
    if (details::lane_of_warp() == 0) *own_warp<T>() = value;
    sync();
    T total = first_warp<T>()[0];
    for (unsigned int i = 1; i < warps; ++i) total = combine(total, first_warp<T>()[i]);
    sync();
    return total;
  }
  template <class T, class Operator>
  __device__ bool fold_before(T value, Operator combine, T* before) const {
    if (details::lane_of_warp() == 31) *own_warp<T>() = value;
    sync();
    const unsigned int own = thread_rank() / 32;
    *before = first_warp<T>()[0];
    for (unsigned int i = 1; i < own; ++i) *before = combine(*before, first_warp<T>()[i]);
    sync();
    return own > 0;
  }

 private:
  template <class T>
  static __device__ T* own_warp() {
    return details::warp_values<tile, T>() + details::thread_in_block() / 32;
  }
  template <class T>
  static __device__ T* first_warp() {
    return details::warp_values<tile, T>() + details::thread_in_block() / tile * warps;
  }
  unsigned int tiles_;
};

// First within the tile's warps, then within the tile.
template <unsigned int tile, class Parent, class T, class Operator>
static __device__ __forceinline__ T reduce(const thread_block_tile<tile, Parent, true>& group,
                                           T value, Operator combine) {
  return group.fold(reduce(tiled_partition<32>(group), value, combine), combine);
}
template <unsigned int tile, class Parent, class T, class Operator>
static __device__ __forceinline__ T
inclusive_scan(const thread_block_tile<tile, Parent, true>& group, T value, Operator combine) {
  const T own = inclusive_scan(tiled_partition<32>(group), value, combine);
  T before;
  return group.fold_before(own, combine, &before) ? combine(before, own) : own;
}
template <unsigned int tile, class Parent, class T, class Operator>
static __device__ __forceinline__ T
exclusive_scan(const thread_block_tile<tile, Parent, true>& group, T value, Operator combine) {
  const auto warp = tiled_partition<32>(group);
  const T own = inclusive_scan(warp, value, combine), below = warp.shfl_up(own, 1);
  T before;
  const bool follows = group.fold_before(own, combine, &before), first = warp.thread_rank() == 0;
  if (!follows) return first ? T{} : below;
  return first ? before : combine(before, below);
}

}  // namespace cooperative_groups
