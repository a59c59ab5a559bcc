#include "cuda/objects/graph_memory.h"

#include <algorithm>

namespace heddle::cuda {

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

void GraphMemory::allocate(const std::shared_ptr<GraphBlock>& block) {
  if (allocated_.insert(block).second) figures.allocate(ReservedMemory::pages(block->bytes));
}

bool GraphMemory::free(const std::shared_ptr<GraphBlock>& block) {
  if (allocated_.erase(block) == 0) return false;
  figures.free(ReservedMemory::pages(block->bytes));
  return true;
}

void GraphMemory::reserve_all(const std::set<std::shared_ptr<GraphBlock>>& blocks) {
  std::size_t needed = figures.used;
  for (const auto& block : blocks)
    needed += is_allocated(block) ? 0 : ReservedMemory::pages(block->bytes);
  figures.reserve(needed);
  max_used = std::max(max_used, figures.reserved);
}

}  // namespace heddle::cuda
