// A warp scheduler that consists of one policy object per kernel. Each object sees the warps of its
// kernels only.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sched/framework/kernel_table.h"
#include "sched/framework/policy.h"

namespace heddle::sched {

// P: the class of the objects. Where it is final, its functions are called without indirection.
template <class P>
class KernelParts : public sm::WarpScheduler {
 public:
  explicit KernelParts(const PolicyContext& where) : table_(shared_in_sm<KernelTable>(where)) {}

  sm::EventSet subscribed_events() const override {
    sm::EventSet all = sm::Event::warp | sm::Event::kernel;
    for (const Part& p : parts_) all |= p.subscribed = p.policy->subscribed_events();
    return all;
  }
  void attach(sm::Mechanisms& mechanisms) override {
    for (const Part& p : parts_) p.policy->attach(mechanisms);
  }
  // In a cycle in which warps of several kernels can issue, the kernels come first in turn.
  WarpSlot pick(const sm::IssueView& view) override {
    if (P* const only = only_part()) return only->pick(view);
    return pick_from(view, view.now.value % parts_.size());
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    if (const P* const only = only_part()) return only->visited_before(view, among, chosen);
    const std::size_t part = part_of(chosen);
    const WarpMask warps = warps_of(part);
    return parts_[part].policy->visited_before(restricted(view, warps), among & warps, chosen);
  }
  WarpMask visited_without_issue(WarpMask among) override {
    if (P* const only = only_part()) return only->visited_without_issue(among);
    WarpMask all;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      all |= parts_[i].policy->visited_without_issue(among & warps_of(i));
    return all;
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) override {
    return parts_[part_of(warp)].policy->may_issue_second(warp, instruction);
  }
  WarpMask shareable(const sm::IssueView& view) override {
    if (P* const only = only_part()) return only->shareable(view);
    WarpMask all;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (const WarpMask warps = warps_of(i); (view.issuable & warps).any())
        all |= parts_[i].policy->shareable(restricted(view, warps));
    return all;
  }
  void set_suspended(bool suspended) override {
    for (const Part& p : parts_) p.policy->set_suspended(suspended);
  }
  Cycle wake_at(Cycle now) const override {
    Cycle first = Cycle::never();
    for (const Part& p : parts_) first = std::min(first, p.policy->wake_at(now));
    return first;
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    for (const Part& p : parts_) p.policy->report_statistics(report, now);
  }

  void on_issue(const sm::Issue& e) override {
    notify(e.warp, sm::Event::issue, [&](P& p) { p.on_issue(e); });
  }
  void on_no_issue(const sm::NoIssue& e) override {
    if (const int sole = table_->sole(); sole >= 0) {
      notify_part(part_of_kernel(sole), sm::Event::no_issue, [&](P& p) { p.on_no_issue(e); });
      return;
    }
    for (std::size_t i = 0; i < parts_.size(); ++i)
      notify_part(i, sm::Event::no_issue, [&](P& p) {
        const sm::IssueView view = restricted(e.view, warps_of(i));
        p.on_no_issue({e.first, e.cycles, e.reason, view});
      });
  }
  void on_coalesced(const sm::Coalesced& e) override {
    notify(e.warp, sm::Event::coalesced, [&](P& p) { p.on_coalesced(e); });
  }
  void on_l1_access(const sm::L1Access& e) override {
    notify(e.warp, sm::Event::l1_access, [&](P& p) { p.on_l1_access(e); });
  }
  void on_l1_evict(const sm::L1Evict& e) override {
    notify_all(sm::Event::l1_evict, [&](P& p) { p.on_l1_evict(e); });
  }
  void on_l2_reuse(const sm::L2Reuse& e) override {
    notify(e.warp, sm::Event::l2_reuse, [&](P& p) { p.on_l2_reuse(e); });
  }
  bool on_l1_pressure(const sm::L1Pressure& e) override {
    bool changed = false;
    notify_all(sm::Event::l1_pressure, [&](P& p) { changed |= p.on_l1_pressure(e); });
    return changed;
  }
  void on_branch(const sm::Branch& e) override {
    notify(e.warp, sm::Event::branch, [&](P& p) { p.on_branch(e); });
  }
  void on_loop(const sm::LoopEvent& e) override {
    notify(e.warp, sm::Event::loop, [&](P& p) { p.on_loop(e); });
  }
  void on_barrier(const sm::BarrierEvent& e) override {
    notify(e.warp, sm::Event::barrier, [&](P& p) { p.on_barrier(e); });
  }
  void on_warp(const sm::WarpEvent& e) override {
    if (e.launch) table_->on_warp(e);
    notify_part(part_of_kernel(e.kernel), sm::Event::warp, [&](P& p) { p.on_warp(e); });
    if (!e.launch) table_->on_warp(e);
  }
  void on_cta(const sm::CtaEvent& e) override {
    notify_part(part_of_kernel(e.kernel), sm::Event::cta, [&](P& p) { p.on_cta(e); });
  }
  void on_kernel(const sm::KernelEvent& e) override {
    table_->on_kernel(e);
    notify_part(part_of_kernel(e.number), sm::Event::kernel, [&](P& p) { p.on_kernel(e); });
  }
  void on_cycle(Cycle now) override {
    notify_all(sm::Event::cycle, [&](P& p) { p.on_cycle(now); });
  }

 protected:
  void add(std::unique_ptr<P> policy) {
    const sm::EventSet subscribed = policy->subscribed_events();
    parts_.push_back({std::move(policy), subscribed});
  }
  std::size_t parts() const { return parts_.size(); }
  P& part(std::size_t i) const { return *parts_[i].policy; }
  const KernelTable& table() const { return *table_; }
  // Kernels that share a part: those from the last part's number on.
  std::size_t part_of_kernel(int kernel) const {
    return std::min(static_cast<std::size_t>(kernel), parts_.size() - 1);
  }
  WarpMask warps_of(std::size_t part) const {
    WarpMask warps = table_->warps(static_cast<int>(part));
    if (part + 1 == parts_.size())
      for (int k = static_cast<int>(part) + 1; k < table_->numbers(); ++k)
        warps |= table_->warps(k);
    return warps;
  }
  // The part of all warps of the SM; null: they have several parts.
  P* only_part() const {
    const int sole = table_->sole();
    return sole < 0 ? nullptr : parts_[part_of_kernel(sole)].policy.get();
  }
  static sm::IssueView restricted(const sm::IssueView& view, WarpMask warps) {
    sm::IssueView part = view;
    for (WarpMask* mask :
         {&part.supervised, &part.live, &part.waiting, &part.valid, &part.ready, &part.issuable,
          &part.head_is_load, &part.head_is_long, &part.waits_for_long, &part.reads_loaded,
          &part.sm_live, &part.sm_at_barrier})
      *mask &= warps;
    return part;
  }
  // Asks the parts one after the other, from `first` on.
  WarpSlot pick_from(const sm::IssueView& view, std::size_t first) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t part = (first + i) % parts_.size();
      const WarpMask warps = warps_of(part);
      if ((view.issuable & warps).none()) continue;
      if (const WarpSlot chosen = parts_[part].policy->pick(restricted(view, warps))) return chosen;
    }
    return WarpSlot::none;
  }

 private:
  struct Part {
    std::unique_ptr<P> policy;
    mutable sm::EventSet subscribed;  // as of the last subscribed_events()
  };
  std::size_t part_of(WarpSlot warp) const { return part_of_kernel(table_->number(warp)); }
  template <class F>
  void notify_part(std::size_t part, sm::Event event, F&& f) {
    const Part& p = parts_[part];
    if (p.subscribed.contains(event)) f(*p.policy);
  }
  template <class F>
  void notify(WarpSlot warp, sm::Event event, F&& f) {
    notify_part(part_of(warp), event, f);
  }
  template <class F>
  void notify_all(sm::Event event, F&& f) {
    for (std::size_t i = 0; i < parts_.size(); ++i) notify_part(i, event, f);
  }

  std::vector<Part> parts_;
  std::shared_ptr<KernelTable> table_;  // of the SM
};

}  // namespace heddle::sched
