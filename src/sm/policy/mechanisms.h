// Mechanisms: hardware of an SM that only some policies need. A mechanism is off, and costs
// nothing, until a policy requests it in attach(). The mechanism moves instructions and lines; the
// policy decides which.
#pragma once

#include <cstdint>

#include "mem/replacement/critical_partition.h"

namespace heddle::sm {

class ReexecutionQueue;

// Warp sharing: which scheduler issues a stalled warp of another one, and when that is decided.
struct WarpSharing {
  // exactly_one: the only scheduler that can accept an instruction of the unit class. any_free:
  // every such scheduler.
  enum class Gate : std::uint8_t { exactly_one, any_free };
  // before_issue: between decode and issue, from instruction buffers and operand collectors. A
  // scheduler accepts an instruction if it has a free collector of the unit class and no warp of
  // its own that it can issue. A warp is stalled if its own scheduler has no such collector.
  // after_issue: after all schedulers have picked, from the issue latches. A scheduler accepts an
  // instruction if its latch of the unit class is free and it has issued nothing. A warp is stalled
  // if its own scheduler's latch is taken.
  enum class Moment : std::uint8_t { before_issue, after_issue };
  Gate gate = Gate::exactly_one;
  Moment moment = Moment::before_issue;
  // before_issue: a scheduler's latch of the unit class must be free, too, as if latch and
  // collectors were one place.
  bool reads_latches = false;
  std::uint32_t penalty_cycles = 0;  // until the operands of a shared instruction arrive
};

// All schedulers of an SM share its mechanisms. The first request sets the configuration.
class Mechanisms {
 public:
  virtual ~Mechanisms() = default;
  // Stalled warps may issue through another scheduler.
  virtual void share_warps(const WarpSharing& sharing) = 0;
  // Accesses that the L1 data cache refuses move to a queue of `entries` warps and are retried from
  // there (sm/lsu/reexecution.h).
  virtual ReexecutionQueue& reexecute_refused(std::uint32_t entries) = 0;
  // The L1 data cache reserves ways for lines of critical warps. `judge` decides which warps are
  // critical. Null when the SM has no L1 data cache.
  virtual mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options& options,
                                               mem::CriticalityJudge& judge) = 0;
  // IssueView::reads_loaded is kept.
  virtual void track_loaded_registers() = 0;
};

}  // namespace heddle::sm
