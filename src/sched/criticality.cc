#include <algorithm>

#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

// Criticality-aware scheduling: greedy, then the warp that is expected to end last: by the instructions that still lie before it, at the
// pace that it has kept, and by how long it has been kept waiting.
class CriticalityAware final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    if (view.issuable.test(greedy_)) return greedy_;
    WarpSlot best;
    double highest = 0;
    view.issuable.for_each([&](WarpSlot w) {
      const double criticality = at(w).criticality(view.now);
      const bool older = best && view.age[static_cast<std::size_t>(w.index)] < view.age[static_cast<std::size_t>(best.index)];
      if (best && (criticality < highest || (criticality == highest && !older))) return;
      best = w;
      highest = criticality;
    });
    return best;
  }
  sm::EventSet listens() const override {
    using E = sm::Event;
    return E::issue | E::branch | E::warp | E::kernel;
  }
  void on_issue(const sm::Issue& issue) override {
    greedy_ = issue.warp;
    Warp& w = at(issue.warp);
    if (issue.now > w.last) w.stalled += issue.now - w.last - 1;
    w.last = issue.now;
    ++w.committed;
    --w.ahead;
  }
  void on_branch(const sm::Branch& b) override {
    const Pc end = b.reconvergence == kNoPc ? end_ : b.reconvergence;
    Warp& w = at(b.warp);
    if (b.taken.any()) w.ahead += b.target <= b.pc ? b.pc - b.target + 1 : length(b.target, end);
    if (b.fell_through.any()) w.ahead += length(b.pc + 1, end);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) at(event.warp) = {event.now, event.now};
    else if (event.warp == greedy_) greedy_ = WarpSlot::none;
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.kernel) end_ = static_cast<Pc>(event.kernel->code.size());
  }

 private:
  struct Warp {
    Cycle launched, last;         // last: when it issued last
    std::int64_t ahead = 0;       // instructions that lie before it, as far as its branches told
    std::uint64_t committed = 0, stalled = 0;
    double criticality(Cycle now) const {
      const double pace = committed ? static_cast<double>(now - launched) / static_cast<double>(committed) : 0;
      return static_cast<double>(ahead) * pace + static_cast<double>(stalled);
    }
  };
  static std::int64_t length(Pc first, Pc end) { return end > first ? end - first : 0; }
  Warp& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }

  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpSlot greedy_ = WarpSlot::none;
  Pc end_ = 0;  // of the kernel's code
};

}  // namespace

PolicyEntry criticality_aware() {
  return policy<CriticalityAware>("cawa", "Greedy, then the warp expected to end last", "Lee et al., ISCA 2015 (the order, gCAWS)");
}

}  // namespace heddle::sched
