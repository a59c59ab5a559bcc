#include "sched/framework/limiter.h"

#include <algorithm>
#include <utility>

namespace heddle::sched {

using sm::Event;

sm::EventSet Composite::subscribed_events() const {
  sm::EventSet all = 0;
  for (Part& part : parts_) all |= part.subscribed = part.listener->subscribed_events();
  return all;
}

void Composite::attach(sm::Mechanisms& mechanisms) {
  for (const Part& part : parts_) part.listener->attach(mechanisms);
}
void Composite::on_issue(const sm::Issue& e) {
  pass(Event::issue, [&](auto& part) { part.on_issue(e); });
}
void Composite::on_no_issue(const sm::NoIssue& e) {
  pass(Event::no_issue, [&](auto& part) { part.on_no_issue(e); });
}
void Composite::on_coalesced(const sm::Coalesced& e) {
  pass(Event::coalesced, [&](auto& part) { part.on_coalesced(e); });
}
void Composite::on_l1_access(const sm::L1Access& e) {
  pass(Event::l1_access, [&](auto& part) { part.on_l1_access(e); });
}
void Composite::on_l1_evict(const sm::L1Evict& e) {
  pass(Event::l1_evict, [&](auto& part) { part.on_l1_evict(e); });
}
void Composite::on_l2_reuse(const sm::L2Reuse& e) {
  pass(Event::l2_reuse, [&](auto& part) { part.on_l2_reuse(e); });
}
bool Composite::on_l1_pressure(const sm::L1Pressure& e) {
  bool changes = false;
  pass(Event::l1_pressure, [&](auto& part) { changes |= part.on_l1_pressure(e); });
  return changes;
}
void Composite::on_branch(const sm::Branch& e) {
  pass(Event::branch, [&](auto& part) { part.on_branch(e); });
}
void Composite::on_loop(const sm::LoopEvent& e) {
  pass(Event::loop, [&](auto& part) { part.on_loop(e); });
}
void Composite::on_barrier(const sm::BarrierEvent& e) {
  pass(Event::barrier, [&](auto& part) { part.on_barrier(e); });
}
void Composite::on_warp(const sm::WarpEvent& e) {
  pass(Event::warp, [&](auto& part) { part.on_warp(e); });
}
void Composite::on_cta(const sm::CtaEvent& e) {
  pass(Event::cta, [&](auto& part) { part.on_cta(e); });
}
void Composite::on_kernel(const sm::KernelEvent& e) {
  pass(Event::kernel, [&](auto& part) { part.on_kernel(e); });
}
void Composite::on_cycle(Cycle now) {
  pass(Event::cycle, [&](auto& part) { part.on_cycle(now); });
}

Cycle Composite::wake_at(Cycle now) const {
  Cycle next = Cycle::never();
  for (const Part& part : parts_) next = std::min(next, part.listener->wake_at(now));
  return next;
}

void Composite::report_statistics(sm::PolicyReport& report, Cycle now) const {
  for (const Part& part : parts_) part.listener->report_statistics(report, now);
}

Limited::Limited(std::vector<std::unique_ptr<Limiter>> limiters,
                 std::unique_ptr<sm::WarpScheduler> order)
    : limiters_(std::move(limiters)), order_(std::move(order)) {
  for (auto& limiter : limiters_) add(*limiter);
  add(*order_);
}

WarpSlot Limited::pick(const sm::IssueView& view) {
  sm::IssueView limited = view;
  for (auto& limiter : limiters_) limiter->limit(limited);
  return limited.issuable.any() ? order_->pick(limited) : WarpSlot::none;
}

WarpMask Limited::shareable(const sm::IssueView& view) {
  sm::IssueView limited = view;
  for (auto& limiter : limiters_) limiter->limit(limited);
  return limited.issuable.any() ? order_->shareable(limited) : WarpMask{};
}

bool Limited::may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) {
  return std::all_of(limiters_.begin(), limiters_.end(),
                     [&](auto& limiter) { return limiter->may_issue_second(warp, instruction); }) &&
         order_->may_issue_second(warp, instruction);
}

}  // namespace heddle::sched
