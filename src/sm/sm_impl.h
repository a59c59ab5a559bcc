// The parts of an SM and what each needs of the others.
#pragma once

#include "sm/cta/cta_slots.h"
#include "sm/cycle/instruction_effects.h"
#include "sm/cycle/pipeline.h"
#include "sm/cycle/policy_events.h"
#include "sm/cycle/quiescence.h"
#include "sm/policy/mechanisms.h"
#include "sm/sm.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"

namespace heddle::sm {

// The mechanisms of this SM, for its policies.
class SmMechanisms final : public Mechanisms {
 public:
  SmMechanisms(Stages& stages, WarpTable& warps) : stages_(stages), warps_(warps) {}
  void share_warps(const WarpSharing& sharing) override;
  ReexecutionQueue& reexecute_refused(std::uint32_t entries) override;
  mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options& options,
                                       mem::CriticalityJudge& judge) override;
  void track_loaded_registers() override;
  const mem::CriticalPartition* partition() const { return partition_; }

 private:
  Stages& stages_;
  WarpTable& warps_;
  mem::CriticalPartition* partition_ = nullptr;  // the L1D owns it; null: none
};

struct Sm::Impl final {
  Impl(int id, const config::GpuSpec& spec, mem::SmPort& port,
       const SchedulerFactory& make_scheduler);

  void begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                    Cycle now, const KernelPlace& place);
  void end_kernel(KernelContext& kernel, Cycle now);
  KernelContext& context(int number);
  int free_cta_slots(int kernel);
  void queue_cta(KernelContext& kernel, std::uint64_t cta_linear, Cycle at);
  void divide_unified_memory();
  bool shared_memory_is_small() const;
  std::uint64_t wanted_shared_bytes() const;
  std::uint32_t most_registers() const;  // of the kernels that have begun
  void notify_kernel(const KernelEvent& event);
  bool drained() const;
  // Counters that no kernel's events count by themselves count for the kernel of the stages.
  void collect_stats();

  SmState state;
  Stages stages;
  CtaSlots ctas;
  Quiescence quiescence;
  PolicyEvents events;
  InstructionEffects effects;
  Pipeline pipeline;
  SmMechanisms mechanisms;
  std::uint64_t counted_bank_conflicts = 0;
  mem::CriticalPartitionStats counted_l1d_critical;
};

}  // namespace heddle::sm
