// The counters of iPAWS on an SM, and the decision that all SMs share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sched/adaptive/issue_pattern.h"
#include "sched/framework/cta_table.h"
#include "sched/framework/shared_state.h"
#include "sm/policy_report.h"

namespace heddle::sched {

// The first SM in which a warp ends decides for all SMs. SMs run in parallel within a window, so
// the earliest proposal is chosen at the end of the window.
class PatternVote final : public GpuWide {
 public:
  void begin_kernel() {
    proposals_.clear();
    decision_.reset();
    decider_ = -1;
  }
  void join(int sm) {
    if (proposals_.size() <= static_cast<std::size_t>(sm))
      proposals_.resize(static_cast<std::size_t>(sm) + 1);
  }
  // `instructions`: what the warp that ended had issued.
  void propose(int sm, Cycle now, bool round_robin, std::uint64_t instructions) {
    proposals_[static_cast<std::size_t>(sm)] = {now, instructions, round_robin, true};
  }
  bool proposed(int sm) const { return proposals_[static_cast<std::size_t>(sm)].made; }
  const std::optional<bool>& decision() const { return decision_; }
  int decider() const { return decider_; }  // the SM of that proposal; -1 before the decision
  // What the warp that ended first had issued; valid after the decision.
  std::uint64_t instructions() const {
    return proposals_[static_cast<std::size_t>(decider_)].instructions;
  }
  void end_window() override;

 private:
  struct Proposal {
    Cycle at;
    std::uint64_t instructions = 0;
    bool round_robin = false, made = false;
  };
  std::vector<Proposal> proposals_;  // by SM
  std::optional<bool> decision_;     // true: round robin
  int decider_ = -1;
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
  void stalled(WarpSlot warp, std::uint64_t cycles) { at(warp).pattern.stalls += cycles; }
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
  std::uint64_t barrier_clock() const {
    return barrier_ == BarrierScore::all_cycles ? last_issue_.value : issue_cycles_;
  }

  CountBy by_;
  BarrierScore barrier_;
  CtaTable ctas_;
  std::array<Unit, kMaxWarpsPerSm> units_{};
  std::array<std::uint64_t, kMaxWarpsPerSm> entered_{};  // barrier_clock() when the warp entered
  WarpMask at_barrier_;
  std::uint64_t issue_cycles_ = 0;  // cycles in which a warp of the SM issued
  Cycle last_issue_ = Cycle::never();
};

}  // namespace heddle::sched
