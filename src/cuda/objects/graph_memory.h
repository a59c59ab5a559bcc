// Memory that graphs allocate when they are launched. An allocation node has its address from its
// creation on. A launch allocates the memory; a free node or the program frees it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cuda/objects/reserved_memory.h"
#include "exec/state/global_memory.h"

namespace heddle::cuda {

struct GraphBlock {
  GraphBlock(void* start, std::size_t size, std::function<void()> release_addresses)
      : address(start), bytes(size), release(std::move(release_addresses)) {}
  GraphBlock(const GraphBlock&) = delete;
  GraphBlock& operator=(const GraphBlock&) = delete;
  ~GraphBlock() { release(); }

  void* address;
  std::size_t bytes;
  std::function<void()> release;
};

class GraphMemory {
 public:
  // Reserves addresses; null when memory is exhausted. They are released when no graph refers to
  // the block and it is not allocated.
  std::shared_ptr<GraphBlock> reserve(exec::GlobalMemory& memory, std::size_t bytes);
  // The block that starts there, or null.
  std::shared_ptr<GraphBlock> find(const void* address) const;

  bool is_allocated(const std::shared_ptr<GraphBlock>& block) const {
    return allocated_.contains(block);
  }
  void allocate(const std::shared_ptr<GraphBlock>& block);
  bool free(const std::shared_ptr<GraphBlock>& block);  // false when it is not allocated

  // A launch needs all its blocks at once, because its branches may run at the same time.
  void reserve_all(const std::set<std::shared_ptr<GraphBlock>>& blocks);
  ReservedMemory figures;  // in whole pages
  // CUDA reports the maximum of reserved memory as the maximum of used memory, with its own reset.
  std::size_t max_used = 0;

 private:
  std::map<const void*, std::weak_ptr<GraphBlock>> blocks_;
  std::set<std::shared_ptr<GraphBlock>> allocated_;
};

}  // namespace heddle::cuda
