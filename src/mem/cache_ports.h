// The ports of a cache: a data port for each bank, and a fill port, which may be several times as
// wide. A port is busy while bytes pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/line.h"

namespace heddle::mem {

class CachePorts {
 public:
  // fills: of the width of the data port in a cycle.
  explicit CachePorts(const config::CacheSpec& spec, std::uint32_t fills = 1)
      : fills_(fills),
        banks_(std::max(1u, spec.banks)),
        data_free_at_(banks_),
        bytes_(spec.data_port_bytes ? spec.data_port_bytes : spec.line_bytes) {}

  bool data_free(std::uint64_t now, Address address = Address{0}) const {
    return now >= data_free_at_[bank_of(address)];
  }
  bool fill_free(std::uint64_t now) const { return (now + 1) * fills_ > fill_free_at_; }
  void pass_data(Address address, std::uint32_t bytes, std::uint64_t now) {
    occupy(data_free_at_[bank_of(address)], bytes, now);
  }
  void pass_fill(std::uint32_t bytes, std::uint64_t now) {
    occupy(fill_free_at_, bytes, now * fills_);
  }

 private:
  std::size_t bank_of(Address a) const {
    return banks_ == 1 ? 0 : (a.value / kSectorBytes) % banks_;
  }
  void occupy(std::uint64_t& free_at, std::uint32_t bytes, std::uint64_t now) const {
    const bool at_once = bytes == bytes_;  // most are, and a division takes long
    free_at = std::max(free_at, now) + (at_once ? 1 : (bytes + bytes_ - 1) / bytes_);
  }

  std::uint64_t fills_;
  std::uint32_t banks_;
  std::vector<std::uint64_t> data_free_at_;  // by bank
  std::uint64_t fill_free_at_ = 0;           // in cycles / fills_
  std::uint32_t bytes_;                      // that pass in a cycle
};

}  // namespace heddle::mem
