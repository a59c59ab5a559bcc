// iPAWS for one kernel on one scheduler.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sched/adaptive/ipaws_options.h"
#include "sched/adaptive/ipaws_state.h"
#include "sched/adaptive/longest_stalled.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/limiter.h"
#include "sched/framework/policy.h"

namespace heddle::sched {

// State of a kernel that the schedulers of an SM share.
struct IpawsKernelState {
  explicit IpawsKernelState(const IpawsOptions& options)
      : counters(options.count_by, options.barrier_score) {}
  PatternCounters counters;
  PhaseClock clock;
  Cycle kernel_start;
  // The issue pattern when the first warp ended in the adapt phase, and the decision from it.
  struct Judgement {
    Cycle at;
    std::vector<IssuePattern> pattern;
    PatternDecision decision;
    bool own = false;  // the SM decides for itself
  };
  std::optional<Judgement> judgement;
  PatternCounters::Target target;  // of the recover phase
};

// The kernel starts with a greedy scheduler. When the first warp ends, the distribution of issues
// over the warps decides whether the kernel continues with it or with round robin. Before round
// robin the warps with fewer instructions catch up.
class IpawsKernel final : public CompositeScheduler {
 public:
  // where.part differs for every kernel. kernels: of the SM; vote: of the GPU.
  IpawsKernel(const IpawsOptions& options, const PolicyContext& where, int kernel,
              const KernelTable& kernels, std::shared_ptr<PatternVote> vote);

  WarpSlot pick(const sm::IssueView& view) override {
    update(view.now);
    switch (state_->clock.phase()) {
      case Phase::adapt: {
        const WarpSlot picked = greedy_->pick(view);
        // A slot without an issue is counted in on_no_issue().
        if (picked && options_.stall_in == StallIn::any_slot) count_stall(view, picked, 1);
        return picked;
      }
      case Phase::greedy: return greedy_->pick(view);
      case Phase::recover: return least_issued(view);
      default: return round_robin_->pick(view);
    }
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    switch (state_->clock.phase()) {
      case Phase::adapt:
      case Phase::greedy: return greedy_->visited_before(view, among, chosen);
      case Phase::recover: return among;
      default: return round_robin_->visited_before(view, among, chosen);
    }
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) override {
    return state_->clock.phase() > Phase::greedy || greedy_->may_issue_second(warp, instruction);
  }
  Cycle wake_at(Cycle now) const override {
    return gpu_has_decided() ? now : CompositeScheduler::wake_at(now);
  }
  // A warp of another kernel issued in a slot of which this kernel's warps could use the unit.
  void slot_of_another_kernel(const sm::IssueView& view) {
    if (adapts() && options_.stall_in == StallIn::any_slot) count_stall(view, WarpSlot::none, 1);
  }
  bool adapts() const { return state_->clock.phase() == Phase::adapt; }

  sm::EventSet subscribed_events() const override;
  void on_issue(const sm::Issue& issue) override {
    CompositeScheduler::on_issue(issue);
    state_->clock.issued();
    if (!counters_needed()) return;
    longest_stalled_.remove(issue.warp);
    state_->counters.issued(issue.warp, issue.now);
    if (state_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::exit &&
        state_->counters.reached(state_->target))
      state_->clock.end_recover(true, issue.now);
  }
  void on_no_issue(const sm::NoIssue& event) override {
    CompositeScheduler::on_no_issue(event);
    if (adapts()) count_stall(event.view, WarpSlot::none, event.cycles);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    CompositeScheduler::on_barrier(event);
    if (counters_needed()) state_->counters.barrier(event.warp, event.enter);
  }
  void on_warp(const sm::WarpEvent& event) override;
  void on_kernel(const sm::KernelEvent& event) override;
  void report_statistics(sm::PolicyReport& report, Cycle now) const override;

 private:
  // Whether the counters are needed: for the decision and for catching up.
  bool counters_needed() const { return adapts() || state_->clock.phase() == Phase::recover; }
  // Charges a slot, in which `picked` issues, to the warps that it stalls.
  void count_stall(const sm::IssueView& view, WarpSlot picked, std::uint64_t cycles) {
    state_->counters.stalled(view.scheduler, stalled_warps(view, picked), cycles);
  }
  WarpMask stalled_warps(const sm::IssueView& view, WarpSlot picked);
  bool gpu_has_decided() const { return adapts() && vote_->decision(kernel_, sm_id_).has_value(); }
  // Follows the GPU's decision once it is made.
  void update(Cycle now) {
    if (gpu_has_decided())
      follow(*vote_->decision(kernel_, sm_id_), vote_->instructions(kernel_, sm_id_), now);
  }
  // Where kernels share the SM, only the favoured one's warps show its pattern.
  bool is_shared() const { return kernels_.sole() < 0; }
  bool may_judge() const { return !is_shared() || favoured_kernel(kernels_, sm_id_) == kernel_; }
  bool decides_alone() const {
    if (is_shared()) return false;
    return options_.decide == Scope::sm ||
           (kernels_.running() > 1 && options_.decide_alone == WhereAlone::own_sm);
  }
  bool judge_pattern(Cycle now);
  void propose_or_follow(bool round_robin, std::uint64_t instructions, Cycle now);
  void follow(bool round_robin, std::uint64_t instructions, Cycle now);
  WarpSlot least_issued(const sm::IssueView& view) const;

  IpawsOptions options_;
  int sm_id_, kernel_;
  bool first_in_sm_;
  const KernelTable& kernels_;
  LongestStalled longest_stalled_;
  std::shared_ptr<IpawsKernelState> state_;
  std::shared_ptr<PatternVote> vote_;
  std::unique_ptr<sm::WarpScheduler> greedy_, round_robin_;
};

}  // namespace heddle::sched
