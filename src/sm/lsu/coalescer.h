// Coalesces the addresses of a warp's lanes into memory accesses by the rules of the GPU's
// generation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/issue/memory_access.h"

namespace heddle::sm {

struct CoalescingRules {
  std::uint32_t segment_bytes = mem::kLineBytes;  // largest access
  int parts = 1;  // portions of the warp that are coalesced separately
};
// arch: sm.coalescing_arch; cached: the access goes through an L1 data cache with 128-byte lines;
// unit_bytes: what one lane moves.
CoalescingRules coalescing_rules(std::uint32_t arch, bool cached, std::uint32_t unit_bytes,
                                 int warp_parts);
// Those of atomics, which bypass the L1. Architecture 13 always coalesces them by half warps.
CoalescingRules atomic_rules(std::uint32_t arch, std::uint32_t unit_bytes, int warp_parts);

// Appends the accesses for `bytes` at each lane's address, lowest address first. An access that
// uses only a half or a quarter of its segment shrinks to it.
void coalesce(const CoalescingRules& rules, LaneMask lanes,
              const std::array<std::uint64_t, kWarpSize>& addresses, std::uint32_t bytes,
              std::vector<MemoryAccess>& out);
// Atomics: lanes that touch the same bytes get separate accesses, unless `combine`.
void coalesce_atomics(const CoalescingRules& rules, bool combine, LaneMask lanes,
                      const std::array<std::uint64_t, kWarpSize>& addresses, std::uint32_t bytes,
                      std::vector<MemoryAccess>& out);
// Constant and parameter loads: one access for every distinct line.
void coalesce_lines(std::uint32_t line_bytes, LaneMask lanes,
                    const std::array<std::uint64_t, kWarpSize>& addresses, std::uint32_t bytes,
                    std::vector<MemoryAccess>& out);

}  // namespace heddle::sm
