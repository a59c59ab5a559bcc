// The bytes of a device's memory: one reserved range of the host's address space.
#pragma once

#include <cstdint>

#include "base/address_layout.h"
#include "base/checked.h"
#include "base/types.h"

namespace heddle::exec {

// Address space for memory that the host reaches too: the first if the host grants so much
// (valgrind and `ulimit -v` may not), else less.
inline constexpr std::uint64_t kSharedHeapBytes = std::uint64_t{64} << 30,
                               kLeastSharedHeapBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMappedPageBytes = std::uint64_t{2}
                                                  << 20;  // CUDA's granularity on all its GPUs
inline constexpr std::uint64_t kHostPageBytes = 4096;     // of the host

// From low to high addresses: constants that find no place in the heap below 4 GiB, the heap, and
// the part that the host reaches too.
class DeviceImage {
 public:
  // Throws UserError when the capacity, or what it needs of the host, is too large.
  explicit DeviceImage(std::uint64_t capacity_bytes);
  ~DeviceImage();
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  std::uint64_t shared_base() const { return shared_base_; }
  std::uint64_t shared_bytes() const { return shared_bytes_; }
  std::uint64_t end() const { return shared_base_ + shared_bytes_; }
  bool has(Address address, std::uint64_t bytes) const {
    return address.value >= kHeapBase &&
           is_inside(address.value - kHeapBase, bytes, this->bytes() - kMappedPageBytes);
  }
  std::uint8_t* host(Address address) const {
    return at_heap_ + static_cast<std::int64_t>(address.value - kHeapBase);
  }

 private:
  std::uint64_t bytes() const { return shared_base_ - kConstantsBase + shared_bytes_; }

  std::uint8_t* at_heap_ = nullptr;  // of kHeapBase; the pages are not committed
  std::uint64_t shared_base_, shared_bytes_ = kSharedHeapBytes;
};

}  // namespace heddle::exec
