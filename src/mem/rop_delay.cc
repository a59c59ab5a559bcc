#include "mem/rop_delay.h"

#include "mem/line.h"

namespace heddle::mem {

namespace {

std::uint64_t in_l2_cycles(std::uint32_t core_cycles, const Clocks& clocks) {
  return (core_cycles * clocks.core + clocks.l2 - 1) / clocks.l2;
}

}  // namespace

RopDelay::RopDelay(const config::GpuSpec& spec, std::uint32_t slice, const Clocks& clocks)
    : near_latency_(in_l2_cycles(spec.memory.rop_latency, clocks)),
      far_latency_(in_l2_cycles(spec.memory.rop_latency + spec.memory.far_latency, clocks)),
      upper_half_(slice >= spec.memory.slices() / 2),
      near_(1024),
      far_(spec.memory.far_latency > 0 ? 1024 : 1),
      copies_(spec.memory.far_latency > 0 ? spec.memory.l2.size_bytes / kLineBytes : 0) {}

}  // namespace heddle::mem
