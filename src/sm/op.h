// An issued warp instruction on its way through the pipeline, and the pool that holds all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "base/types.h"
#include "exec/step.h"
#include "sm/coalescer.h"
#include "sm/instruction_timing.h"

namespace heddle::sm {

using OpId = std::uint32_t;
inline constexpr OpId kNoOp = ~OpId{0};
inline constexpr std::size_t kMostOps = 1 << 16;  // latches hold 16 bits of an OpId

struct Op {
  const ptx::Instruction* instruction = nullptr;
  const InstructionTiming* timing = nullptr;
  std::uint64_t sequence = 0;  // issue order: who is oldest in a latch
  Pc pc = kNoPc;
  WarpSlot warp;
  std::uint8_t scheduler = 0;  // whose latches and units it takes
  std::uint8_t home = 0;       // its warp's scheduler, where its registers are
  ptx::Space space = ptx::Space::none;
  LaneMask executed;
  // Memory instructions.
  bool bypass = false;        // goes past the L1 data cache
  bool left_unit = false;     // all accesses are on their way
  std::uint32_t pending = 0;  // accesses whose data have not come
  std::uint32_t atomic = 0;
  std::uint32_t copy_group = 0;  // cp.async
  std::uint32_t shared_cycles = 0;
  std::vector<MemoryAccess>
      accesses;  // from the last to the first; keeps its capacity when the record is used again
};

class OpPool {
 public:
  OpPool() { ops_.reserve(256); }
  Op& operator[](OpId id) { return ops_[id]; }
  const Op& operator[](OpId id) const { return ops_[id]; }
  OpId take() {
    if (free_.empty()) {
      check_invariant(ops_.size() < kMostOps, "an SM has at most 65536 instructions under way");
      ops_.emplace_back();
      return static_cast<OpId>(ops_.size() - 1);
    }
    const OpId id = free_.back();
    free_.pop_back();
    return id;
  }
  void give_back(OpId id) {
    ops_[id].accesses.clear();
    free_.push_back(id);
  }
  std::size_t in_use() const { return ops_.size() - free_.size(); }

 private:
  std::vector<Op> ops_;  // grows to the largest number in flight, then never again
  std::vector<OpId> free_;
};

}  // namespace heddle::sm
