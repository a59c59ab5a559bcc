// The common part of daws and daws-profiled: vetoes loads of warps whose predicted footprints do
// not fit the cache. A LoopPredictor makes the predictions.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "policies/parameters.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/limiter.h"
#include "sched/framework/policy.h"
#include "sched/limiters/footprints.h"

namespace heddle::sched {

// Which footprints are too large to throttle for: those above the L1's lines, or those above the
// share of the lines that the admitted footprints may fill.
enum class Oversized { capacity, effective };
// The lanes that a prediction assumes.
enum class PredictedLanes { active, all };

struct FootprintOptions {
  double k_assoc = 0.6;
  bool sticky = true;
  Unpredicted unpredicted = Unpredicted::by_age;
  Oversized oversized = Oversized::capacity;
  ClosestLoop closest = ClosestLoop::program_order;
  PredictedLanes lanes = PredictedLanes::active;

  // The parameter rows for a policy whose options derive from these.
  template <class O>
  static auto rows() {
    return std::make_tuple(
        number("k_assoc", static_cast<double O::*>(&O::k_assoc), 0.0, 1.0, "",
               "share of the L1's lines that the admitted footprints may fill",
               "Rogers et al., MICRO 2013, equation 1"),
        choice("sticky", static_cast<bool O::*>(&O::sticky), {"no", "yes"},
               "whether an admitted warp stays admitted until the end of its loop or a barrier",
               "yes: Rogers et al., MICRO 2013, section 7.1; no: only the sum by age of section "
               "5.1"),
        choice("unpredicted", static_cast<Unpredicted O::*>(&O::unpredicted), {"pass", "by_age"},
               "whether a load without a prediction always issues, or only when the footprints of "
               "older warps fit",
               "by_age: the sum of Rogers et al., MICRO 2013, section 5.1, read literally; pass: "
               "an interpretation"),
        choice("oversized", static_cast<Oversized O::*>(&O::oversized), {"capacity", "effective"},
               "a loop is not throttled if a warp's footprint exceeds the L1's lines, or k_assoc "
               "of them",
               "capacity: Rogers et al., MICRO 2013, section 5.1; effective: an interpretation"),
        choice("closest", static_cast<ClosestLoop O::*>(&O::closest),
               {"program_order", "classified"},
               "a load outside loops counts for the next loop in program order, or for the next "
               "one with classified loads",
               "program_order: Rogers et al., MICRO 2013, section 5.1.2; classified: an "
               "interpretation"),
        choice("lanes", static_cast<PredictedLanes O::*>(&O::lanes), {"active", "all"},
               "lanes that a prediction assumes: the active ones, or all 32",
               "active: Rogers et al., MICRO 2013; all: its section 7.1, without control flow "
               "awareness"));
  }
  FootprintRules rules(std::uint32_t l1_lines) const {
    const double lines = k_assoc * l1_lines;
    return {lines, oversized == Oversized::capacity ? l1_lines : lines, sticky, unpredicted,
            closest};
  }
};

struct FootprintStatistics {
  std::uint64_t vetoed_loads = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("vetoed_loads", stats::Unit::warp_instructions,
                                          "loads vetoed that were not vetoed at the previous pick",
                                          &FootprintStatistics::vetoed_loads));
  }
};
struct FootprintLevels {
  std::uint64_t predicted_lines = 0, admitted_lines = 0, predicted_warps = 0, admitted_warps = 0,
                resident_warps = 0;
  static constexpr auto fields() {
    using S = FootprintLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("predicted_lines", Unit::lines,
                       "footprints of all warps: lines that one iteration of their loops touches, "
                       "summed over SMs",
                       &S::predicted_lines),
        stats::counter("admitted_lines", Unit::lines,
                       "of predicted_lines, those of warps that may load", &S::admitted_lines),
        stats::counter("predicted_warps", Unit::warps,
                       "warps with a footprint: in a loop with locality, or about to enter one",
                       &S::predicted_warps),
        stats::counter("admitted_warps", Unit::warps, "of predicted_warps, those that may load",
                       &S::admitted_warps),
        stats::counter("resident_warps", Unit::warps, "live warps, summed over SMs",
                       &S::resident_warps));
  }
};

// State that the schedulers of an SM share. The footprints of the warps of all kernels share the
// cache; every kernel has its loops and predictions.
struct FootprintState {
  virtual ~FootprintState() = default;
  virtual const LoopPredictor& predictor_of(int kernel) const = 0;
  FootprintState(const FootprintOptions& options, const PolicyContext& where)
      : footprints(options.rules(where.l1_lines)),
        all_lanes(options.lanes == PredictedLanes::all) {}
  Footprints footprints;
  const bool all_lanes;  // predictions assume all lanes
  KernelTable kernels;
  sm::KernelCounters<FootprintStatistics> statistics;
  std::array<int, kMaxWarpsPerSm> lanes{};  // of each warp's last instruction
};

class FootprintLimiter : public Limiter {
 public:
  using Statistics = FootprintStatistics;
  using Levels = FootprintLevels;

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::loop | E::barrier | E::warp;
    return first_in_sm_ ? own | E::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    const WarpMask before = std::exchange(vetoed_, WarpMask{});
    if (state_.footprints.none_predicted()) return;
    const WarpMask loads = view.issuable & view.head_is_load;
    loads.for_each([&](WarpSlot w) {
      if (!may_load(w, *view.head[static_cast<std::size_t>(w.index)])) vetoed_.set(w);
    });
    view.issuable &= ~vetoed_;
    state_.statistics.add(view, vetoed_ & ~before, &Statistics::vetoed_loads);
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    return !i.is_l1_load() || may_load(warp, i);
  }

  void on_issue(const sm::Issue& issue) override {
    state_.lanes[static_cast<std::size_t>(issue.warp.index)] = issue.active.count();
    state_.footprints.issued(issue.warp, issue.pc);
  }
  void on_loop(const sm::LoopEvent& event) override {
    const isa::Loop& loop = state_.kernels.kernel(event.warp)->loops[event.loop];
    if (event.begin)
      state_.footprints.begin_loop(event.warp, loop.header, assumed_lanes(event.active.count()),
                                   predictor_of(event.warp));
    else if (loop.parent == isa::Loop::kNone)
      state_.footprints.end_outermost_loop(event.warp);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter)
      state_.footprints.enter_barrier(event.warp);
    else
      state_.footprints.pass_barrier(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    state_.kernels.on_warp(event);
    if (event.launch)
      state_.footprints.launch(event.warp, event.age, event.kernel);
    else
      state_.footprints.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    state_.kernels.on_kernel(event);
    if (event.what == sm::KernelEvent::What::start)
      state_.footprints.begin_kernel(*event.kernel, event.number);
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    if (!first_in_sm_) return;
    report.counters(name_, state_.statistics);
    if (report.wants_levels()) report.levels(name_, levels_of(state_.footprints));
  }

 protected:
  // state must outlive this object.
  FootprintLimiter(std::string_view name, FootprintState& state, bool first_in_sm)
      : state_(state), first_in_sm_(first_in_sm), name_(name) {}

  FootprintState& state_;
  // The SM's first scheduler subscribes to events of the SM and reports statistics for all.
  bool first_in_sm_;

 private:
  static Levels levels_of(const Footprints& footprints) {
    Levels levels;
    levels.predicted_lines = footprints.predicted_lines();
    levels.admitted_lines = footprints.admitted_lines();
    levels.predicted_warps = static_cast<std::uint64_t>(footprints.with_footprint().count());
    levels.admitted_warps = static_cast<std::uint64_t>(footprints.admitted().count());
    levels.resident_warps = footprints.live_warps();
    return levels;
  }
  const LoopPredictor& predictor_of(WarpSlot warp) const {
    return state_.predictor_of(state_.kernels.number(warp));
  }
  int assumed_lanes(int active) const { return state_.all_lanes ? kWarpSize : active; }
  bool may_load(WarpSlot warp, const isa::Instruction& i) {
    const auto pc = static_cast<Pc>(&i - state_.kernels.kernel(warp)->instructions.data());
    return state_.footprints.may_load(
        warp, pc, assumed_lanes(state_.lanes[static_cast<std::size_t>(warp.index)]),
        predictor_of(warp));
  }

  std::string_view name_;
  WarpMask vetoed_;  // at the last pick
};

}  // namespace heddle::sched
