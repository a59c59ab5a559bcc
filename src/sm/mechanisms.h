// Mechanisms of an SM that only some policies need. Each is off, and costs nothing, until a policy
// asks for it. The mechanism moves instructions and lines; what it shall do is the policy's
// decision.
#pragma once

#include <cstdint>

#include "mem/critical_partition.h"

namespace heddle::sm {

class ReexecutionQueue;

// Which schedulers take a warp of another one: the only one whose latch of a unit class is free, or
// any such one; in both cases only when it has issued nothing itself.
enum class SharingRule : std::uint8_t { exactly_one, any_free };

// Schedulers of an SM that ask for the same mechanism get the same one; the first to ask configures
// it.
class Mechanisms {
 public:
  virtual ~Mechanisms() = default;
  // Ready warps whose own scheduler's latch is taken may issue through another scheduler. Their
  // registers take `penalty_cycles` more to come from their own scheduler's banks.
  virtual void share_warps(SharingRule rule, std::uint32_t penalty_cycles) = 0;
  // Accesses that the L1 data cache refuses leave its pipeline and are tried again later.
  virtual ReexecutionQueue& reexecute_refused(std::uint32_t entries) = 0;
  // The L1 data cache keeps ways for lines of critical warps. Null where there is no such cache.
  virtual mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options& options,
                                               mem::CriticalityJudge& judge) = 0;
};

}  // namespace heddle::sm
