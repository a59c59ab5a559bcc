// Global atomics that have issued and have not acted for all their lanes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// The upper halves of 128-bit atomics.
struct UpperHalves {
  std::array<std::uint64_t, kWarpSize> operands{}, compared{}, old{};
};

struct PendingAtomic {
  const DecodedInstruction* decoded = nullptr;
  Warp* warp = nullptr;
  std::uint32_t remaining = 0;  // lanes that have not acted
  std::uint32_t executed = 0;
  std::uint32_t signed_lanes = 0;  // sured.p: the lanes whose surface holds signed integers
  bool remote = false;  // the addresses are of shared memory of the cluster (remote_access.h)
  std::array<std::uint64_t, kWarpSize> addresses{};
  std::array<std::uint64_t, kWarpSize> operands{},
      compared{};  // cas only; then `operands` are the new values
  std::array<std::uint64_t, kWarpSize> old{};
  std::unique_ptr<UpperHalves> upper;  // null unless the type is b128
};

// Adds an entry that acts later for the lanes in `mask`, and writes its handle to the Step.
PendingAtomic& defer_atomic(Warp& warp, const DecodedInstruction& instruction, std::uint32_t mask,
                            const std::array<std::uint64_t, kWarpSize>& addresses);
// The same for the lanes that access other CTAs of the cluster.
struct Located;
PendingAtomic& defer_remote_atomic(Warp& warp, const DecodedInstruction& instruction,
                                   const Located& at);
// One operation on global memory for each lane of `mask`, without results: now, or when the memory
// system calls. Lanes of `signed_lanes` compare as signed integers where the instruction's type
// does not say.
void reduce_global(Warp& warp, const DecodedInstruction& instruction, std::uint32_t mask,
                   const std::array<std::uint64_t, kWarpSize>& addresses,
                   const std::array<std::uint64_t, kWarpSize>& operands,
                   std::uint32_t signed_lanes);
// Writes bytes, or combines them with those that are there, if the instruction is a reduction of
// elements of this type.
void put_bytes(const Machine& machine, const DecodedInstruction& instruction, ptx::Type type,
               void* to, const void* from, std::uint32_t bytes);
void perform_pending(Machine& machine, std::uint32_t handle, std::uint32_t lanes);

}  // namespace heddle::exec
