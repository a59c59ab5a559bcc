// A warp scheduler per kernel: "K0=gto,K1=lrr". Each scheduler sees the warps of its kernel only.
// A kernel whose number is not given uses the policy of the largest number. In a cycle in which
// warps of several kernels can issue, the kernels come first in turn.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sched/framework/policy.h"

namespace heddle::sched {

class PerKernelScheduler final : public sm::WarpScheduler {
 public:
  explicit PerKernelScheduler(std::vector<std::unique_ptr<sm::WarpScheduler>> policies);

  sm::EventSet subscribed_events() const override;
  void attach(sm::Mechanisms& mechanisms) override;
  WarpSlot pick(const sm::IssueView& view) override;
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override;
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) override;
  WarpMask shareable(const sm::IssueView& view) override;
  void set_suspended(bool suspended) override;
  Cycle wake_at(Cycle now) const override;
  void report_statistics(sm::PolicyReport& report, Cycle now) const override;

  void on_issue(const sm::Issue& e) override;
  void on_no_issue(const sm::NoIssue& e) override;
  void on_coalesced(const sm::Coalesced& e) override;
  void on_l1_access(const sm::L1Access& e) override;
  void on_l1_evict(const sm::L1Evict& e) override;
  void on_l2_reuse(const sm::L2Reuse& e) override;
  bool on_l1_pressure(const sm::L1Pressure& e) override;
  void on_branch(const sm::Branch& e) override;
  void on_loop(const sm::LoopEvent& e) override;
  void on_barrier(const sm::BarrierEvent& e) override;
  void on_warp(const sm::WarpEvent& e) override;
  void on_cta(const sm::CtaEvent& e) override;
  void on_kernel(const sm::KernelEvent& e) override;
  void on_cycle(Cycle now) override;

 private:
  struct Part {
    std::unique_ptr<sm::WarpScheduler> policy;
    sm::EventSet subscribed = 0;
    WarpMask warps;  // of its kernels, in the whole SM
  };
  std::size_t part_of(WarpSlot warp) const {
    return part_of_[static_cast<std::size_t>(warp.index)];
  }
  std::size_t part_of_kernel(int kernel) const {
    return std::min(static_cast<std::size_t>(kernel), parts_.size() - 1);
  }
  static sm::IssueView restricted(const sm::IssueView& view, WarpMask warps);
  template <class F>
  void notify(std::size_t part, sm::Event event, F&& f) {
    Part& p = parts_[part];
    if (p.subscribed & static_cast<sm::EventSet>(event)) f(*p.policy);
  }
  template <class F>
  void notify_all(sm::Event event, F&& f) {
    for (std::size_t i = 0; i < parts_.size(); ++i) notify(i, event, f);
  }

  std::vector<Part> parts_;
  std::array<std::uint8_t, kMaxWarpsPerSm> part_of_{};  // by warp slot
};

// Whether the text has this form.
bool is_per_kernel(const std::string& text);
// The texts of its policies, by number. UserError for a number twice, or one left out.
std::vector<std::string> split_per_kernel(const std::string& text);

class PerKernelPolicy final : public Policy {
 public:
  explicit PerKernelPolicy(std::vector<std::shared_ptr<const Policy>> policies);
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const PolicyContext& context) const override;
  std::string missing_input() const override;

 private:
  std::vector<std::shared_ptr<const Policy>> policies_;
  std::string text_;
};

}  // namespace heddle::sched
