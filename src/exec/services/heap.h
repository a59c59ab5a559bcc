// Allocates blocks in a range of device addresses, and knows which bytes are live.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::exec {

inline constexpr std::uint64_t kAllocationAlign = 256;

class Heap {
 public:
  Heap(std::uint64_t first, std::uint64_t capacity_bytes)
      : first_(first), capacity_(capacity_bytes), top_(first) {}

  struct Block {
    std::uint64_t base = 0;  // 0: no hole is large enough
    bool fresh = true;       // never used before, so still zero
  };
  // First fit, before the address `end`. `size` and `align` are multiples of kAllocationAlign.
  Block take(std::uint64_t size, std::uint64_t align = kAllocationAlign,
             std::uint64_t end = ~std::uint64_t{0});
  // Bytes [base, base + bytes) are live, the rest up to base + size is not.
  void mark(std::uint64_t base, std::uint64_t bytes, std::uint64_t size);
  void give_back(std::uint64_t base, std::uint64_t size);

  bool has(std::uint64_t address) const { return address - first_ < capacity_; }
  // The number of live bytes from the start of the address's granule.
  std::uint32_t live_in_granule(std::uint64_t address) const {
    const std::uint64_t granule = (address - first_) / kAllocationAlign;
    return granule < live_bytes_.size() ? live_bytes_[granule] : 0;
  }

 private:
  std::uint64_t first_, capacity_, top_;
  std::vector<std::uint16_t> live_bytes_;         // per granule up to top_
  std::map<std::uint64_t, std::uint64_t> holes_;  // free blocks below top_: bytes by base
};

}  // namespace heddle::exec
