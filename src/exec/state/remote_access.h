// Accesses of a timed run to the shared memory of other CTAs of the cluster. They act between
// windows, when their packet has reached the other SM.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

inline constexpr std::uint32_t kNoRemoteAccess = ~std::uint32_t{0};

// What a bulk copy does elsewhere when the window ends: its bytes are written to another CTA, they
// have arrived at an mbarrier there, or they are combined with those of global memory.
struct SentBytes {
  enum class Target : std::uint8_t { cta, barrier, global };
  Target target = Target::cta;
  Warp* warp = nullptr;
  const DecodedInstruction* decoded = nullptr;
  int lane = 0;
  std::uint64_t cta = 0;   // that issued the copy
  std::uint32_t rank = 0;  // of the other CTA
  std::uint64_t to = 0;    // in its shared memory, or in global memory
  std::vector<std::uint8_t> bytes;
  std::uint32_t arrived = 0;
  ptx::Type type = ptx::Type::none;  // of the elements that a reduction combines
};

struct RemoteAccess {
  static constexpr std::size_t kMaxBytes = 32;  // per lane
  const DecodedInstruction* decoded = nullptr;
  Warp* warp = nullptr;
  std::uint64_t order = 0;             // among those of the SM
  std::uint32_t lanes = 0, bytes = 0;  // no lanes: it has acted
  bool atomic = false;                 // acts as the PendingAtomic with this handle:
  std::uint32_t atomic_handle = 0;
  std::array<std::uint64_t, kWarpSize> addresses{};  // rank << kClusterAddressBits | offset
  // Of each lane: what a store writes; what a load has read, when it executes again.
  std::array<std::array<std::uint8_t, kMaxBytes>, kWarpSize> data{};
};

}  // namespace heddle::exec
