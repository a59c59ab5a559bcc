// The device's memory image and its allocations. One flat device address space:
//   heap from kHeapBase (GPGPU-Sim's value, so that channel and set mappings agree), 256-byte aligned allocations;
//   windows through which generic addresses reach shared and local memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

inline constexpr std::uint64_t kHeapBase = 0xC0000000;
inline constexpr std::uint64_t kAllocationAlign = 256;
inline constexpr std::uint64_t kSharedWindow = 0x01000000;  // generic address of shared offset 0
inline constexpr std::uint64_t kLocalWindow = 0x02000000;   // generic address of local offset 0
inline constexpr std::uint64_t kParamWindow = 0x03000000;   // generic address of a kernel's first parameter
inline constexpr std::uint64_t kWindowBytes = 0x01000000;

struct Allocation {
  Address base;
  std::uint64_t bytes = 0;
  std::string what;  // "cudaMalloc #3", "variable table"
};

class GlobalMemory {
 public:
  explicit GlobalMemory(std::uint64_t capacity_bytes);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // Returns a zeroed block, or Address{0} when the capacity does not suffice.
  Address allocate(std::uint64_t bytes, std::string what);
  bool free(Address base);  // false when `base` is not the start of a live allocation
  std::uint64_t used_bytes() const { return used_; }
  std::uint64_t capacity_bytes() const { return capacity_; }

  // Is [address, address + bytes) inside one live allocation? Exact to the byte. Constant time: no search.
  bool valid(Address address, std::uint64_t bytes) const;
  // "64 bytes after the end of cudaMalloc #2 (0xc0000400, 1024 bytes)", "inside freed ..."
  std::string describe(Address address) const;
  const Allocation* find(Address address) const;  // the live allocation that contains the address

  // How often the set of live allocations has changed: what valid() or find() said holds while it stays.
  std::uint64_t generation() const { return generation_; }

  // Host pointer to the image; the caller has checked valid().
  std::uint8_t* host(Address address) { return image_ + (address.value - kHeapBase); }
  const std::uint8_t* host(Address address) const { return image_ + (address.value - kHeapBase); }

 private:
  std::uint8_t* image_ = nullptr;  // reserved, not committed
  std::uint64_t capacity_, used_ = 0, top_ = kHeapBase;
  std::uint64_t generation_ = 0;
  std::vector<std::uint16_t> valid_bytes_;     // per 256-byte granule of the heap in use: how many of its first bytes are live
  std::map<std::uint64_t, Allocation> live_, freed_;  // by base
  std::map<std::uint64_t, std::uint64_t> holes_;      // free blocks by base
};

}  // namespace heddle::exec
