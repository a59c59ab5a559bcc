// Cooperative groups: threads that synchronize, exchange values and reduce together. Blocks use
// barrier 0, parts of a warp use warp intrinsics, and grids use a counter in the workspace at the
// address in %envreg1 and %envreg2.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__)
namespace cooperative_groups {

namespace details {
static __device__ __forceinline__ unsigned int lane_of_warp() {
  unsigned int own;
  asm("mov.u32 %0, %%laneid;" : "=r"(own));
  return own;
}
static __device__ __forceinline__ unsigned int lanes_below() {
  unsigned int mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
static __device__ __forceinline__ unsigned int own_lane() { return 1u << lane_of_warp(); }
static __device__ __forceinline__ unsigned int thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ unsigned long long workspace() {
  unsigned int high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  return static_cast<unsigned long long>(high) << 32 | low;
}
struct tile_base {};
struct part_of {};

// Values of any size are exchanged word by word.
template <class T, class Move>
static __device__ __forceinline__ T by_words(T value, Move move) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned int w[words] = {};
  __builtin_memcpy(w, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) w[i] = move(w[i]);
  T result = value;
  __builtin_memcpy(&result, w, sizeof(T));
  return result;
}
}  // namespace details

class thread_group {
 public:
  enum kind { block_kind, grid_kind, warp_kind };
  __device__ thread_group(kind which, unsigned int mask) : kind_(which), mask_(mask) {}
  __device__ unsigned int size() const {
    if (kind_ == block_kind) return blockDim.x * blockDim.y * blockDim.z;
    return kind_ == warp_kind
               ? __popc(mask_)
               : gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
  }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    if (kind_ == block_kind) return details::thread_in_block();
    if (kind_ == warp_kind) return __popc(mask_ & details::lanes_below());
    return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
               (blockDim.x * blockDim.y * blockDim.z) +
           details::thread_in_block();
  }
  __device__ void sync() const;
  __device__ bool is_valid() const { return kind_ != grid_kind || details::workspace() != 0; }
  __device__ unsigned int lane_mask() const { return mask_; }
  __device__ kind group_kind() const { return kind_; }

 protected:
  kind kind_;
  unsigned int mask_;
};

class grid_group : public thread_group {
 public:
  __device__ grid_group() : thread_group(grid_kind, 0) {}
  struct arrival_token {
    unsigned int before = 0;
  };
  // Every block adds 1, except the first, whose addend makes the sign bit flip when all have
  // arrived.
  static __device__ arrival_token barrier_arrive() {
    __syncthreads();
    arrival_token token;
    if (details::thread_in_block() == 0) {
      const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
      const bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
      __threadfence();
      token.before = atomicAdd(reinterpret_cast<unsigned int*>(details::workspace()) + 1,
                               first ? 0x80000000u - (blocks - 1) : 1u);
    }
    return token;
  }
  static __device__ void barrier_wait(arrival_token&& token) {
    if (details::thread_in_block() == 0) {
      volatile unsigned int* const arrived =
          reinterpret_cast<unsigned int*>(details::workspace()) + 1;
      while (((token.before ^ *arrived) & 0x80000000u) == 0) {}
      __threadfence();
    }
    __syncthreads();
  }
  static __device__ void sync() { barrier_wait(barrier_arrive()); }
  static __device__ dim3 group_dim() { return gridDim; }
  static __device__ dim3 dim_blocks() { return gridDim; }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ dim3 block_index() { return blockIdx; }
  static __device__ unsigned int block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  static __device__ dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static __device__ unsigned long long num_clusters() {
    const dim3 clusters = dim_clusters();
    return static_cast<unsigned long long>(clusters.x) * clusters.y * clusters.z;
  }
  static __device__ dim3 cluster_index() { return __clusterIdx(); }
  static __device__ unsigned int cluster_rank() {
    const dim3 clusters = dim_clusters(), index = cluster_index();
    return (index.z * clusters.y + index.y) * clusters.x + index.x;
  }
#endif
  __device__ unsigned long long size() const { return thread_group::size(); }
  __device__ unsigned long long num_threads() const { return thread_group::size(); }
  __device__ unsigned long long thread_rank() const { return thread_group::thread_rank(); }
};
static __device__ __forceinline__ grid_group this_grid() { return {}; }

class thread_block : public thread_group {
 public:
  __device__ thread_block() : thread_group(block_kind, 0) {}
  static __device__ __forceinline__ void sync() { __syncthreads(); }
  static __device__ __forceinline__ unsigned int thread_rank() {
    return details::thread_in_block();
  }
  static __device__ __forceinline__ unsigned int size() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  static __device__ __forceinline__ unsigned int num_threads() { return size(); }
  static __device__ __forceinline__ dim3 group_index() { return blockIdx; }
  static __device__ __forceinline__ dim3 thread_index() { return threadIdx; }
  static __device__ __forceinline__ dim3 group_dim() { return blockDim; }
  static __device__ __forceinline__ dim3 dim_threads() { return blockDim; }
  // All threads use one barrier: arrive does nothing, wait is the barrier.
  struct arrival_token {};
  static __device__ __forceinline__ arrival_token barrier_arrive() { return {}; }
  static __device__ __forceinline__ void barrier_wait(arrival_token&&) { __syncthreads(); }
};
static __device__ __forceinline__ thread_block this_thread_block() { return {}; }

__device__ __forceinline__ void thread_group::sync() const {
  if (kind_ == block_kind)
    __syncthreads();
  else if (kind_ == warp_kind)
    __syncwarp(mask_);
  else
    grid_group::sync();
}

template <unsigned int tile, class Parent = void, bool several_warps = (tile > 32)>
class thread_block_tile;

// The threads of one warp that a mask contains. A part of a group knows the number of parts and its
// own index.
class coalesced_group : public thread_group {
 public:
  __device__ explicit coalesced_group(unsigned int mask, unsigned int part = 0,
                                      unsigned int parts = 1)
      : thread_group(warp_kind, mask), part_(part), parts_(parts) {}
  template <unsigned int tile, class Parent>
  __device__ coalesced_group(const thread_block_tile<tile, Parent>& group)
      : thread_group(group), part_(group.meta_group_rank()), parts_(group.meta_group_size()) {}
  __device__ void sync() const { __syncwarp(mask_); }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    const int from = nth(rank);
    return details::by_words(value, [&](unsigned int w) { return __shfl_sync(mask_, w, from); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    const unsigned int target = thread_rank() + delta;
    return shfl(value,
                target < size() ? static_cast<int>(target) : static_cast<int>(thread_rank()));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    const int target = static_cast<int>(thread_rank()) - static_cast<int>(delta);
    return shfl(value, target >= 0 ? target : static_cast<int>(thread_rank()));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return pack(__ballot_sync(mask_, predicate));
  }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return pack(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& equal) const {
    return pack(__match_all_sync(mask_, value, &equal));
  }
  __device__ unsigned int meta_group_size() const { return parts_; }
  __device__ unsigned int meta_group_rank() const { return part_; }

 private:
  unsigned int part_, parts_;
  // The lane of the rank-th member.
  __device__ int nth(int rank) const {
    unsigned int rest = mask_;
    for (int i = 0; i < rank && (rest & (rest - 1)); ++i) rest &= rest - 1;
    return __ffs(static_cast<int>(rest)) - 1;
  }
  // The members' bits, packed by rank.
  __device__ unsigned int pack(unsigned int spread) const {
    unsigned int packed = 0, at = 0;
    for (unsigned int rest = mask_; rest; rest &= rest - 1, ++at)
      packed |= (spread >> (__ffs(static_cast<int>(rest)) - 1) & 1u) << at;
    return packed;
  }
};
static __device__ __forceinline__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// An aligned part of a warp, of a size known at compile time. It stores the number of tiles of its
// parent and its own index.
template <unsigned int tile, class Parent>
class thread_block_tile<tile, Parent, false> : public thread_group, public details::tile_base {
  static_assert(tile >= 1 && (tile & (tile - 1)) == 0,
                "tiles of a warp have 1, 2, 4, 8, 16 or 32 threads");

 public:
  template <class From>
  __device__ thread_block_tile(details::part_of, const From& parent)
      : thread_group(warp_kind, whole() << (details::lane_of_warp() & ~(tile - 1))),
        tile_of_parent_(static_cast<unsigned int>(parent.thread_rank()) / tile),
        tiles_((static_cast<unsigned int>(parent.size()) + tile - 1) / tile) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<tile, Other>& other)
      : thread_group(other),
        tile_of_parent_(other.meta_group_rank()),
        tiles_(other.meta_group_size()) {}
  __device__ void sync() const { __syncwarp(mask_); }
  static __device__ __forceinline__ unsigned int thread_rank() {
    return details::thread_in_block() & (tile - 1);
  }
  static constexpr __device__ unsigned int size() { return tile; }
  static constexpr __device__ unsigned int num_threads() { return tile; }
  __device__ unsigned int meta_group_rank() const { return tile_of_parent_; }
  __device__ unsigned int meta_group_size() const { return tiles_; }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return details::by_words(value,
                             [&](unsigned int w) { return __shfl_sync(mask_, w, rank, tile); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return details::by_words(
        value, [&](unsigned int w) { return __shfl_down_sync(mask_, w, delta, tile); });
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return details::by_words(value,
                             [&](unsigned int w) { return __shfl_up_sync(mask_, w, delta, tile); });
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int lanes) const {
    return details::by_words(
        value, [&](unsigned int w) { return __shfl_xor_sync(mask_, w, lanes, tile); });
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return place(__ballot_sync(mask_, predicate));
  }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return place(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& equal) const {
    return place(__match_all_sync(mask_, value, &equal));
  }

 private:
  static constexpr __device__ unsigned int whole() {
    return tile == 32 ? 0xffffffffu : (1u << (tile & 31)) - 1;
  }
  unsigned int tile_of_parent_, tiles_;
  __device__ unsigned int place(unsigned int spread) const {
    return (spread & mask_) >> (details::lane_of_warp() & ~(tile - 1));
  }
};

template <unsigned int tile, class Parent>
static __device__ __forceinline__ thread_block_tile<tile, Parent> tiled_partition(
    const Parent& parent) {
  return thread_block_tile<tile, Parent>(details::part_of{}, parent);
}
static __device__ __forceinline__ thread_group tiled_partition(const thread_group&,
                                                               unsigned int tile) {
  const unsigned int whole = tile >= 32 ? 0xffffffffu : (1u << tile) - 1;
  return {thread_group::warp_kind, whole << (details::lane_of_warp() & ~(tile - 1))};
}
template <class Group>
static __device__ __forceinline__ coalesced_group binary_partition(const Group& group,
                                                                   bool predicate) {
  const unsigned int all = group.lane_mask(), yes = __ballot_sync(all, predicate), no = all & ~yes;
  const bool both = yes && no;
  return coalesced_group(predicate ? yes : no, both && predicate, both ? 2 : 1);
}
// The parts are ordered by their lowest lanes.
template <class Group, class T>
static __device__ __forceinline__ coalesced_group labeled_partition(const Group& group, T label) {
  const unsigned int same = __match_any_sync(group.lane_mask(), label), first = same & (0u - same);
  const unsigned int firsts = __ballot_sync(group.lane_mask(), (first & details::own_lane()) != 0);
  return coalesced_group(same, __popc(firsts & (first - 1)), __popc(firsts));
}
// Partitions of a group with arbitrary lanes: by rank.
static __device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& group,
                                                                  unsigned int tile) {
  const unsigned int part = group.thread_rank() / tile, first = part * tile;
  unsigned int members = 0, rest = group.lane_mask();
  for (unsigned int rank = 0; rest; ++rank, rest &= rest - 1) {
    if (rank - first < tile) members |= rest & (0u - rest);
  }
  return coalesced_group(members, part, (group.size() + tile - 1) / tile);
}

template <class Group>
static __device__ __forceinline__ void sync(const Group& group) {
  group.sync();
}
template <class Group>
static __device__ __forceinline__ unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
static __device__ __forceinline__ unsigned long long group_size(const Group& group) {
  return group.size();
}

// The operators of reductions and scans.
template <class T = void>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T = void>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

// Every member gets the result.
template <class Group, class T, class Operator>
static __device__ __forceinline__ T reduce(const Group& group, T value, Operator combine) {
  const unsigned int members = group.size(), rank = group.thread_rank();
  for (unsigned int step = 1; step < members; step *= 2) {
    const T other = group.shfl_down(value, step);
    if (rank + step < members) value = combine(value, other);
  }
  return group.shfl(value, 0);
}
template <class Group, class T, class Operator>
static __device__ __forceinline__ T inclusive_scan(const Group& group, T value, Operator combine) {
  const unsigned int members = group.size(), rank = group.thread_rank();
  for (unsigned int step = 1; step < members; step *= 2) {
    const T other = group.shfl_up(value, step);
    if (rank >= step) value = combine(other, value);
  }
  return value;
}
template <class Group, class T>
static __device__ __forceinline__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>{});
}
template <class Group, class T, class Operator>
static __device__ __forceinline__ T exclusive_scan(const Group& group, T value, Operator combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
// The members' values are reduced, and one atomic operation updates the variable.
template <class Group, class T, class Value, class Operator>
static __device__ __forceinline__ void reduce_store_async(const Group& group, T* target,
                                                          Value value, Operator combine) {
  const T total = reduce(group, static_cast<T>(value), combine);
  if (group.thread_rank() == 0) *target = total;
}
template <class Group, class T>
static __device__ __forceinline__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>{});
}

// The threads of the group copy together; the copy is complete after wait.
template <class Group, class T>
static __device__ __forceinline__ void memcpy_async(const Group& group, T* to, const T* from,
                                                    size_t bytes) {
  auto* const target = reinterpret_cast<unsigned char*>(to);
  const auto* const source = reinterpret_cast<const unsigned char*>(from);
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes) % 4 == 0) {
    for (size_t i = group.thread_rank(); i < bytes / 4; i += group.size())
      reinterpret_cast<unsigned int*>(to)[i] = reinterpret_cast<const unsigned int*>(from)[i];
  } else {
    for (size_t i = group.thread_rank(); i < bytes; i += group.size()) target[i] = source[i];
  }
}
// With the numbers of elements of both sides: the smaller one is copied.
template <class Group, class T>
static __device__ __forceinline__ void memcpy_async(const Group& group, T* to, size_t room,
                                                    const T* from, size_t count) {
  memcpy_async(group, to, from, sizeof(T) * (count < room ? count : room));
}
template <class Group>
static __device__ __forceinline__ void wait(const Group& group) {
  group.sync();
}
template <int stage, class Group>
static __device__ __forceinline__ void wait_prior(const Group& group) {
  group.sync();
}

// Selects one member to execute a function.
template <class Group, class Work, class... Arguments>
static __device__ __forceinline__ void invoke_one(const Group& group, Work&& work,
                                                  Arguments&&... arguments) {
  if (group.thread_rank() == 0) work(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Work, class... Arguments>
static __device__ __forceinline__ auto invoke_one_broadcast(const Group& group, Work&& work,
                                                            Arguments&&... arguments)
    -> decltype(work(static_cast<Arguments&&>(arguments)...)) {
  decltype(work(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = work(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

// The calling thread as a group.
static __device__ __forceinline__ thread_block_tile<1> this_thread() {
  return tiled_partition<1>(this_thread_block());
}

}  // namespace cooperative_groups
#include "heddle/cluster_group.h"
#include "heddle/group_updates.h"
#include "heddle/wide_tiles.h"
#endif
