// What the warps of one SM share while they execute a launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "exec/isa/record.h"
#include "exec/state/atomic_pool.h"
#include "exec/state/launch.h"
#include "exec/state/store_log.h"
#include "ptx/instruction.h"

namespace heddle::exec {

class LivelockDetector;

// Arrivals at one of a CTA's named barriers since it last completed.
struct BarrierTally {
  std::uint32_t count = 0;  // threads whose predicate held
  bool all = true, any = false;
};

struct Cta {
  std::uint64_t linear = 0;
  std::uint32_t x = 0, y = 0, z = 0;
  bool running = false;
  std::vector<std::uint8_t> shared;
  std::vector<Warp*> warps;
  std::array<BarrierTally, ptx::kClusterBarrier + 1> barriers{};
};

struct Machine {
  Machine(const Launch& launch_, GlobalMemory& memory_, const MachineView& view_)
      : launch(launch_), memory(memory_), view(view_) {}

  Launch launch;
  GlobalMemory& memory;
  MachineView view;
  std::shared_ptr<const DecodedKernel> decoded;  // the SMs of a device share one
  std::span<const Record> code;                  // in it
  std::uint32_t shared_bytes = 0;
  bool direct = false;                // global stores and atomics act at once: nobody else runs
  LivelockDetector* watch = nullptr;  // while a hang is suspected
  std::uint32_t spin_turns =
      1024;  // turns of a loop, with the same lanes, after which they are taken to spin
  StoreLog stores;
  AtomicPool atomics;
  // The allocation that each instruction used last, which it mostly uses again. Holds for one
  // generation of the memory.
  struct Stretch {
    std::uint64_t first = kHeapBase, end = kHeapBase;
  };
  std::vector<Stretch> near;
  std::uint64_t near_generation = 0;
  std::array<std::uint64_t, kWarpSize> addresses{};  // of the access being executed
  std::uint32_t local_bytes = 0;                     // per thread, the stack included
  std::uint32_t local_frame_row = kNoRow;            // the preset register that holds local_frame
  std::vector<Warp*> heap_requests;                  // warps that wait for the window's end
  std::string printed;  // what the SM's threads have printed since the window began
  std::string stray;  // the SM's first load out of bounds that was let pass, until the window ends
  bool strayed = false;
  std::vector<std::uint8_t> results;  // scratch of returns
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};
};

}  // namespace heddle::exec
