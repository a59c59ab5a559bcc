// How many flits a packet has on a network.
#pragma once

#include <array>
#include <cstdint>

#include "config/gpu_spec.h"

namespace heddle::mem {

class FlitCount {
 public:
  explicit FlitCount(const config::NetworkSpec& spec)
      : whole_packets_(spec.topology == config::Topology::local_crossbar),
        flit_bytes_(spec.flit_bytes) {
    for (std::uint32_t bytes = 0; bytes < kPacketBytes; ++bytes)
      of_short_[bytes] = static_cast<std::uint16_t>(divide(bytes));
  }
  std::uint32_t operator()(std::uint32_t bytes) const {
    return bytes < kPacketBytes ? of_short_[bytes] : divide(bytes);
  }

 private:
  static constexpr std::uint32_t kPacketBytes = 192;  // most packets are shorter
  std::uint32_t divide(std::uint32_t bytes) const {
    return whole_packets_ ? 1 : (bytes + flit_bytes_ - 1) / flit_bytes_;
  }

  bool whole_packets_;  // a local crossbar transfers a packet of any length in one cycle
  std::uint32_t flit_bytes_;
  std::array<std::uint16_t, kPacketBytes> of_short_{};  // by bytes
};

}  // namespace heddle::mem
