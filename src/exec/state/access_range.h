// The allocation that each instruction accessed last, and where the thread accesses it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/address_layout.h"
#include "base/types.h"

namespace heddle::exec {

struct AccessRange {
  std::uint64_t first = kHeapBase, end = kHeapBase;  // device addresses
  // `host + address` is where the host has the byte. 0: stores are recorded (ahead_stores.h).
  std::uintptr_t host = 0;

  std::uint8_t* at(std::uint64_t address) const {
    return reinterpret_cast<std::uint8_t*>(host + address);
  }
};

// Most accesses are to the same allocation as the last. Valid for one generation of the memory.
class AccessRanges {
 public:
  AccessRanges() = default;
  AccessRanges(std::size_t instructions, std::uint64_t generation)
      : ranges_(instructions), generation_(generation) {}

  AccessRange& of(Pc pc) { return ranges_[pc]; }
  const AccessRange* data() const { return ranges_.data(); }
  void forget_stale(std::uint64_t generation) {
    if (generation_ == generation) [[likely]]
      return;
    generation_ = generation;
    forget();
  }
  void forget() { std::fill(ranges_.begin(), ranges_.end(), AccessRange{}); }

 private:
  std::vector<AccessRange> ranges_;
  std::uint64_t generation_ = 0;
};

}  // namespace heddle::exec
