#include "cuda/objects/host_memory.h"

#include <iterator>

#include "cuda/objects/handles.h"

namespace heddle::cuda {

void HostMemory::add(const void* start, const HostBlock& block) {
  blocks_[handle_of(start)] = block;
}

void* HostMemory::Found::pointer_for_kernels(const void* host) const {
  return block->used_by_host_address ? const_cast<void*>(host) : device_pointer(device_address());
}

HostMemory::Found HostMemory::find(const void* pointer) const {
  const std::uintptr_t address = handle_of(pointer);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return {};
  const auto& [first, block] = *std::prev(after);
  if (address - first >= block.bytes) return {};
  return {&block, address - first};
}

const HostBlock* HostMemory::starting_at(const void* start, HostBlock::Kind kind) const {
  const auto found = blocks_.find(handle_of(start));
  return found == blocks_.end() || found->second.kind != kind ? nullptr : &found->second;
}

void HostMemory::erase(const void* start) { blocks_.erase(handle_of(start)); }

}  // namespace heddle::cuda
