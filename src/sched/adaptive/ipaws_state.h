// The counters of iPAWS on an SM, and the decision that all SMs share.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sched/adaptive/issue_pattern.h"
#include "sched/framework/cta_table.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/shared_state.h"
#include "sm/policy/policy_report.h"

namespace heddle::sched {

// Where kernels share SMs, SMs form groups of as many SMs as kernels run (pairs, for two); each SM
// of a group favours another kernel. SM 2k favours the kernel with the smaller number.
inline int favoured_kernel(const KernelTable& kernels, int sm) {
  const int running = kernels.running();
  return running < 2 ? kernels.by_rank(0) : kernels.by_rank(sm % running);
}

// The first SM in which a warp of a kernel ends decides for the SMs that follow it. SMs run in
// parallel within a window, so the earliest proposal is chosen at the end of the window.
class PatternVote final : public GpuWide {
 public:
  // SMs `begin` to `end` - 1.
  struct Followers {
    int begin = 0, end = std::numeric_limits<int>::max();
    // The group of `size` SMs that contains the SM. SMs that are left over join no group: the last
    // group decides for them.
    static Followers group_of(int sm, int size, int sms);
    bool contain(int sm) const { return begin <= sm && sm < end; }
  };
  struct Proposal {
    Cycle at;
    std::uint64_t instructions = 0;  // what the warp that ended had issued
    bool round_robin = false;
    Followers followers;
  };

  void begin_kernel(int kernel) {
    Kernel& k = of(kernel);
    for (OfSm& sm : k.sms) sm = {};
    k.proposals = 0;
  }
  void join(int kernel, int sm) {
    Kernel& k = of(kernel);
    if (k.sms.size() <= static_cast<std::size_t>(sm))
      k.sms.resize(static_cast<std::size_t>(sm) + 1);
  }
  void propose(int kernel, int sm, const Proposal& proposal) { at(kernel, sm).proposal = proposal; }
  bool proposed(int kernel, int sm) const { return at(kernel, sm).proposal.has_value(); }
  int sms(int kernel) const { return static_cast<int>(kernels_[index(kernel)].sms.size()); }
  // What the SM follows; true: round robin.
  std::optional<bool> decision(int kernel, int sm) const {
    const int by = decider(kernel, sm);
    return by < 0 ? std::nullopt : std::optional(at(kernel, by).proposal->round_robin);
  }
  // The SM that it follows; -1 before the decision.
  int decider(int kernel, int sm) const { return at(kernel, sm).decider; }
  // What the warp that ended first had issued; valid after the decision.
  std::uint64_t instructions(int kernel, int sm) const {
    return at(kernel, decider(kernel, sm)).proposal->instructions;
  }
  void end_window() override;

 private:
  struct OfSm {
    std::optional<Proposal> proposal;
    int decider = -1;
  };
  struct Kernel {
    std::vector<OfSm> sms;
    std::size_t proposals = 0;  // at the last end of a window
  };
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  Kernel& of(int kernel) {
    if (kernels_.size() <= index(kernel)) kernels_.resize(index(kernel) + 1);
    return kernels_[index(kernel)];
  }
  OfSm& at(int kernel, int sm) { return kernels_[index(kernel)].sms[index(sm)]; }
  const OfSm& at(int kernel, int sm) const { return kernels_[index(kernel)].sms[index(sm)]; }

  std::vector<Kernel> kernels_;  // by number
};

// The phases of a kernel on an SM.
enum class Phase : std::uint8_t { adapt, greedy, recover, round_robin };
inline constexpr std::size_t kPhases = 4;
inline constexpr std::array<std::string_view, kPhases> kPhaseNames{"adapt", "greedy", "recover",
                                                                   "round_robin"};

struct IpawsStatistics {
  std::array<std::uint64_t, kPhases> phase_cycles{}, phase_instructions{};
  std::uint64_t round_robin_kernels = 0, greedy_kernels = 0, recover_matches = 0, recover_exits = 0;

  static constexpr auto fields() {
    using S = IpawsStatistics;
    using stats::Unit;
    return std::make_tuple(
        stats::breakdown("phase_cycles", Unit::cycles, "cycles in each phase, summed over SMs",
                         kPhaseNames, &S::phase_cycles),
        stats::breakdown("phase_instructions", Unit::warp_instructions,
                         "warp instructions issued in each phase", kPhaseNames,
                         &S::phase_instructions),
        stats::counter("round_robin_kernels", Unit::events,
                       "decisions for round robin, per kernel and SM", &S::round_robin_kernels),
        stats::counter("greedy_kernels", Unit::events,
                       "decisions for the greedy scheduler, per kernel and SM", &S::greedy_kernels),
        stats::counter("recover_matches", Unit::events,
                       "recover phases that ended when the newest warp had caught up",
                       &S::recover_matches),
        stats::counter("recover_exits", Unit::events,
                       "recover phases that ended when the newest warp ended", &S::recover_exits));
  }
};

// The phase of an SM, and the cycles and instructions of each phase.
class PhaseClock {
 public:
  Phase phase() const { return phase_; }
  void begin_kernel(Cycle now) { running_ = true, since_ = now, phase_ = Phase::adapt; }
  void end_kernel(Cycle now) { count(now), running_ = false; }
  void enter(Phase phase, Cycle now);
  void end_recover(bool caught_up, Cycle now) {
    ++(caught_up ? statistics_.recover_matches : statistics_.recover_exits);
    enter(Phase::round_robin, now);
  }
  void issued() { ++statistics_.phase_instructions[static_cast<std::size_t>(phase_)]; }
  IpawsStatistics statistics(Cycle now) const;

 private:
  void count(Cycle now);
  Phase phase_ = Phase::adapt;
  bool running_ = false;
  Cycle since_;
  IpawsStatistics statistics_;
};

enum class CountBy { warp, cta };
enum class BarrierScore { other_issue, all_cycles, off };

// The counters of an SM, per warp or per CTA.
class PatternCounters {
 public:
  PatternCounters(CountBy by, BarrierScore barrier) : by_(by), barrier_(barrier) {}

  void reset();
  void launch(const sm::WarpEvent& event);
  void exit(WarpSlot warp);
  void issued(WarpSlot warp, Cycle now);
  // The warps that a scheduler charges with a stall in `cycles` issue slots. Only changes from its
  // last call take time.
  void stalled(int scheduler, WarpMask warps, std::uint64_t cycles) {
    Stalls& s = stalls_[static_cast<std::size_t>(scheduler)];
    (s.warps & ~warps).for_each([&](WarpSlot w) { settle(s, w); });
    (warps & ~s.warps).for_each([&](WarpSlot w) { since(w) = s.slots; });
    s.warps = warps;
    s.slots += cycles;
  }
  void barrier(WarpSlot warp, bool enter);

  std::uint64_t instructions(WarpSlot warp) const {
    return units_[index(warp)].pattern.instructions;
  }
  std::vector<IssuePattern> by_age() const;
  // The newest live warp (or CTA), and the instructions that it has to reach: at first the most
  // that a live one has issued.
  struct Target {
    std::uint32_t newest_age = 0;
    std::uint64_t instructions = 0;
    bool any = false;
    std::size_t newest = 0;
  };
  Target target() const;
  bool reached(const Target& target) const {
    return is_live(target) && units_[target.newest].pattern.instructions >= target.instructions;
  }
  bool ended(const Target& target) const { return !is_live(target); }

 private:
  struct Unit {
    IssuePattern pattern;
    std::uint32_t age = 0;
    int live = 0;
  };
  std::size_t index(WarpSlot warp) const {
    return static_cast<std::size_t>(by_ == CountBy::warp ? warp.index : ctas_.of(warp));
  }
  bool is_live(const Target& target) const {
    return units_[target.newest].live > 0 && units_[target.newest].age == target.newest_age;
  }
  Unit& at(WarpSlot warp) { return units_[index(warp)]; }
  // The stalls of a scheduler: the warps that it charged last, and all its slots so far.
  struct Stalls {
    WarpMask warps;
    std::uint64_t slots = 0;
  };
  std::uint64_t& since(WarpSlot warp) { return since_[static_cast<std::size_t>(warp.index)]; }
  void settle(const Stalls& s, WarpSlot warp) { at(warp).pattern.stalls += s.slots - since(warp); }
  std::uint64_t barrier_clock() const {
    return barrier_ == BarrierScore::all_cycles ? last_issue_.value : issue_cycles_;
  }

  CountBy by_;
  BarrierScore barrier_;
  CtaTable ctas_;
  std::array<Unit, kMaxWarpsPerSm> units_{};
  std::array<std::uint64_t, kMaxWarpsPerSm> entered_{};  // barrier_clock() when the warp entered
  std::array<Stalls, kMaxWarpsPerSm> stalls_{};          // by scheduler
  std::array<std::uint64_t, kMaxWarpsPerSm> since_{};    // slots when the warp's stall began
  WarpMask at_barrier_;
  std::uint64_t issue_cycles_ = 0;  // cycles in which a warp of the SM issued
  Cycle last_issue_ = Cycle::never();
};

}  // namespace heddle::sched
