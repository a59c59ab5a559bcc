// An issued warp instruction in the pipeline, and the pool of all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "base/types.h"
#include "exec/step.h"
#include "sm/issue/memory_access.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::sm {

using OpId = std::uint32_t;
inline constexpr OpId kNoOp = ~OpId{0};
inline constexpr std::size_t kMaxOps = 1 << 16;  // latches hold 16 bits of an OpId

struct Op {
  const isa::Instruction* instruction = nullptr;
  const InstructionTiming* timing = nullptr;
  std::uint64_t sequence = 0;  // issue order, to find the oldest in a latch
  Cycle issued;
  Pc pc = kNoPc;
  WarpSlot warp;
  std::uint8_t scheduler = 0;  // its latches and units are used
  std::uint8_t home = 0;       // the warp's own scheduler, which has its registers
  std::uint8_t kernel = 0;     // number of the warp's kernel
  isa::Space space = isa::Space::none;
  LaneMask executed;
  // Of a compiler-guided core: whether the writeback is an event. no: the latency is fixed, and no
  // dependence counter waits for the result. by_ended_warp: the same of a warp that has ended,
  // whose slot becomes free when its last result is written.
  enum class Awaited : std::uint8_t { yes, no, by_ended_warp };
  Awaited awaited = Awaited::yes;
  // Memory instructions.
  bool bypass = false;              // bypasses the L1 data cache
  bool dispatched = false;          // all accesses have been sent
  bool at_once = false;             // all were answered when they were sent
  std::uint32_t pending = 0;        // accesses whose data have not arrived
  std::uint32_t atomic = 0;         // handle of InstructionSource::perform_atomic
  std::uint32_t copy_group = 0;     // cp.async
  std::uint32_t shared_cycles = 0;  // bank cycles left in shared memory
  std::uint32_t shared_delay = 0;   // cycles by which conflicts delay its data after that
  std::uint32_t remote = 0;         // Step::remote
  std::uint32_t remote_sectors = 0, remote_cycles = 0;  // of other CTAs; left in the port
  // Sent from the last to the first. Keeps its capacity when the record is reused.
  std::vector<MemoryAccess> accesses;
};

class OpPool {
 public:
  OpPool() { ops_.reserve(256); }
  Op& operator[](OpId id) { return ops_[id]; }
  const Op& operator[](OpId id) const { return ops_[id]; }
  OpId take() {
    if (free_.empty()) {
      check_invariant(ops_.size() < kMaxOps, "more than 65536 instructions are in flight in an SM");
      ops_.emplace_back();
      return static_cast<OpId>(ops_.size() - 1);
    }
    const OpId id = free_.back();
    free_.pop_back();
    return id;
  }
  void release(OpId id) {
    ops_[id].accesses.clear();
    free_.push_back(id);
  }
  std::size_t in_use() const { return ops_.size() - free_.size(); }

 private:
  std::vector<Op> ops_;  // grows to the largest number in flight
  std::vector<OpId> free_;
};

}  // namespace heddle::sm
