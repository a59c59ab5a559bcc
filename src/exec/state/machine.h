// The state that the warps of one SM share while they execute a launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "exec/state/access_range.h"
#include "exec/state/allocation_claims.h"
#include "exec/state/cluster.h"
#include "exec/state/decoded_instruction.h"
#include "exec/state/entry_pool.h"
#include "exec/state/launch.h"
#include "exec/state/pending_atomic.h"
#include "exec/state/remote_access.h"
#include "exec/state/store_log.h"
#include "exec/state/warp.h"

namespace heddle::exec {

class LivelockDetector;

// Arrivals at one of a CTA's named barriers since it last completed.
struct BarrierTally {
  std::uint32_t count = 0;  // threads whose predicate held
  bool all = true, any = false;
  bool reduces = false;  // a warp waits for a result
};

struct Cta {
  std::uint64_t linear = 0;
  std::uint32_t x = 0, y = 0, z = 0;
  std::uint32_t rank = 0;  // in its cluster
  bool running = false;
  std::vector<std::uint8_t> shared;
  std::vector<Warp*> warps;
  std::array<BarrierTally, isa::kBarriers> barriers{};
  // The barrier of the cluster: the last arrival or end of lanes, and whether it has completed and
  // the warps have not been released.
  std::uint64_t cluster_time = 0;
  bool cluster_opens = false;
};

// Where generic addresses show shared and local memory, and constant bank 0 of machine code.
struct MemoryMap {
  std::uint64_t shared_window = kSharedWindow, local_window = kLocalWindow;
  std::uint64_t cluster_base = kClusterBase;  // in the window of shared memory
  std::vector<std::uint8_t> constant_bank;
};

struct Machine {
  Machine(const Launch& launch_, GlobalMemory& memory_, const MachineView& view_)
      : launch(launch_), memory(memory_), view(view_) {}
  const isa::Kernel& kernel() const { return *decoded->kernel; }

  Launch launch;
  GlobalMemory& memory;
  MachineView view;
  std::shared_ptr<const DecodedKernel> decoded;  // the SMs of a device share one
  std::span<const DecodedInstruction> code;      // in it
  // Shared memory of a CTA: as the program declares it, and as the GPU allocates it. An access
  // within the latter is no fault.
  std::uint32_t declared_shared_bytes = 0, shared_bytes = 0;
  // Of the CTA where addresses begin at 0: none in clusters of machine code, whose addresses have
  // the CTA's rank.
  std::uint32_t plain_shared_bytes = 0;
  MemoryMap map;
  bool direct = false;                   // functional run: global stores and atomics act at once
  LivelockDetector* detector = nullptr;  // while the launch is observed
  // Iterations of a spin loop with the same lanes after which it yields.
  std::uint32_t max_spin_iterations = 1024;
  StoreLog stores;
  EntryPool<PendingAtomic> atomics;
  EntryPool<RemoteAccess> remote;
  std::uint64_t remote_accesses = 0;  // so far
  std::vector<SentBytes> sent_bytes;  // until the window ends
  RemoteAccess* repeated = nullptr;   // the load that executes again with the data that it has read
  // CTAs of clusters whose lanes have arrived or ended, until the window ends.
  std::vector<std::uint64_t> cluster_changes;
  AccessRanges ranges;
  // While CTAs of the launch run ahead (functional/ahead_ctas.h): of the thread.
  ThreadClaims* claims = nullptr;
  void use_claims(ThreadClaims* of_thread) {
    claims = of_thread;
    ranges.forget();
  }
  std::array<std::uint64_t, kWarpSize> addresses{};  // of the access being executed
  std::uint32_t local_bytes = 0;                     // per thread, the stack included
  std::vector<Warp*> heap_requests;                  // they wait for the end of the window
  std::vector<Warp*> device_calls;                   // of the device runtime, likewise
  std::string printed;                               // by the SM's threads since the window began
  bool tolerated_a_load = false;                     // an out-of-bounds load
  std::vector<Pc> lone_places;          // where lanes execute alone what others execute elsewhere
  std::vector<LaunchWarning> warnings;  // until the window ends
  std::vector<std::uint8_t> results;    // scratch memory of returns
};

// The kernel must be PTX's.
inline const ptx::Kernel& ptx_kernel(const Machine& machine) {
  return static_cast<const ptx::Kernel&>(machine.kernel());
}

}  // namespace heddle::exec
