// Computes the accesses of a memory instruction when it issues: its route through the load/store
// unit, its coalesced accesses, its bank conflicts.
#pragma once

#include "config/gpu_spec.h"
#include "exec/step.h"
#include "sm/address_space.h"
#include "sm/op.h"
#include "sm/sm_stats.h"

namespace heddle::sm {

class MemoryIssue {
 public:
  MemoryIssue(const config::SmSpec& spec, SmStats& stats) : spec_(spec), stats_(stats) {}
  void set_layout(const LocalLayout& layout) { layout_ = layout; }

  // Fills op's accesses, bypass and shared_cycles.
  void prepare(Op& op, const exec::Step& step);

 private:
  bool bypasses_l1d(const ptx::Instruction& i, ptx::Space space) const;
  void bulk_accesses(Op& op, const exec::Step& step);
  void texture_accesses(Op& op, const exec::Step& step);
  void local_accesses(Op& op, const exec::Step& step, std::uint32_t bytes);
  void count_instruction(const ptx::Instruction& i, ptx::Space space);

  const config::SmSpec& spec_;
  SmStats& stats_;
  LocalLayout layout_;
};

}  // namespace heddle::sm
