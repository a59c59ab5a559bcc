#include "sched/adaptive/ipaws_state.h"

#include <algorithm>

namespace heddle::sched {

PatternVote::Followers PatternVote::Followers::group_of(int sm, int size, int sms) {
  const int groups = std::max(1, sms / size), group = std::min(sm / size, groups - 1);
  return {group * size, group + 1 == groups ? std::numeric_limits<int>::max() : (group + 1) * size};
}

void PatternVote::end_window() {
  for (Kernel& k : kernels_) {
    const auto proposals = static_cast<std::size_t>(std::count_if(
        k.sms.begin(), k.sms.end(), [](const OfSm& sm) { return sm.proposal.has_value(); }));
    if (proposals == k.proposals) continue;
    k.proposals = proposals;
    for (std::size_t sm = 0; sm < k.sms.size(); ++sm) {
      if (k.sms[sm].decider >= 0) continue;
      const Proposal* first = nullptr;
      for (std::size_t by = 0; by < k.sms.size(); ++by) {
        const std::optional<Proposal>& p = k.sms[by].proposal;
        if (!p || !p->followers.contain(static_cast<int>(sm)) || (first && p->at >= first->at))
          continue;
        first = &*p;
        k.sms[sm].decider = static_cast<int>(by);
      }
    }
  }
}

void PhaseClock::count(Cycle now) {
  if (running_ && now > since_)
    statistics_.phase_cycles[static_cast<std::size_t>(phase_)] += now - since_;
  since_ = std::max(since_, now);
}

void PhaseClock::enter(Phase phase, Cycle now) {
  count(now);
  if (phase_ == Phase::adapt)
    ++(phase == Phase::greedy ? statistics_.greedy_kernels : statistics_.round_robin_kernels);
  phase_ = phase;
}

IpawsStatistics PhaseClock::statistics(Cycle now) const {
  PhaseClock copy = *this;
  copy.count(now);
  return copy.statistics_;
}

void PatternCounters::reset() {
  ctas_ = {};
  units_.fill({});
  stalls_.fill({});
  at_barrier_ = {};
  issue_cycles_ = 0;
}

void PatternCounters::launch(const sm::WarpEvent& event) {
  bool is_new = false;
  ctas_.launch(event, is_new);
  Unit& unit = at(event.warp);
  if (is_new || by_ == CountBy::warp) unit = {{}, event.age, 0};
  ++unit.live;
}

void PatternCounters::exit(WarpSlot warp) {
  --at(warp).live;
  for (Stalls& s : stalls_) {
    if (!s.warps.test(warp)) continue;
    settle(s, warp);
    s.warps.reset(warp);
  }
  at_barrier_.reset(warp);
  ctas_.exit(warp);
}

void PatternCounters::issued(WarpSlot warp, Cycle now) {
  ++at(warp).pattern.instructions;
  if (now == last_issue_) return;
  last_issue_ = now;
  ++issue_cycles_;
}

// A warp reaches the barrier in the cycle of its own issue, which does not count. It is released in
// the cycle of another warp's issue, which counts.
void PatternCounters::barrier(WarpSlot warp, bool enter) {
  if (barrier_ == BarrierScore::off || at_barrier_.test(warp) == enter) return;
  at_barrier_.assign(warp, enter);
  std::uint64_t& entered = entered_[static_cast<std::size_t>(warp.index)];
  if (enter)
    entered = barrier_clock();
  else
    at(warp).pattern.barrier_time += barrier_clock() - entered;
}

std::vector<IssuePattern> PatternCounters::by_age() const {
  std::array<Unit, kMaxWarpsPerSm> units = units_;
  at_barrier_.for_each([&](WarpSlot w) {
    units[index(w)].pattern.barrier_time +=
        barrier_clock() - entered_[static_cast<std::size_t>(w.index)];
  });
  for (const Stalls& s : stalls_)
    s.warps.for_each([&](WarpSlot w) {
      units[index(w)].pattern.stalls += s.slots - since_[static_cast<std::size_t>(w.index)];
    });
  const auto end =
      std::partition(units.begin(), units.end(), [](const Unit& u) { return u.live > 0; });
  std::sort(units.begin(), end, [](const Unit& a, const Unit& b) { return a.age < b.age; });
  std::vector<IssuePattern> patterns;
  for (auto u = units.begin(); u != end; ++u) patterns.push_back(u->pattern);
  return patterns;
}

PatternCounters::Target PatternCounters::target() const {
  Target t;
  for (const Unit& u : units_) {
    if (u.live == 0) continue;
    if (!t.any || u.age > t.newest_age)
      t.newest = static_cast<std::size_t>(&u - units_.data()), t.newest_age = u.age;
    t.any = true;
    t.instructions = std::max(t.instructions, u.pattern.instructions);
  }
  return t;
}

}  // namespace heddle::sched
