#include "sm/lsu/shared_memory_unit.h"

#include <algorithm>

namespace heddle::sm {

SharedMemoryUnit::SharedMemoryUnit(const config::SmSpec& spec)
    : latency_(std::max(1u, spec.shared.latency)), loads_(latency_) {}

bool SharedMemoryUnit::dispatch(Op& op, OpId id, Cycle now, SmStats& stats) {
  if (op.shared_cycles > 1) {
    --op.shared_cycles;
    stats.count_stall(LsuStall::shared_conflict);
    return false;
  }
  if (op.instruction->is_store()) return true;
  if (loads_.full()) return false;
  loads_.push({now + latency_, id});
  return true;
}

}  // namespace heddle::sm
