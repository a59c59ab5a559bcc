// Memory that the host can access: page-locked, managed and registered blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/types.h"
#include "cuda/objects/managed_hints.h"

namespace heddle::cuda {

struct HostBlock {
  enum class Kind : std::uint8_t { page_locked, managed, registered };
  std::size_t bytes = 0;
  Kind kind = Kind::page_locked;
  unsigned flags = 0;
  Address device;  // its device address: equal to the host address, except for registered memory
  bool used_by_host_address = false;  // kernels reach registered memory at the host's address, too
};

class HostMemory {
 public:
  void add(const void* start, const HostBlock& block);
  // The block that contains the address and the offset in it. Null when none does.
  struct Found {
    const HostBlock* block = nullptr;
    std::size_t offset = 0;
    Address device_address() const { return block->device + offset; }
    // What the program passes to kernels for `host`, the address that was looked for.
    void* pointer_for_kernels(const void* host) const;
  };
  Found find(const void* pointer) const;
  // The block of this kind that starts at the address. Null when there is none.
  const HostBlock* starting_at(const void* start, HostBlock::Kind kind) const;
  void erase(const void* start);

  ManagedHints hints;

 private:
  std::map<std::uintptr_t, HostBlock> blocks_;  // by host address of the first byte
};

}  // namespace heddle::cuda
