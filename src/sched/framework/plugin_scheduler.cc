// Warp schedulers and limiters of plug-ins (policies/plugin_call.h).
#include <utility>

#include "policies/plugin_call.h"
#include "sched/catalogue.h"

namespace heddle::sched {
namespace {

template <class Base>
class PluginListener : public Base {
 public:
  PluginListener(policies::PluginPolicy policy, std::unique_ptr<Base> inner)
      : policy_(std::move(policy)), inner_(std::move(inner)) {}

  sm::EventSet subscribed_events() const override {
    return call("subscribed_events()", &Base::subscribed_events);
  }
  void attach(sm::Mechanisms& mechanisms) override { call("attach()", &Base::attach, mechanisms); }
  void on_issue(const sm::Issue& event) override { call("on_issue()", &Base::on_issue, event); }
  void on_no_issue(const sm::NoIssue& event) override {
    call("on_no_issue()", &Base::on_no_issue, event);
  }
  void on_coalesced(const sm::Coalesced& event) override {
    call("on_coalesced()", &Base::on_coalesced, event);
  }
  void on_l1_access(const sm::L1Access& event) override {
    call("on_l1_access()", &Base::on_l1_access, event);
  }
  void on_l1_evict(const sm::L1Evict& event) override {
    call("on_l1_evict()", &Base::on_l1_evict, event);
  }
  void on_l2_reuse(const sm::L2Reuse& event) override {
    call("on_l2_reuse()", &Base::on_l2_reuse, event);
  }
  bool on_l1_pressure(const sm::L1Pressure& event) override {
    return call("on_l1_pressure()", &Base::on_l1_pressure, event);
  }
  void on_branch(const sm::Branch& event) override { call("on_branch()", &Base::on_branch, event); }
  void on_loop(const sm::LoopEvent& event) override { call("on_loop()", &Base::on_loop, event); }
  void on_barrier(const sm::BarrierEvent& event) override {
    call("on_barrier()", &Base::on_barrier, event);
  }
  void on_warp(const sm::WarpEvent& event) override { call("on_warp()", &Base::on_warp, event); }
  void on_cta(const sm::CtaEvent& event) override { call("on_cta()", &Base::on_cta, event); }
  void on_kernel(const sm::KernelEvent& event) override {
    call("on_kernel()", &Base::on_kernel, event);
  }
  void on_cycle(Cycle now) override { call("on_cycle()", &Base::on_cycle, now); }
  Cycle wake_at(Cycle now) const override { return call("wake_at()", &Base::wake_at, now); }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    call("report_statistics()", &Base::report_statistics, report, now);
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) override {
    return call("may_issue_second()", &Base::may_issue_second, warp, instruction);
  }

 protected:
  template <class Method, class... Arguments>
  decltype(auto) call(const char* name, Method method, Arguments&&... arguments) const {
    return policy_.call(name, [&]() -> decltype(auto) {
      return ((*inner_).*method)(std::forward<Arguments>(arguments)...);
    });
  }
  const policies::PluginPolicy& policy() const { return policy_; }

 private:
  policies::PluginPolicy policy_;
  std::unique_ptr<Base> inner_;
};

class PluginScheduler final : public PluginListener<sm::WarpScheduler> {
 public:
  using PluginListener::PluginListener;
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpSlot chosen = call("pick()", &WarpScheduler::pick, view);
    if (chosen != WarpSlot::none &&
        (chosen.index >= WarpMask::capacity() || !view.issuable.test(chosen)))
      policy().refuse("pick()", "warp slot " + std::to_string(chosen.index) +
                                    ", which is not among the issuable ones");
    return chosen;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return call("visited_before()", &WarpScheduler::visited_before, view, among, chosen);
  }
  WarpMask visited_without_issue(WarpMask among) override {
    return call("visited_without_issue()", &WarpScheduler::visited_without_issue, among);
  }
  WarpMask shareable(const sm::IssueView& view) override {
    return call("shareable()", &WarpScheduler::shareable, view);
  }
  void set_suspended(bool suspended) override {
    call("set_suspended()", &WarpScheduler::set_suspended, suspended);
  }
};

class PluginLimiter final : public PluginListener<Limiter> {
 public:
  using PluginListener::PluginListener;
  void limit(sm::IssueView& view) override {
    const WarpMask issuable = view.issuable;
    call("limit()", &Limiter::limit, view);
    if (const WarpSlot added = (view.issuable & ~issuable).lowest())
      policy().refuse("limit()", "adds warp slot " + std::to_string(added.index) +
                                     ", which is not among the issuable ones");
  }
};

}  // namespace

void guard(PolicyEntry& entry, const std::string& file) {
  const policies::PluginPolicy policy(PolicyEntry::kind.name, entry.name, file);
  if (entry.parse)
    entry.parse = policies::guarded_parser<PluginScheduler>(std::move(entry.parse), policy);
  if (entry.parse_limiter)
    entry.parse_limiter =
        policies::guarded_parser<PluginLimiter>(std::move(entry.parse_limiter), policy);
}

}  // namespace heddle::sched
