// What an instruction does when a scheduler issues it and when it completes: scoreboard, control
// flow, barriers, asynchronous copies, the end of the warp.
#pragma once

#include <cstdint>

#include "exec/step.h"
#include "sm/cta/cta_slots.h"
#include "sm/cycle/policy_events.h"
#include "sm/cycle/quiescence.h"
#include "sm/issue/control_law.h"
#include "sm/lsu/memory_issue.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"
#include "sm/warp/async_copies.h"

namespace heddle::sm {

class InstructionEffects final : public Issuer, public LsuListener {
 public:
  InstructionEffects(SmState& state, Stages& stages, CtaSlots& ctas, PolicyEvents& events,
                     Quiescence& quiescence)
      : state_(state),
        stages_(stages),
        ctas_(ctas),
        events_(events),
        quiescence_(quiescence),
        memory_(state.spec.sm) {}

  // Executes the head of the warp's buffer and puts it into the issue latches of `through`.
  void issue(WarpSlot w, int scheduler, int through, Cycle now) override;
  // Of a compiler-guided core: the sources of an instruction with a read counter have been read, or
  // the last results of a warp are ready.
  void operands_read(const GuidedBackEnd::Read& read);
  // All CTAs of the cluster have arrived: the warps of this one continue.
  void open_cluster_barrier(int cta);
  // The results of the instruction are in the register file, or its accesses are done.
  void complete(OpId id) override;
  void answered(OpId id) override;

  void stores_changed(WarpSlot w, std::int32_t sectors) override;
  void reexecution_changed() override { quiescence_.disturb_core(); }
  void l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                   const mem::Access& access) override;

 private:
  // At issue. Parts of every instruction's issue and completion are inlined.
  [[gnu::always_inline]] inline bool is_awaited(const Op& op) const;
  [[gnu::always_inline]] inline void start_memory_instruction(Op& op);
  void start_asynchronous(Op& op);
  [[gnu::always_inline]] inline static void count_issued(const Op& op, std::size_t unit,
                                                         SmStats& stats);
  [[gnu::always_inline]] inline void update_control_flow(WarpSlot w, Pc pc,
                                                         const InstructionTiming& timing);
  void track_loops(WarpSlot w, Pc pc);
  void end_warp(WarpSlot w);
  // Waits of a warp. Each is tried when it begins and whenever it may end.
  [[gnu::always_inline]] inline void start_waiting(WarpSlot w, const isa::Instruction& i);
  void arrive_at_barrier(WarpSlot w, isa::BarrierOp op);
  void release_barrier(int cta, const BarrierUnit::Release& release);
  void try_to_pass_memory_barrier(WarpSlot w);
  void try_to_pass_copy_wait(WarpSlot w);
  // Of a compiler-guided core, at issue: the control word takes effect.
  void obey_control_word(const Op& op);
  // At completion.
  [[gnu::always_inline]] inline void complete_memory_instruction(const Op& op);
  void complete_product(const Op& op);
  void finish_atomic(const Op& op);

  SmState& state_;
  Stages& stages_;
  CtaSlots& ctas_;
  PolicyEvents& events_;
  Quiescence& quiescence_;
  MemoryIssue memory_;
  AsyncCopies copies_, products_;
  ControlLaw law_;
  exec::Step step_;  // of the instruction that issues
  std::uint64_t next_sequence_ = 0;
};

}  // namespace heddle::sm
