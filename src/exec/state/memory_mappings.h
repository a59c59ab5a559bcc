// Device addresses and memory apart (cuMemAddressReserve, cuMemCreate, cuMemMap), in multiples of
// kMappedPageBytes. Reserved addresses are valid where memory is mapped and access is allowed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "exec/services/heap.h"
#include "exec/state/allocations.h"
#include "exec/state/device_image.h"

namespace heddle::exec {

class MemoryMappings;

// Memory without addresses: mapped at some, it is reached. Exists for as long as somebody holds it
// or maps it.
class PhysicalMemory {
 public:
  PhysicalMemory(MemoryMappings& owner, std::uint64_t place, std::uint64_t bytes)
      : owner_(owner), place_(place), bytes_(bytes) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory();
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t place() const { return place_; }

 private:
  MemoryMappings& owner_;
  std::uint64_t place_, bytes_;
};

class MemoryMappings {
 public:
  // addresses: from which reservations are taken.
  MemoryMappings(const DeviceImage& image, Heap& addresses, Allocations& allocations);
  ~MemoryMappings();
  MemoryMappings(const MemoryMappings&) = delete;
  MemoryMappings& operator=(const MemoryMappings&) = delete;

  // Address{0}: there is no room.
  Address reserve(std::uint64_t bytes, std::uint64_t align);
  // False: no such reservation, or something is mapped in it.
  bool release(Address base, std::uint64_t bytes);
  // Null: the capacity does not suffice.
  std::shared_ptr<PhysicalMemory> create(std::uint64_t bytes);
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
  Mapping find(Address address) const;
  // The reserved addresses around `address`; none: 0 bytes.
  struct Reservation {
    Address base;
    std::uint64_t bytes = 0;
  };
  Reservation reservation(Address address) const;

 private:
  friend class PhysicalMemory;
  using ByBase = std::map<std::uint64_t, Mapping>;

  void end(const PhysicalMemory& memory);
  std::pair<ByBase::iterator, ByBase::iterator> mappings_that_fill(Address base,
                                                                   std::uint64_t bytes);
  void open_or_close(std::uint64_t base, Mapping& mapping, bool access);

  // Places in the file that holds what is mapped. More than memory: what is free lies in pieces,
  // and a GPU's need not be whole.
  static constexpr std::uint64_t kPlacesPerByte = 16;

  const DeviceImage& image_;
  Heap& addresses_;
  Allocations& allocations_;
  std::map<std::uint64_t, std::uint64_t> reserved_;  // bytes by base
  ByBase mapped_;
  Heap places_;
  int file_ = -1;
};

}  // namespace heddle::exec
