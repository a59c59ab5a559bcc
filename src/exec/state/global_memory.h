// The device's memory image and its allocations. One flat device address space:
//   the heap from kHeapBase (base/address_layout.h), with allocations aligned to 256 bytes;
//   after the heap, memory that the host reaches too;
//   before the heap, constants that find no place in it below 4 GiB;
//   windows through which generic addresses reach shared and local memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/address_layout.h"
#include "base/types.h"
#include "exec/services/heap.h"
#include "exec/state/allocations.h"
#include "exec/state/device_image.h"
#include "exec/state/memory_mappings.h"
#include "exec/state/shared_pages.h"

namespace heddle::exec {

inline constexpr std::uint64_t kSharedWindow = 0x01000000;  // generic address of shared offset 0
inline constexpr std::uint64_t kLocalWindow = 0x02000000;   // generic address of local offset 0
inline constexpr std::uint64_t kParamWindow =
    0x03000000;  // generic address of a kernel's first parameter
inline constexpr std::uint64_t kWindowBytes = 0x01000000;
// Where the window of shared memory shows the CTAs of a cluster, by rank, kWindowBytes each.
// Machine code has them from its beginning.
inline constexpr std::uint64_t kClusterBase = 0x3f000000, kClusterBytes = 16 * kWindowBytes;
// The windows of machine code, which adds offsets to their high words alone.
inline constexpr std::uint64_t kMachineCodeSharedWindow = std::uint64_t{0x00fe0000} << 32,
                               kMachineCodeLocalWindow = std::uint64_t{0x00fd0000} << 32;

class GlobalMemory {
 public:
  explicit GlobalMemory(std::uint64_t capacity_bytes);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // Returns a zeroed block, or Address{0} when the capacity does not suffice.
  Address allocate(std::uint64_t bytes, std::string what);
  // The same for a variable of a module, which free() refuses.
  Address allocate_variable(std::uint64_t bytes, std::string what);
  // The same for a constant, below kShortPointerEnd: in the heap or before it. What lies before the
  // heap does not count against the capacity.
  Address allocate_constant(std::uint64_t bytes, std::string what);
  // A zeroed block that the host reads and writes at its device address (managed and page-locked
  // memory). Starts at a page and does not count against the capacity.
  Address allocate_shared(std::uint64_t bytes, std::string what);
  // Makes [host, host + bytes) and the rest of its pages device memory, keeping what is in them.
  // The device address of `host`.
  Address adopt(void* host, std::uint64_t bytes, std::string what);
  // The same without memory of the host: `bytes` from `offset` in the first page on, zeroed. The
  // device address of the first of them. Only when the memory is detached.
  Address adopt_detached(std::uint64_t offset, std::uint64_t bytes, std::string what);
  // False when `base` is not the start of a live allocation, or is mapped or a variable.
  bool free(Address base);
  // Before any is allocated, the host can be detached: a replayed program has none, and two of them
  // use the same addresses.
  SharedPages& shared_pages() { return pages_; }
  Allocations& allocations() { return allocations_; }
  const Allocations& allocations() const { return allocations_; }
  MemoryMappings& mappings() { return mappings_; }

  // Allocations from now on have so many bytes between them that belong to none, and what is freed
  // is given out again only when nothing else is left: strays and late accesses meet no other
  // allocation.
  void keep_apart(std::uint64_t bytes) { apart_ = bytes; }
  const Allocations::ByBase& live() const { return allocations_.live(); }
  bool was_freed(Address address) const;  // inside an allocation that is live no more
  std::uint64_t used_bytes() const { return allocations_.used_bytes(); }
  std::uint64_t capacity_bytes() const { return allocations_.capacity_bytes(); }

  // Is [address, address + bytes) inside one live allocation? Exact to the byte. Constant time: no
  // search.
  bool valid(Address address, std::uint64_t bytes) const;
  // Whether the image has [address, address + bytes), allocated or not.
  bool in_image(Address address, std::uint64_t bytes) const { return image_.has(address, bytes); }
  // Would a GPU let it pass, which maps whole pages of kMappedPageBytes? Those of live allocations,
  // and the one before the heap, where a driver keeps what is its own. Not in freed memory. What is
  // read there is what lies there.
  bool in_mapped_page(Address address, std::uint64_t bytes) const;
  // "64 bytes after the end of cudaMalloc #2 (0xc0000400, 1024 bytes)", "inside freed ..."
  std::string describe(Address address) const;
  // The live allocation that contains the address, or null.
  const Allocation* find(Address address) const { return allocations_.find(address); }

  // How often the set of live allocations has changed: what valid() or find() said holds while it
  // stays.
  std::uint64_t generation() const { return allocations_.generation(); }

  // Host pointer to the image; the caller has checked valid().
  std::uint8_t* host(Address address) const { return image_.host(address); }

 private:
  Address add_block(Heap& heap, const Heap::Block& block, std::uint64_t bytes, std::string what,
                    bool variable);
  // A block of the heap for `bytes` and what keeps allocations apart.
  Heap::Block take_block(std::uint64_t bytes);
  const Heap& heap_with(Address address) const {
    return heap_.has(address.value)           ? heap_
           : pages_.heap().has(address.value) ? pages_.heap()
                                              : constants_;
  }
  // Memory in pages that the host may reach; the address `offset` bytes after its base.
  Address add_shared(Allocation allocation, const SharedPages::Range& pages,
                     std::uint64_t offset = 0);
  // Is the page the driver's, or has it part of a live allocation?
  bool is_mapped_page(std::uint64_t page) const;

  DeviceImage image_;
  Allocations allocations_;
  Heap heap_, constants_{kConstantsBase, kConstantsBytes};
  SharedPages pages_;
  MemoryMappings mappings_;
  std::uint64_t apart_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      kept_;  // freed blocks that are not given out yet: base and size
};

}  // namespace heddle::exec
