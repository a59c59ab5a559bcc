// What both forms of DAWS have in common: loads wait for room in the cache, by predictions that a
// LoopPredictor makes.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "sched/framework/limiter.h"
#include "sched/framework/parameters.h"
#include "sched/limiters/footprints.h"

namespace heddle::sched {

struct FootprintOptions {
  double k_assoc = 0.6;
  bool sticky = false;
  Unpredicted unpredicted = Unpredicted::pass;

  // The rows of a policy whose options derive from these.
  template <class O>
  static auto rows() {
    return std::make_tuple(
        number("k_assoc", static_cast<double O::*>(&O::k_assoc), 0.0, 1.0, "",
               "share of the L1's lines that predictions may fill", "Rogers et al., MICRO 2013"),
        choice("sticky", static_cast<bool O::*>(&O::sticky), {"no", "yes"},
               "whether an admitted warp stays admitted until it leaves its loop",
               "no: the paper's sum by age; yes: the paper's statement that an admitted warp is "
               "not stopped"),
        choice("unpredicted", static_cast<Unpredicted O::*>(&O::unpredicted), {"pass", "by_age"},
               "whether a load without a prediction passes, or only when older warps' predictions "
               "leave room",
               "pass: an interpretation; by_age: the paper's sum, read literally"));
  }
};

struct FootprintStatistics {
  std::uint64_t loads_held_back = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("loads_held_back", stats::Unit::warp_instructions,
                                          "loads held back that were not at the pick before",
                                          &FootprintStatistics::loads_held_back));
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
                       "footprints of all warps: lines that an iteration of their loops touches, "
                       "summed over SMs",
                       &S::predicted_lines),
        stats::counter("admitted_lines", Unit::lines, "of them, those of warps that may load",
                       &S::admitted_lines),
        stats::counter("predicted_warps", Unit::warps,
                       "warps with a footprint: in a loop that reuses, or expected there",
                       &S::predicted_warps),
        stats::counter("admitted_warps", Unit::warps, "of them, those that may load",
                       &S::admitted_warps),
        stats::counter("resident_warps", Unit::warps, "warps that it chooses among",
                       &S::resident_warps));
  }
};

// What the schedulers of an SM share.
struct FootprintState {
  FootprintState(const FootprintOptions& options, const PolicyContext& where)
      : footprints(options.k_assoc * where.l1_lines, options.sticky, options.unpredicted) {}
  Footprints footprints;
  const ptx::Kernel* kernel = nullptr;
  FootprintStatistics told;
  std::array<int, kMaxWarpsPerSm> lanes{};  // of each warp's last instruction
};

class FootprintLimiter : public Limiter {
 public:
  using Statistics = FootprintStatistics;
  using Levels = FootprintLevels;

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::loop | E::barrier | E::warp;
    return first_ ? own | E::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    const WarpMask before = std::exchange(held_back_, WarpMask{});
    if (state_.footprints.none_predicted()) return;
    const WarpMask loads = view.issuable & view.head_is_load;
    loads.for_each([&](WarpSlot w) {
      if (!may_load(w, *view.head[static_cast<std::size_t>(w.index)])) held_back_.set(w);
    });
    view.issuable &= ~held_back_;
    state_.told.loads_held_back += static_cast<std::uint64_t>((held_back_ & ~before).count());
  }
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& i) override {
    return !i.is_l1_load() || may_load(warp, i);
  }

  void on_issue(const sm::Issue& issue) override {
    state_.lanes[static_cast<std::size_t>(issue.warp.index)] = issue.active.count();
    state_.footprints.passed(issue.warp, issue.pc);
  }
  void on_loop(const sm::LoopEvent& event) override {
    const ptx::Loop& loop = state_.kernel->loops[event.loop];
    if (event.begin)
      state_.footprints.begin_loop(event.warp, loop.header, event.active.count(), predictor_);
    else if (loop.parent == ptx::Loop::kNone)
      state_.footprints.leave_outermost_loop(event.warp);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter)
      state_.footprints.enter_barrier(event.warp);
    else
      state_.footprints.leave_barrier(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch)
      state_.footprints.launch(event.warp, event.age);
    else
      state_.footprints.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what == sm::KernelEvent::What::start) state_.kernel = event.kernel;
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    if (!first_) return;
    report.counters(name_, state_.told);
    if (report.wants_levels()) report.levels(name_, levels_of(state_.footprints));
  }

 protected:
  // State and predictor live as long as this object.
  FootprintLimiter(std::string_view name, FootprintState& state, const LoopPredictor& predictor,
                   bool first)
      : state_(state), predictor_(predictor), first_(first), name_(name) {}

  FootprintState& state_;
  const LoopPredictor& predictor_;
  bool first_;  // of the SM's schedulers: hears and tells for all

 private:
  static Levels levels_of(const Footprints& footprints) {
    Levels levels;
    levels.predicted_lines = footprints.predicted_lines();
    levels.admitted_lines = footprints.admitted_lines();
    levels.predicted_warps = static_cast<std::uint64_t>(footprints.with_footprint().count());
    levels.admitted_warps = static_cast<std::uint64_t>(footprints.admitted().count());
    levels.resident_warps = footprints.resident();
    return levels;
  }
  bool may_load(WarpSlot warp, const ptx::Instruction& i) {
    const auto pc = static_cast<Pc>(&i - state_.kernel->code.data());
    return state_.footprints.may_load(warp, pc, state_.lanes[static_cast<std::size_t>(warp.index)],
                                      predictor_);
  }

  std::string_view name_;
  WarpMask held_back_;  // at the last pick
};

}  // namespace heddle::sched
