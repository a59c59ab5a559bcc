// Mechanisms: hardware of an SM that only some policies need. A mechanism is off, and costs
// nothing, until a policy requests it in attach(). The mechanism moves instructions and lines; the
// policy decides which.
#pragma once

#include <cstdint>

#include "mem/critical_partition.h"

namespace heddle::sm {

class ReexecutionQueue;

// Which scheduler issues a warp of another one. exactly_one: the only scheduler whose latch of the
// unit class is free. any_free: every such scheduler. It must have issued nothing itself.
enum class SharingRule : std::uint8_t { exactly_one, any_free };

// All schedulers of an SM share its mechanisms. The first request sets the configuration.
class Mechanisms {
 public:
  virtual ~Mechanisms() = default;
  // Ready warps whose own scheduler's latch is taken may issue through another scheduler. Their
  // operands arrive `penalty_cycles` later than through their own scheduler.
  virtual void share_warps(SharingRule rule, std::uint32_t penalty_cycles) = 0;
  // Accesses that the L1 data cache refuses move to a queue of `entries` warps and are retried from
  // there (sm/reexecution.h).
  virtual ReexecutionQueue& reexecute_refused(std::uint32_t entries) = 0;
  // The L1 data cache reserves ways for lines of critical warps. `judge` decides which warps are
  // critical. Null when the SM has no L1 data cache.
  virtual mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options& options,
                                               mem::CriticalityJudge& judge) = 0;
};

}  // namespace heddle::sm
