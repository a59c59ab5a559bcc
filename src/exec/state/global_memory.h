// The device's memory image and its allocations. One flat device address space:
//   the heap from kHeapBase (base/address_layout.h), with allocations aligned to 256 bytes;
//   after the heap, memory that the host reaches too;
//   before the heap, constants that find no place in it below 4 GiB;
//   windows through which generic addresses reach shared and local memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/address_layout.h"
#include "base/checked.h"
#include "base/types.h"
#include "exec/services/heap.h"

namespace heddle::exec {

// Address space for memory that the host reaches too: the first if the host grants so much
// (valgrind and `ulimit -v` may not), else less.
inline constexpr std::uint64_t kSharedHeapBytes = std::uint64_t{64} << 30,
                               kLeastSharedHeapBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMappedPageBytes = std::uint64_t{2}
                                                  << 20;    // CUDA's granularity on all its GPUs
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

struct Allocation {
  Address base;
  std::uint64_t bytes = 0;
  std::string what;                 // "cudaMalloc #3", "variable table"
  bool shared_with_host = false;    // the host reads and writes it at the same address
  std::uint8_t* adopted = nullptr;  // host memory that became device memory: where the host has it
  bool mapped = false;              // memory that a reservation of addresses shows: see map()
  bool variable = false;            // a variable of a module, which the host does not share
  std::uint64_t id = 0;             // unique among all allocations of the memory so far
};

class GlobalMemory;

// Is notified after every change of the allocations and mappings that succeeded.
class MappingObserver {
 public:
  virtual ~MappingObserver() = default;
  // address: what the caller of allocate(), allocate_shared() or adopt() receives.
  virtual void allocated(const Allocation& allocation, Address address) = 0;
  virtual void freed(Address base) = 0;
  virtual void reserved(Address base, std::uint64_t bytes, std::uint64_t align) = 0;
  virtual void released(Address base, std::uint64_t bytes) = 0;
  // place: unique among the memory that exists.
  virtual void created(std::uint64_t place, std::uint64_t bytes) = 0;
  virtual void ended(std::uint64_t place) = 0;
  virtual void mapped(Address base, std::uint64_t bytes, std::uint64_t place,
                      std::uint64_t offset) = 0;
  virtual void unmapped(Address base, std::uint64_t bytes) = 0;
  virtual void allowed(Address base, std::uint64_t bytes, bool access) = 0;
  // The host wrote memory that only the device reaches, other than by a copy.
  virtual void written(Address address, std::uint64_t bytes) = 0;
};

// Memory without addresses (cuMemCreate): mapped at some, it is reached. Exists for as long as
// somebody holds it or maps it.
class PhysicalMemory {
 public:
  PhysicalMemory(GlobalMemory& owner, std::uint64_t place, std::uint64_t bytes)
      : owner_(owner), place_(place), bytes_(bytes) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory();
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t place() const { return place_; }

 private:
  friend class GlobalMemory;
  GlobalMemory& owner_;
  std::uint64_t place_, bytes_;
};

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
  // Memory that the host would reach, too, from now on is the device's alone. Before any is
  // allocated: a replayed program has no host, and two of them use the same addresses.
  void detach_host() { detached_ = true; }
  void set_observer(MappingObserver* observer) { observer_ = observer; }
  // The host has written [address, address + bytes) through host(), other than by a copy.
  void notify_written(Address address, std::uint64_t bytes) {
    if (observer_) observer_->written(address, bytes);
  }
  // Calls use(first, bytes) for the parts of an allocation that the host reaches, too, which
  // somebody has touched; the others are zero.
  template <class Use>
  void for_each_touched(const Allocation& allocation, Use&& use) const {
    std::uint64_t at = allocation.base.value, bytes = 0;
    const std::uint64_t end = at + allocation.bytes;
    while (next_touched(at, end, bytes)) use(Address{at}, bytes), at += bytes;
  }

  // Addresses and memory apart, in multiples of kMappedPageBytes. Reserved addresses are valid
  // where memory is mapped and access is allowed.
  Address reserve(std::uint64_t bytes, std::uint64_t align);  // Address{0}: there is no room
  bool release(Address base,
               std::uint64_t bytes);  // false: no such reservation, or something is mapped in it
  std::shared_ptr<PhysicalMemory> create(
      std::uint64_t bytes);  // null: the capacity does not suffice
  // Shows [offset, offset + bytes) of the memory at `base`, without access. False: not inside a
  // reservation, or something is there.
  bool map(Address base, std::uint64_t bytes, const std::shared_ptr<PhysicalMemory>& memory,
           std::uint64_t offset);
  // Whole mappings that fill [base, base + bytes); false when they do not.
  bool unmap(Address base, std::uint64_t bytes);
  bool allow(Address base, std::uint64_t bytes, bool access);
  // What is mapped there and whether access is allowed; no memory when nothing is.
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<PhysicalMemory> memory;
    bool access = false;
  };
  Mapping mapping(Address address) const;

  // Allocations from now on have so many bytes between them that belong to none, and what is freed
  // is given out again only when nothing else is left: strays and late accesses meet no other
  // allocation.
  void keep_apart(std::uint64_t bytes) { apart_ = bytes; }
  const std::map<std::uint64_t, Allocation>& live() const { return live_; }  // by base
  bool was_freed(Address address) const;  // inside an allocation that is live no more
  std::uint64_t used_bytes() const { return used_; }
  std::uint64_t capacity_bytes() const { return capacity_; }

  // Is [address, address + bytes) inside one live allocation? Exact to the byte. Constant time: no
  // search.
  bool valid(Address address, std::uint64_t bytes) const;
  // Whether the image has [address, address + bytes), allocated or not.
  bool in_image(Address address, std::uint64_t bytes) const {
    return address.value >= kHeapBase &&
           is_inside(address.value - kHeapBase, bytes, image_bytes() - kMappedPageBytes);
  }
  // Would a GPU let it pass, which maps whole pages of kMappedPageBytes? Those of live allocations,
  // and the one before the heap, where a driver keeps what is its own. Not in freed memory. What is
  // read there is what lies there.
  bool in_mapped_page(Address address, std::uint64_t bytes) const;
  // "64 bytes after the end of cudaMalloc #2 (0xc0000400, 1024 bytes)", "inside freed ..."
  std::string describe(Address address) const;
  const Allocation* find(Address address) const;  // the live allocation that contains the address

  // Can the host write what kernels read while they run?
  bool reaches_host() const;

  // How often the set of live allocations has changed: what valid() or find() said holds while it
  // stays.
  std::uint64_t generation() const { return generation_; }

  // Host pointer to the image; the caller has checked valid().
  std::uint8_t* host(Address address) {
    return image_ + static_cast<std::int64_t>(address.value - kHeapBase);
  }
  const std::uint8_t* host(Address address) const {
    return image_ + static_cast<std::int64_t>(address.value - kHeapBase);
  }

 private:
  struct Pages {
    Address base;
    std::uint64_t bytes = 0;
  };
  void reserve_image();
  Address add_block(Heap& heap, const Heap::Block& block, std::uint64_t bytes, std::string what,
                    bool variable);
  // A block of the heap for `bytes` and what keeps allocations apart.
  Heap::Block take_block(std::uint64_t bytes);
  const Heap& heap_with(Address address) const {
    return heap_.has(address.value) ? heap_ : shared_.has(address.value) ? shared_ : constants_;
  }
  // The next touched part of the shared memory at or after `at` and before `end`.
  bool next_touched(std::uint64_t& at, std::uint64_t end, std::uint64_t& bytes) const;
  std::uint64_t image_bytes() const { return shared_base_ - kConstantsBase + shared_bytes_; }
  bool maps_page(std::uint64_t page) const;
  Pages take_pages(std::uint64_t bytes);
  void map_pages(const Pages& pages, void* host, bool replace);
  // Memory in pages of the shared part; the address `offset` bytes after its base.
  Address add_shared(const Pages& pages, std::uint64_t bytes, std::string what,
                     bool shared_with_host, std::uint8_t* adopted, std::uint64_t offset = 0);
  void release_pages(const Allocation& allocation, std::uint64_t size);
  using Mappings = std::map<std::uint64_t, Mapping>;
  std::pair<Mappings::iterator, Mappings::iterator> mappings_that_fill(Address base,
                                                                       std::uint64_t bytes);
  void open_or_close(std::uint64_t base, Mapping& mapping, bool access);
  friend class PhysicalMemory;
  void end(const PhysicalMemory& memory);

  std::uint8_t* image_ = nullptr;  // of kHeapBase; reserved from kConstantsBase on, not committed
  std::uint64_t capacity_, shared_base_, shared_bytes_ = kSharedHeapBytes, used_ = 0;
  std::uint64_t generation_ = 0, apart_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      kept_;  // freed blocks that are not given out yet: base and size
  Heap heap_, shared_, constants_{kConstantsBase, kConstantsBytes};
  int shared_file_ = -1;  // holds the shared pages, so that they can be mapped twice
  std::map<std::uint64_t, Allocation> live_, freed_;  // by base
  std::map<std::uint64_t, std::uint64_t> reserved_;   // addresses for mappings: bytes by base
  Mappings mapped_;                                   // by base
  // Places in a second file that holds what is mapped. More than memory: what is free lies in
  // pieces, and a GPU's need not be whole.
  static constexpr std::uint64_t kPlacesPerByte = 16;
  Heap physical_;
  int physical_file_ = -1;
  bool detached_ = false;
  MappingObserver* observer_ = nullptr;
};

}  // namespace heddle::exec
