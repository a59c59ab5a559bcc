// Memory pools of cudaMallocAsync. All pools share the device memory; a pool counts what was
// allocated from it and stores its attributes.
#pragma once

#include <cstdint>
#include <map>

#include "cuda/objects/reserved_memory.h"
#include "driver_types.h"

namespace heddle::cuda {

struct Pool {
  ReservedMemory memory;
  std::size_t max_bytes = 0;             // 0: unlimited
  std::uint64_t release_threshold = 0;   // bytes that stay reserved when the host synchronizes
  std::map<cudaMemPoolAttr, int> reuse;  // reuse of freed memory across streams: 1 unless set
};

class Pools {
 public:
  Pools() { pools_[kDefault]; }
  static cudaMemPool_t default_pool() { return reinterpret_cast<cudaMemPool_t>(kDefault); }

  cudaMemPool_t current() const { return reinterpret_cast<cudaMemPool_t>(current_); }
  bool make_current(cudaMemPool_t pool);  // false: no such pool
  Pool* find(cudaMemPool_t pool);         // null: no such pool
  void create(std::uintptr_t handle, std::size_t max_bytes) {
    pools_[handle].max_bytes = max_bytes;
  }
  // Memory that was allocated from it stays allocated. False: no such pool, or the default pool,
  // which is never destroyed.
  bool destroy(cudaMemPool_t pool);

  void count_allocation(cudaMemPool_t pool, const void* address, std::size_t bytes);
  void count_free(const void* address);  // no effect when the address belongs to no pool
  // Null when the address belongs to no pool.
  cudaMemPool_t pool_of(const void* address) const;
  // The host synchronizes: pools release what exceeds their thresholds.
  void trim_all();

 private:
  static constexpr std::uintptr_t kDefault = 1;
  struct Allocation {
    std::uintptr_t pool = 0;
    std::size_t bytes = 0;
  };
  std::map<std::uintptr_t, Pool> pools_;           // by handle
  std::map<const void*, Allocation> allocations_;  // by address
  std::uintptr_t current_ = kDefault;
};

}  // namespace heddle::cuda
