#include "sched/framework/per_kernel.h"

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace heddle::sched {

using sm::Event;
using sm::WarpScheduler;

PerKernelScheduler::PerKernelScheduler(std::vector<std::unique_ptr<WarpScheduler>> policies) {
  for (auto& policy : policies) {
    const sm::EventSet subscribed = policy->subscribed_events();
    parts_.push_back({std::move(policy), subscribed, {}});
  }
}

sm::EventSet PerKernelScheduler::subscribed_events() const {
  sm::EventSet all = static_cast<sm::EventSet>(Event::warp);
  for (const Part& p : parts_) all |= p.policy->subscribed_events();
  return all;
}

void PerKernelScheduler::attach(sm::Mechanisms& mechanisms) {
  for (Part& p : parts_) p.policy->attach(mechanisms);
}

sm::IssueView PerKernelScheduler::restricted(const sm::IssueView& view, WarpMask warps) {
  sm::IssueView part = view;
  for (WarpMask* mask : {&part.supervised, &part.live, &part.waiting, &part.valid, &part.ready,
                         &part.issuable, &part.head_is_load, &part.head_is_long,
                         &part.waits_for_long, &part.sm_live, &part.sm_at_barrier})
    *mask &= warps;
  return part;
}

WarpSlot PerKernelScheduler::pick(const sm::IssueView& view) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& p = parts_[(view.now.value + i) % parts_.size()];
    if ((view.issuable & p.warps).none()) continue;
    if (const WarpSlot chosen = p.policy->pick(restricted(view, p.warps))) return chosen;
  }
  return WarpSlot::none;
}

WarpMask PerKernelScheduler::visited_before(const sm::IssueView& view, WarpMask among,
                                            WarpSlot chosen) const {
  const Part& p = parts_[part_of(chosen)];
  return p.policy->visited_before(restricted(view, p.warps), among & p.warps, chosen);
}

bool PerKernelScheduler::may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) {
  return parts_[part_of(warp)].policy->may_issue_second(warp, instruction);
}

WarpMask PerKernelScheduler::shareable(const sm::IssueView& view) {
  WarpMask all;
  for (Part& p : parts_)
    if ((view.issuable & p.warps).any()) all |= p.policy->shareable(restricted(view, p.warps));
  return all;
}

void PerKernelScheduler::set_suspended(bool suspended) {
  for (Part& p : parts_) p.policy->set_suspended(suspended);
}

Cycle PerKernelScheduler::wake_at(Cycle now) const {
  Cycle first = Cycle::never();
  for (const Part& p : parts_) first = std::min(first, p.policy->wake_at(now));
  return first;
}

void PerKernelScheduler::report_statistics(sm::PolicyReport& report, Cycle now) const {
  for (const Part& p : parts_) p.policy->report_statistics(report, now);
}

void PerKernelScheduler::on_issue(const sm::Issue& e) {
  notify(part_of(e.warp), Event::issue, [&](WarpScheduler& s) { s.on_issue(e); });
}

// The subscription to no_issue may change at any time.
void PerKernelScheduler::on_no_issue(const sm::NoIssue& e) {
  for (Part& p : parts_) {
    if (!(p.policy->subscribed_events() & static_cast<sm::EventSet>(Event::no_issue))) continue;
    const sm::IssueView view = restricted(e.view, p.warps);
    p.policy->on_no_issue({e.first, e.cycles, e.reason, view});
  }
}

void PerKernelScheduler::on_coalesced(const sm::Coalesced& e) {
  notify(part_of(e.warp), Event::coalesced, [&](WarpScheduler& s) { s.on_coalesced(e); });
}
void PerKernelScheduler::on_l1_access(const sm::L1Access& e) {
  notify(part_of(e.warp), Event::l1_access, [&](WarpScheduler& s) { s.on_l1_access(e); });
}
void PerKernelScheduler::on_l1_evict(const sm::L1Evict& e) {
  notify_all(Event::l1_evict, [&](WarpScheduler& s) { s.on_l1_evict(e); });
}
void PerKernelScheduler::on_l2_reuse(const sm::L2Reuse& e) {
  notify(part_of(e.warp), Event::l2_reuse, [&](WarpScheduler& s) { s.on_l2_reuse(e); });
}
bool PerKernelScheduler::on_l1_pressure(const sm::L1Pressure& e) {
  bool changed = false;
  notify_all(Event::l1_pressure, [&](WarpScheduler& s) { changed |= s.on_l1_pressure(e); });
  return changed;
}
void PerKernelScheduler::on_branch(const sm::Branch& e) {
  notify(part_of(e.warp), Event::branch, [&](WarpScheduler& s) { s.on_branch(e); });
}
void PerKernelScheduler::on_loop(const sm::LoopEvent& e) {
  notify(part_of(e.warp), Event::loop, [&](WarpScheduler& s) { s.on_loop(e); });
}
void PerKernelScheduler::on_barrier(const sm::BarrierEvent& e) {
  notify(part_of(e.warp), Event::barrier, [&](WarpScheduler& s) { s.on_barrier(e); });
}

void PerKernelScheduler::on_warp(const sm::WarpEvent& e) {
  const std::size_t part = part_of_kernel(e.kernel);
  part_of_[static_cast<std::size_t>(e.warp.index)] = static_cast<std::uint8_t>(part);
  if (e.launch)
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].warps.assign(e.warp, i == part);
  notify(part, Event::warp, [&](WarpScheduler& s) { s.on_warp(e); });
}

void PerKernelScheduler::on_cta(const sm::CtaEvent& e) {
  notify(part_of_kernel(e.kernel), Event::cta, [&](WarpScheduler& s) { s.on_cta(e); });
}
void PerKernelScheduler::on_kernel(const sm::KernelEvent& e) {
  notify(part_of_kernel(e.number), Event::kernel, [&](WarpScheduler& s) { s.on_kernel(e); });
}
void PerKernelScheduler::on_cycle(Cycle now) {
  notify_all(Event::cycle, [&](WarpScheduler& s) { s.on_cycle(now); });
}

namespace {

// The number of "K0=" at the start of the text, and the length of that; no number: -1.
std::pair<int, std::size_t> kernel_at(std::string_view text) {
  if (!text.starts_with('K')) return {-1, 0};
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  if (end == std::string_view::npos || end == 1 || end > 4 || text[end] != '=') return {-1, 0};
  return {std::stoi(std::string(text.substr(1, end - 1))), end + 1};
}

}  // namespace

bool is_per_kernel(const std::string& text) { return kernel_at(text).first >= 0; }

std::vector<std::string> split_per_kernel(const std::string& text) {
  std::vector<std::string> policies;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto [number, skip] = kernel_at(rest);
    if (number != static_cast<int>(policies.size()))
      throw UserError("scheduler " + text + ": expected K" + std::to_string(policies.size()) +
                      "=POLICY; the numbers of kernels go 0, 1, 2, ...");
    rest.remove_prefix(skip);
    std::size_t end = 0;
    do end = rest.find(',', end + (end > 0));
    while (end != std::string_view::npos && kernel_at(rest.substr(end + 1)).first < 0);
    policies.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return policies;
}

PerKernelPolicy::PerKernelPolicy(std::vector<std::shared_ptr<const Policy>> policies)
    : policies_(std::move(policies)) {
  for (std::size_t i = 0; i < policies_.size(); ++i)
    text_ += (i ? ",K" : "K") + std::to_string(i) + "=" + policies_[i]->text();
}

// Equal policies of different kernels share no state.
std::unique_ptr<WarpScheduler> PerKernelPolicy::build(const PolicyContext& context) const {
  constexpr int kPartsOfPolicy = 16;
  std::vector<std::unique_ptr<WarpScheduler>> built;
  PolicyContext place = context;
  for (const auto& policy : policies_) {
    built.push_back(policy->build(place));
    place.part += kPartsOfPolicy;
  }
  return std::make_unique<PerKernelScheduler>(std::move(built));
}

std::string PerKernelPolicy::missing_input() const {
  for (const auto& policy : policies_)
    if (std::string missing = policy->missing_input(); !missing.empty()) return missing;
  return {};
}

}  // namespace heddle::sched
