// Memory that graphs allocate when they are launched. Its addresses stand from the making of the
// allocation node on; a launch takes the memory and a free node, or the program, gives it back.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cuda/objects/held_memory.h"
#include "exec/state/global_memory.h"

namespace heddle::cuda {

struct GraphBlock {
  GraphBlock(void* start, std::size_t size, std::function<void()> done)
      : address(start), bytes(size), end(std::move(done)) {}
  GraphBlock(const GraphBlock&) = delete;
  GraphBlock& operator=(const GraphBlock&) = delete;
  ~GraphBlock() { end(); }

  void* address;
  std::size_t bytes;
  std::function<void()> end;  // gives the addresses back
};

class GraphMemory {
 public:
  // Null when there is no room. The addresses are free again when no graph has the block any more
  // and nobody has taken it.
  std::shared_ptr<GraphBlock> reserve(exec::GlobalMemory& memory, std::size_t bytes);
  // The block that starts there, or null.
  std::shared_ptr<GraphBlock> find(const void* address) const;

  bool taken(const std::shared_ptr<GraphBlock>& block) const { return taken_.contains(block); }
  void take(const std::shared_ptr<GraphBlock>& block);
  bool give(const std::shared_ptr<GraphBlock>& block);  // false when it is not taken

  // A launch needs all its blocks at once, for its branches may run side by side.
  void hold(const std::set<std::shared_ptr<GraphBlock>>& blocks);
  HeldMemory figures;  // of whole pages
  std::size_t most_used =
      0;  // CUDA counts what is held as used, so the highest of it, but reset by itself

 private:
  std::map<const void*, std::weak_ptr<GraphBlock>> blocks_;
  std::set<std::shared_ptr<GraphBlock>> taken_;
};

}  // namespace heddle::cuda
