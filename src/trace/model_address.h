// Where a global address of a trace is in the model, whose addresses have fewer bits than a GPU's.
#pragma once

#include "base/address_layout.h"
#include "base/types.h"

namespace heddle::trace {

inline constexpr std::uint64_t kMostAddress = (std::uint64_t{1} << 48) - 1;  // of a GPU

// Below the heap lies what the model itself places: code, parameters and local memory.
constexpr Address model_address(Address traced) {
  const std::uint64_t kept = address_in_space(traced.value);
  return Address{kept < kHeapBase ? kept | std::uint64_t{1} << (kAddressBits - 1) : kept};
}

}  // namespace heddle::trace
