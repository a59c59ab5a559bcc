// Maps an address to its channel and L2 slice, and to its place in them. A slice uses local
// addresses, without the bits that select channel and slice, so that all of its sets are used.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/set_index.h"

namespace heddle::mem {

struct SlicePlace {
  std::uint32_t slice = 0;  // of the device: channel * slices per channel + slice of the channel
  Address local;
};
struct DramPlace {
  std::uint32_t bank = 0, row = 0, column = 0;
  friend bool operator==(const DramPlace&, const DramPlace&) = default;
};

class AddressMap {
 public:
  explicit AddressMap(const config::MemorySpec& spec);

  // code: an instruction's address, which memory.heap_base does not move.
  SlicePlace slice_of(Address a, bool code = false) const;
  DramPlace dram_of(std::uint32_t slice, Address local) const;
  std::uint32_t slice_in_channel(std::uint32_t slice) const {
    return slice & (slices_per_channel_ - 1);
  }
  // Decodes an address without the bits of its channel.
  DramPlace decode(std::uint64_t in_channel) const;

 private:
  std::uint32_t hashed(std::uint32_t slice, std::uint64_t upper) const;
  std::uint32_t scattered(Address a) const;
  std::uint32_t in_half(std::uint32_t slice, Address a) const;

  std::uint32_t channels_, slices_per_channel_, hash_;
  bool has_halves_;
  std::uint64_t heap_base_;
  std::uint64_t bank_mask_ = 0, row_mask_ = 0, column_mask_ = 0, slice_mask_ = 0;
  PolynomialHash polynomial_;
  std::vector<std::uint16_t>
      scatter_;  // partition hash 4: the slice of the first blocks of the heap
};

}  // namespace heddle::mem
