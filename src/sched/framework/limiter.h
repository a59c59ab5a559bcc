// Limiters, and schedulers composed of parts. A limiter decides which warps may not issue; an order
// picks one of the others. "swl:warps=4+lrr" is the limiter swl before the order lrr. A limiter
// without an order uses the order of its paper.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// Levels that limiters of whole warps report.
struct LimiterLevels {
  std::uint64_t allowed_warps = 0, resident_warps = 0;
  static constexpr auto fields() {
    using S = LimiterLevels;
    return std::make_tuple(
        stats::counter("allowed_warps", stats::Unit::warps,
                       "warps that may issue now, summed over SMs", &S::allowed_warps),
        stats::counter("resident_warps", stats::Unit::warps, "live warps, summed over SMs",
                       &S::resident_warps));
  }
};

class Limiter : public sm::PolicyListener {
 public:
  sm::EventSet subscribed_events() const override { return {}; }
  // Removes from the view what may not issue in this cycle. A warp whose next instruction is vetoed
  // is removed from `issuable`; a warp that must not run at all also from `live`, `valid` and
  // `ready`.
  virtual void limit(sm::IssueView& view) = 0;
  // As in WarpScheduler: whether the warp may issue a second instruction in this cycle.
  virtual bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) {
    (void)warp, (void)instruction;
    return true;
  }
};

// A scheduler made of parts. It subscribes to the events of all parts and forwards each event to
// the parts that subscribed to it.
class CompositeScheduler : public sm::WarpScheduler {
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
  void forward(sm::Event event, F&& f) {
    for (const Part& part : parts_)
      if (part.subscribed.contains(event)) f(*part.listener);
  }
  mutable std::vector<Part> parts_;  // subscribed: as of the last subscribed_events()
};

// One or more limiters, applied first to last, before an order.
class LimitedScheduler final : public CompositeScheduler {
 public:
  LimitedScheduler(std::vector<std::unique_ptr<Limiter>> limiters,
                   std::unique_ptr<sm::WarpScheduler> order);
  WarpSlot pick(const sm::IssueView& view) override;
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return order_->visited_before(view, among, chosen);
  }
  WarpMask visited_without_issue(WarpMask among) override {
    return order_->visited_without_issue(among);
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) override;
  WarpMask shareable(const sm::IssueView& view) override;

 private:
  std::vector<std::unique_ptr<Limiter>> limiters_;
  std::unique_ptr<sm::WarpScheduler> order_;
};

}  // namespace heddle::sched
