// Policies are limiters, which say who may not issue, and orders, which pick among the rest.
// "swl:warps=4+lrr" is a limiter over an order; a limiter named alone has its paper's order under
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "sm/warp_scheduler.h"

namespace heddle::sched {

// How many warps a limiter lets go on, of how many; what it tells as levels.
struct LimiterLevels {
  std::uint64_t allowed_warps = 0, resident_warps = 0;
  static constexpr auto fields() {
    using S = LimiterLevels;
    return std::make_tuple(
        stats::counter("allowed_warps", stats::Unit::warps,
                       "warps that it lets run, or load, now; summed over SMs", &S::allowed_warps),
        stats::counter("resident_warps", stats::Unit::warps, "warps that it chooses among",
                       &S::resident_warps));
  }
};

class Limiter : public sm::PolicyListener {
 public:
  sm::EventSet subscribed_events() const override { return 0; }
  // Takes away from the view what may not issue now: a vetoed instruction from `issuable`, a warp
  // that shall not take part at all from `live`, `valid`, `ready` and `issuable`.
  virtual void limit(sm::IssueView& view) = 0;
  virtual bool may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) {
    (void)warp, (void)instruction;
    return true;
  }
};

// A scheduler made of parts: every part hears what it subscribed to.
class Composite : public sm::WarpScheduler {
 public:
  sm::EventSet subscribed_events() const override;
  void attach(sm::Mechanisms&) override;
  void on_issue(const sm::Issue&) override;
  void on_no_issue(const sm::NoIssue&) override;
  void on_coalesced(const sm::Coalesced&) override;
  void on_l1_access(const sm::L1Access&) override;
  void on_l1_evict(const sm::L1Evict&) override;
  void on_l2_reuse(const sm::L2Reuse&) override;
  bool on_l1_pressure(const sm::L1Pressure&) override;
  void on_branch(const sm::Branch&) override;
  void on_loop(const sm::LoopEvent&) override;
  void on_barrier(const sm::BarrierEvent&) override;
  void on_warp(const sm::WarpEvent&) override;
  void on_cta(const sm::CtaEvent&) override;
  void on_kernel(const sm::KernelEvent&) override;
  void on_cycle(Cycle) override;
  Cycle wake_at(Cycle now) const override;
  void report_statistics(sm::PolicyReport& report, Cycle now) const override;

 protected:
  void add(sm::PolicyListener& part) { parts_.push_back({&part, part.subscribed_events()}); }

 private:
  struct Part {
    sm::PolicyListener* listener;
    sm::EventSet subscribed;
  };
  template <class F>
  void pass(sm::Event event, F&& f) {
    for (const Part& part : parts_)
      if (part.subscribed & static_cast<sm::EventSet>(event)) f(*part.listener);
  }
  mutable std::vector<Part>
      parts_;  // what they listen to is as of the last time that subscribed_events() was asked
};

// Limiters, first to last, over an order.
class Limited final : public Composite {
 public:
  Limited(std::vector<std::unique_ptr<Limiter>> limiters, std::unique_ptr<sm::WarpScheduler> order);
  WarpSlot pick(const sm::IssueView& view) override;
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return order_->visited_before(view, among, chosen);
  }
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) override;
  WarpMask shareable(const sm::IssueView& view) override;

 private:
  std::vector<std::unique_ptr<Limiter>> limiters_;
  std::unique_ptr<sm::WarpScheduler> order_;
};

}  // namespace heddle::sched
