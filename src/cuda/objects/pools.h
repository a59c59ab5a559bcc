// Pools that cudaMallocAsync takes memory from. There is one memory; a pool counts what was taken
// from it and remembers what it was told.
#pragma once

#include <cstdint>
#include <map>

#include "cuda/objects/held_memory.h"
#include "driver_types.h"

namespace heddle::cuda {

struct Pool {
  HeldMemory memory;
  std::size_t most_bytes = 0;           // 0: as much as there is
  std::uint64_t release_threshold = 0;  // bytes that stay held when the host waits
  std::map<cudaMemPoolAttr, int>
      reuse;  // whether freed memory is reused across streams: 1 unless set
};

class Pools {
 public:
  Pools() { pools_[kDefault]; }
  static cudaMemPool_t default_pool() { return reinterpret_cast<cudaMemPool_t>(kDefault); }

  cudaMemPool_t current() const { return reinterpret_cast<cudaMemPool_t>(current_); }
  bool make_current(cudaMemPool_t pool);  // false: there is none such
  Pool* find(cudaMemPool_t pool);         // null: there is none such
  void create(std::uintptr_t handle, std::size_t most_bytes) {
    pools_[handle].most_bytes = most_bytes;
  }
  // What was allocated from it stays until it is freed. The default pool is never destroyed.
  bool destroy(cudaMemPool_t pool);

  void allocated(cudaMemPool_t pool, const void* address, std::size_t bytes);
  void freed(const void* address);  // nothing when it is of no pool
  // The host waits: pools let go of what is above their thresholds.
  void settle();

 private:
  static constexpr std::uintptr_t kDefault = 1;
  struct Taken {
    std::uintptr_t pool = 0;
    std::size_t bytes = 0;
  };
  std::map<std::uintptr_t, Pool> pools_;  // by handle
  std::map<const void*, Taken> taken_;    // by address
  std::uintptr_t current_ = kDefault;
};

}  // namespace heddle::cuda
