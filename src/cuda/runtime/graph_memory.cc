#include "cuda/runtime/graph_memory.h"

#include <algorithm>

namespace heddle::cuda {
namespace {

// The unit in which CUDA maps memory (cuMemGetAllocationGranularity).
constexpr std::size_t kPageBytes = std::size_t{2} << 20;

std::size_t pages_of(const GraphBlock& block) { return (block.bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

}  // namespace

std::shared_ptr<GraphBlock> GraphMemory::reserve(exec::GlobalMemory& memory, std::size_t bytes) {
  const Address address = memory.allocate(bytes, "memory of a graph");
  if (address == Address{}) return nullptr;
  auto* const start = reinterpret_cast<void*>(address.value);
  const auto block = std::make_shared<GraphBlock>(start, bytes, [this, &memory, address, start] {
    memory.free(address);
    blocks_.erase(start);
  });
  blocks_[start] = block;
  return block;
}

std::shared_ptr<GraphBlock> GraphMemory::find(const void* address) const {
  const auto found = blocks_.find(address);
  return found == blocks_.end() ? nullptr : found->second.lock();
}

void GraphMemory::take(const std::shared_ptr<GraphBlock>& block) {
  if (taken_.insert(block).second) in_use_ += pages_of(*block);
}

bool GraphMemory::give(const std::shared_ptr<GraphBlock>& block) {
  if (taken_.erase(block) == 0) return false;
  in_use_ -= pages_of(*block);
  return true;
}

void GraphMemory::hold(const std::set<std::shared_ptr<GraphBlock>>& blocks) {
  std::size_t needed = in_use_;
  for (const auto& block : blocks) needed += taken(block) ? 0 : pages_of(*block);
  held_ = std::max(held_, needed);
  for (std::size_t& high : high_) high = std::max(high, held_);
}

}  // namespace heddle::cuda
