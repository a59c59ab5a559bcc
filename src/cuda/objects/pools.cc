#include "cuda/objects/pools.h"

namespace heddle::cuda {
namespace {

std::uintptr_t number(cudaMemPool_t pool) { return reinterpret_cast<std::uintptr_t>(pool); }

}  // namespace

Pool* Pools::find(cudaMemPool_t pool) {
  const auto found = pools_.find(number(pool));
  return found == pools_.end() ? nullptr : &found->second;
}

bool Pools::make_current(cudaMemPool_t pool) {
  if (!find(pool)) return false;
  current_ = number(pool);
  return true;
}

bool Pools::destroy(cudaMemPool_t pool) {
  if (number(pool) == kDefault || pools_.erase(number(pool)) == 0) return false;
  if (current_ == number(pool)) current_ = kDefault;
  return true;
}

void Pools::count_allocation(cudaMemPool_t pool, const void* address, std::size_t bytes) {
  allocations_[address] = {number(pool), bytes};
  find(pool)->memory.allocate(bytes);
}

cudaMemPool_t Pools::pool_of(const void* address) const {
  const auto found = allocations_.find(address);
  return found == allocations_.end() ? nullptr
                                     : reinterpret_cast<cudaMemPool_t>(found->second.pool);
}

void Pools::count_free(const void* address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return;
  if (const auto pool = pools_.find(found->second.pool); pool != pools_.end())
    pool->second.memory.free(found->second.bytes);
  allocations_.erase(found);
}

void Pools::trim_all() {
  for (auto& [handle, pool] : pools_) pool.memory.trim(pool.release_threshold);
}

}  // namespace heddle::cuda
