// The cycles of an SM. Pipeline::cycle lists the stages in their order, the last stage first, so
// that each stage finds the latches as the stage after it has left them.
#pragma once

#include <algorithm>
#include <utility>

#include "base/types.h"
#include "mem/sm_port.h"
#include "sm/cta/cta_slots.h"
#include "sm/cycle/instruction_effects.h"
#include "sm/cycle/policy_events.h"
#include "sm/cycle/quiescence.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"

namespace heddle::sm {

class Pipeline {
 public:
  Pipeline(SmState& state, Stages& stages, mem::SmPort& port, CtaSlots& ctas,
           InstructionEffects& effects, PolicyEvents& events, Quiescence& quiescence)
      : state_(state),
        stages_(stages),
        port_(port),
        ctas_(ctas),
        effects_(effects),
        events_(events),
        quiescence_(quiescence),
        collectors_step_in_lsu_(state.spec.sm.collectors_step_in_lsu),
        fetches_(std::max(1u, state.spec.sm.fetch_throughput)) {}

  // Simulates cycles from `now` on, until the SM is quiescent, at least one and none from `to` on.
  // Returns the cycle after the last.
  Cycle run(Cycle now, Cycle to) {
    do {
      cycle(now);
      ++now;
    } while (now < to && !quiescence_.sm_quiescent());
    return now;
  }
  // In the cycle `now` nothing but a reply can change a quiescent SM. Takes it if it changes no
  // more than what its fetch misses, and accounts for the cycle. Returns false, and does nothing,
  // when the cycle must be simulated.
  bool take_part_of_fetch(Cycle now);
  // Accounts for the `cycles` cycles from `from` on, in which the SM is quiescent.
  void skip(Cycle from, std::uint64_t cycles);
  // Counts the issue slots of repeated cycles that have not been counted. Before statistics are
  // read.
  void count_repeated_slots() {
    if (repeated_ > 0) count_repeated_slots_now();
  }

 private:
  void cycle(Cycle now);
  // The stages are inlined into cycle(), because calls would take a noticeable part of a cycle.
  [[gnu::always_inline]] inline void start_queued_ctas(Cycle now);
  void open_cluster_barriers(Cycle now);
  [[gnu::always_inline]] inline bool receive_reply(Cycle now);
  [[gnu::always_inline]] inline void write_back_results(Cycle now);
  [[gnu::always_inline]] inline void start_execution(Cycle now);
  [[gnu::always_inline]] inline void access_memory(Cycle now);
  [[gnu::always_inline]] inline void dispatch_to_load_store_unit();
  [[gnu::always_inline]] inline void collect_operands(Cycle now);
  [[gnu::always_inline]] inline void issue(Cycle now);
  [[gnu::always_inline]] inline void issue_in_full(Cycle now);
  bool nothing_can_issue();
  [[gnu::always_inline]] inline void decode_and_fetch(Cycle now);
  // While several kernels have CTAs.
  SmStats& statistics_of(int kernel);

  void repeat_issue_slots(Cycle from, std::uint64_t cycles);
  void count_repeated_slots_now();
  void report_passed_cycles(Cycle first, std::uint64_t cycles) {
    if (state_.observer) [[unlikely]]
      notify_observer(first, cycles);
  }
  void notify_observer(Cycle first, std::uint64_t cycles);

  SmState& state_;
  Stages& stages_;
  mem::SmPort& port_;
  CtaSlots& ctas_;
  InstructionEffects& effects_;
  PolicyEvents& events_;
  Quiescence& quiescence_;
  const bool collectors_step_in_lsu_;
  const std::uint32_t fetches_;  // per cycle
  CycleFacts facts_;             // of the last cycle that was simulated
  // Of the last issue stage: whether a scheduler issued or flushed a buffer, the sets of warps, the
  // units without room.
  bool moved_ = true;
  WarpSets seen_;
  SchedulerBytes full_ = 0;
  std::uint64_t repeated_ = 0;  // cycles whose slots have not been counted
};

}  // namespace heddle::sm
