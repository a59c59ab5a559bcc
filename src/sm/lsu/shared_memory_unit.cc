#include "sm/lsu/shared_memory_unit.h"

#include <algorithm>

namespace heddle::sm {

SharedMemoryUnit::SharedMemoryUnit(const config::SmSpec& spec)
    : latency_(std::max(1u, spec.shared.latency)),
      loads_(latency_ + (spec.core == config::Core::compiler_guided
                             ? kWarpSize * (spec.guided.conflict_cycles - 1)
                             : 0)) {}

bool SharedMemoryUnit::dispatch(Op& op, OpId id, Cycle now, SmStats& stats) {
  if (op.shared_cycles > 1) {
    --op.shared_cycles;
    stats.count_stall(LsuStall::shared_conflict);
    return false;
  }
  if (op.instruction->is_store()) return true;
  if (loads_.full()) return false;
  last_result_ = std::max(last_result_, now + latency_ + op.shared_delay);
  loads_.push({last_result_, id});
  return true;
}

}  // namespace heddle::sm
