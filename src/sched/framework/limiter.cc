#include "sched/framework/limiter.h"

#include <algorithm>
#include <utility>

namespace heddle::sched {

using sm::Event;

sm::EventSet CompositeScheduler::subscribed_events() const {
  sm::EventSet all;
  for (Part& part : parts_) all |= part.subscribed = part.listener->subscribed_events();
  return all;
}

void CompositeScheduler::attach(sm::Mechanisms& mechanisms) {
  for (const Part& part : parts_) part.listener->attach(mechanisms);
}
void CompositeScheduler::on_issue(const sm::Issue& e) {
  forward(Event::issue, [&](auto& part) { part.on_issue(e); });
}
void CompositeScheduler::on_no_issue(const sm::NoIssue& e) {
  forward(Event::no_issue, [&](auto& part) { part.on_no_issue(e); });
}
void CompositeScheduler::on_coalesced(const sm::Coalesced& e) {
  forward(Event::coalesced, [&](auto& part) { part.on_coalesced(e); });
}
void CompositeScheduler::on_l1_access(const sm::L1Access& e) {
  forward(Event::l1_access, [&](auto& part) { part.on_l1_access(e); });
}
void CompositeScheduler::on_l1_evict(const sm::L1Evict& e) {
  forward(Event::l1_evict, [&](auto& part) { part.on_l1_evict(e); });
}
void CompositeScheduler::on_l2_reuse(const sm::L2Reuse& e) {
  forward(Event::l2_reuse, [&](auto& part) { part.on_l2_reuse(e); });
}
bool CompositeScheduler::on_l1_pressure(const sm::L1Pressure& e) {
  bool changes = false;
  forward(Event::l1_pressure, [&](auto& part) { changes |= part.on_l1_pressure(e); });
  return changes;
}
void CompositeScheduler::on_branch(const sm::Branch& e) {
  forward(Event::branch, [&](auto& part) { part.on_branch(e); });
}
void CompositeScheduler::on_loop(const sm::LoopEvent& e) {
  forward(Event::loop, [&](auto& part) { part.on_loop(e); });
}
void CompositeScheduler::on_barrier(const sm::BarrierEvent& e) {
  forward(Event::barrier, [&](auto& part) { part.on_barrier(e); });
}
void CompositeScheduler::on_warp(const sm::WarpEvent& e) {
  forward(Event::warp, [&](auto& part) { part.on_warp(e); });
}
void CompositeScheduler::on_cta(const sm::CtaEvent& e) {
  forward(Event::cta, [&](auto& part) { part.on_cta(e); });
}
void CompositeScheduler::on_kernel(const sm::KernelEvent& e) {
  forward(Event::kernel, [&](auto& part) { part.on_kernel(e); });
}
void CompositeScheduler::on_cycle(Cycle now) {
  forward(Event::cycle, [&](auto& part) { part.on_cycle(now); });
}

Cycle CompositeScheduler::wake_at(Cycle now) const {
  Cycle next = Cycle::never();
  for (const Part& part : parts_) next = std::min(next, part.listener->wake_at(now));
  return next;
}

void CompositeScheduler::report_statistics(sm::PolicyReport& report, Cycle now) const {
  for (const Part& part : parts_) part.listener->report_statistics(report, now);
}

LimitedScheduler::LimitedScheduler(std::vector<std::unique_ptr<Limiter>> limiters,
                                   std::unique_ptr<sm::WarpScheduler> order)
    : limiters_(std::move(limiters)), order_(std::move(order)) {
  for (auto& limiter : limiters_) add(*limiter);
  add(*order_);
}

WarpSlot LimitedScheduler::pick(const sm::IssueView& view) {
  sm::IssueView limited = view;
  for (auto& limiter : limiters_) limiter->limit(limited);
  return limited.issuable.any() ? order_->pick(limited) : WarpSlot::none;
}

WarpMask LimitedScheduler::shareable(const sm::IssueView& view) {
  sm::IssueView limited = view;
  for (auto& limiter : limiters_) limiter->limit(limited);
  return limited.issuable.any() ? order_->shareable(limited) : WarpMask{};
}

bool LimitedScheduler::may_issue_second(WarpSlot warp, const isa::Instruction& instruction) {
  return std::all_of(limiters_.begin(), limiters_.end(),
                     [&](auto& limiter) { return limiter->may_issue_second(warp, instruction); }) &&
         order_->may_issue_second(warp, instruction);
}

}  // namespace heddle::sched
