// Computes the accesses of a memory instruction when it issues: its route through the load/store
// unit, its coalesced accesses, its bank conflicts.
#pragma once

#include "config/gpu_spec.h"
#include "exec/step.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/op.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

class MemoryIssue {
 public:
  explicit MemoryIssue(const config::SmSpec& spec) : spec_(spec) {}

  // Fills op's accesses, bypass and shared_cycles. Counts in the statistics of the warp's kernel.
  void prepare(Op& op, const exec::Step& step, const Warp& warp);

 private:
  void find_accesses(Op& op, const exec::Step& step, const Warp& warp);
  bool bypasses_l1d(const isa::Instruction& i, isa::Space space) const;
  std::uint32_t written_bytes(const isa::Instruction& i, std::uint32_t bytes) const;
  static void remote_access(Op& op, const exec::Step& step, SmStats& stats);
  void bulk_accesses(Op& op, const exec::Step& step, SmStats& stats);
  void texture_accesses(Op& op, const exec::Step& step);
  void local_accesses(Op& op, const exec::Step& step, const Warp& warp, std::uint32_t bytes);

  const config::SmSpec& spec_;
};

}  // namespace heddle::sm
