// Part of cooperative_groups.h: clusters of thread blocks.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP
#endif

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};
  static __device__ __forceinline__ arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    return {};
  }
  static __device__ __forceinline__ void barrier_wait() {
    asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  static __device__ __forceinline__ void barrier_wait(arrival_token&&) { barrier_wait(); }
  static __device__ __forceinline__ void sync() { barrier_wait(barrier_arrive()); }

  static __device__ __forceinline__ dim3 block_index() {
    dim3 index;
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(index.x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(index.y));
    asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(index.z));
    return index;
  }
  static __device__ __forceinline__ dim3 dim_blocks() {
    dim3 blocks;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks.x));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(blocks.y));
    asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(blocks.z));
    return blocks;
  }
  static __device__ __forceinline__ unsigned int block_rank() {
    unsigned int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
  }
  static __device__ __forceinline__ unsigned int num_blocks() {
    unsigned int blocks;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
  }
  static __device__ __forceinline__ dim3 thread_index() {
    const dim3 own = block_index();
    return dim3(own.x * blockDim.x + threadIdx.x, own.y * blockDim.y + threadIdx.y,
                own.z * blockDim.z + threadIdx.z);
  }
  static __device__ __forceinline__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __device__ __forceinline__ unsigned int thread_rank() {
    return block_rank() * thread_block::size() + details::thread_in_block();
  }
  static __device__ __forceinline__ unsigned int num_threads() {
    return num_blocks() * thread_block::size();
  }
  static __device__ __forceinline__ unsigned int size() { return num_threads(); }

  // Shared memory of the block with this rank.
  template <class T>
  static __device__ __forceinline__ T* map_shared_rank(T* address, int rank) {
    unsigned long long mapped;
    asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
    return reinterpret_cast<T*>(mapped);
  }
  static __device__ __forceinline__ unsigned int query_shared_rank(const void* address) {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
  }
};
static __device__ __forceinline__ cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
