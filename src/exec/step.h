// The result of one executed warp instruction, as the timing model reads it.
#pragma once

#include <array>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::exec {

// Threads of a barrier of the cluster, which no CTA completes alone.
inline constexpr std::uint32_t kThreadsOfCluster = std::uint32_t{1} << 30;

struct Step {
  Pc pc = kNoPc;
  Pc next_pc = kNoPc;  // where the warp continues; kNoPc when all its lanes have exited
  LaneMask active;     // lanes of the SIMT stack's top entry when it issued
  LaneMask executed;   // `active` without the lanes whose guard is false
  // Memory instructions: the space after resolving generic addresses, and the byte address of each
  // executed lane's first element. shared: offset in the CTA's shared memory; local: offset in the
  // thread's local memory; param: offset in the parameter block; constant and global: device
  // addresses.
  isa::Space space = isa::Space::none;
  std::array<std::uint64_t, kWarpSize> addresses{};
  // Bulk copies: what they access in global memory.
  struct Range {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Range> bulk_ranges;
  // Handle for InstructionSource::perform_atomic: global atomics and reductions, and mbarrier
  // arrivals that follow copies.
  std::uint32_t atomic = 0;
  // Handle of perform_remote() (isa/remote.h): the access of these lanes to the shared memory of
  // other CTAs of the cluster, in so many sectors of 32 bytes.
  std::uint32_t remote = 0, remote_sectors = 0;
  LaneMask remote_lanes;
  // Branches: the executed lanes on each path.
  LaneMask taken, fell_through;
  // Barriers: identity and the number of threads that must arrive (0 = all of the CTA).
  std::uint32_t barrier_id = 0;
  std::uint32_t barrier_threads = 0;
  bool waits_at_barrier = true;  // otherwise the warp only arrives
  // Nothing happened: other lanes of the warp have to reach this instruction first. A barrier also
  // does nothing when the warp has arrived at it with lanes at another place.
  bool deferred = false;
  // Deferred, and the warp sleeps until InstructionSource::call_returned().
  bool waits_for_call = false;
  bool finished() const { return next_pc == kNoPc; }
};

}  // namespace heddle::exec
