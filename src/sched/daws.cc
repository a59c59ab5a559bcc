#include "sched/footprints.h"
#include "sched/loop_locality.h"
#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

struct DivergenceAwareOptions {
  double k_assoc = 0.6;
  bool sticky = false;
  static auto parameters() {
    using O = DivergenceAwareOptions;
    return std::make_tuple(
        number("k_assoc", &O::k_assoc, 0.0, 1.0, "", "share of the L1's lines that predictions may fill", "Rogers et al., MICRO 2013"),
        choice("sticky", &O::sticky, {"no", "yes"}, "whether an admitted warp stays admitted until it leaves its loop",
               "no: the paper's sum by age; yes: the paper's statement that an admitted warp is not stopped"));
  }
};

struct DivergenceStatistics {
  std::uint64_t loads_held_back = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("loads_held_back", stats::Unit::warp_instructions, "loads held back that were not at the pick before",
                                          &DivergenceStatistics::loads_held_back));
  }
};
struct DivergenceLevels {
  std::uint64_t predicted_lines = 0, admitted_lines = 0, predicted_warps = 0, admitted_warps = 0, resident_warps = 0;
  static constexpr auto fields() {
    using S = DivergenceLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("predicted_lines", Unit::lines, "footprints of all warps: lines that an iteration of their loops touches, summed over SMs", &S::predicted_lines),
        stats::counter("admitted_lines", Unit::lines, "of them, those of warps that may load", &S::admitted_lines),
        stats::counter("predicted_warps", Unit::warps, "warps with a footprint: in a loop that reuses, or expected there", &S::predicted_warps),
        stats::counter("admitted_warps", Unit::warps, "of them, those that may load", &S::admitted_warps),
        stats::counter("resident_warps", Unit::warps, "warps that it chooses among", &S::resident_warps));
  }
};

// What the schedulers of an SM share.
struct DivergenceState {
  DivergenceState(const DivergenceAwareOptions& options, const PolicyContext& where)
      : footprints(options.k_assoc * where.l1_lines, options.sticky), loops(where.l1_line_bytes) {}
  Footprints footprints;
  LoopLocality loops;
  const ptx::Kernel* kernel = nullptr;
  DivergenceStatistics told;
  std::array<int, kMaxWarpsPerSm> lanes{};  // of each warp's last instruction
};

// Divergence-aware warp scheduling: predicts how many L1 lines a warp touches per iteration from the loads that were seen to diverge
// and the lanes that are active, and lets the oldest warps load whose predictions fit the cache together.
class DivergenceAware final : public Limiter {
 public:
  using Options = DivergenceAwareOptions;
  using Statistics = DivergenceStatistics;
  using Levels = DivergenceLevels;
  DivergenceAware(const Options& options, const PolicyContext& where)
      : state_(shared_in_sm<DivergenceState>(where, options, where)), first_(where.scheduler == 0), sm_(static_cast<std::uint64_t>(where.sm)) {}

  sm::EventSet listens() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::coalesced | E::l1_access | E::loop | E::barrier | E::warp;
    return first_ ? own | E::l1_evict | E::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    const WarpMask before = std::exchange(held_back_, WarpMask{});
    if (state_->footprints.none_predicted()) return;
    const WarpMask loads = view.issuable & view.head_is_load;
    loads.for_each([&](WarpSlot w) {
      if (!may_load(w, *view.head[static_cast<std::size_t>(w.index)])) held_back_.set(w);
    });
    view.issuable &= ~held_back_;
    state_->told.loads_held_back += static_cast<std::uint64_t>((held_back_ & ~before).count());
  }
  bool may_follow(WarpSlot warp, const ptx::Instruction& i) override { return !(i.is_load() && i.is_long()) || may_load(warp, i); }

  void on_issue(const sm::Issue& issue) override {
    state_->lanes[static_cast<std::size_t>(issue.warp.index)] = issue.active.count();
    state_->footprints.passed(issue.warp, issue.pc);
  }
  void on_coalesced(const sm::Coalesced& event) override { state_->loops.coalesced(event); }
  void on_l1_access(const sm::L1Access& event) override { state_->loops.accessed(event); }
  void on_l1_evict(const sm::L1Evict& event) override { state_->loops.evicted(event); }
  void on_loop(const sm::LoopEvent& event) override {
    const ptx::Loop& loop = state_->kernel->loops[event.loop];
    if (event.begin) {
      state_->loops.begin_loop(event.warp, loop.header, event.active.count());
      state_->footprints.begin_loop(event.warp, loop.header, event.active.count(), state_->loops);
    } else {
      state_->loops.leave_loop(event.warp, loop.header);
      if (loop.parent == ptx::Loop::kNone) state_->footprints.leave_outermost_loop(event.warp);
    }
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter) state_->footprints.enter_barrier(event.warp);
    else state_->footprints.leave_barrier(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) {
      state_->footprints.launch(event.warp, event.age);
    } else {
      state_->loops.end_warp(event.warp);
      state_->footprints.exit(event.warp);
    }
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what != sm::KernelEvent::What::start) return;
    state_->kernel = event.kernel;
    state_->loops.begin_kernel(event.kernel);
  }

  static std::vector<stats::FieldInfo> records() {
    return {{"loads", "", "each load that SM 0 saw repeat in a loop: its pc, the loop's first pc, whether it diverges, its group (of one group, one counts), the lines "
             "that a full warp would touch in an iteration of the loop, and the loop's locality counter", {}}};
  }
  void tell(sm::PolicyReport& report, Cycle) const override {
    if (!first_) return;
    report.counters("daws", state_->told);
    if (report.wants_levels()) report.levels("daws", levels_of(state_->footprints));
    if (report.wants_records() && sm_ == 0) tell_loads(report);
  }

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
  void tell_loads(sm::PolicyReport& report) const {
    for (const LoadClass& load : state_->loops.table().loads())
      report.record("daws", "loads").put("pc", std::uint64_t{load.pc}).put("loop", std::uint64_t{load.loop}).put("diverged", std::uint64_t{load.diverged})
          .put("group", std::uint64_t{load.group}).put("loop_lines", std::uint64_t{state_->loops.table().predict(load.loop, kWarpSize)})
          .put("loop_locality", static_cast<double>(state_->loops.locality(load.loop)));
  }
  bool may_load(WarpSlot warp, const ptx::Instruction& i) {
    const auto pc = static_cast<Pc>(&i - state_->kernel->code.data());
    return state_->footprints.may_load(warp, pc, state_->lanes[static_cast<std::size_t>(warp.index)], state_->loops);
  }

  std::shared_ptr<DivergenceState> state_;
  WarpMask held_back_;  // at the last pick
  bool first_;  // hears what all of the SM's schedulers are told, for all
  std::uint64_t sm_;
};

}  // namespace

PolicyEntry divergence_aware() {
  return limiter<DivergenceAware>("daws", "The oldest warps whose predicted cache footprints fit may load", "Rogers et al., MICRO 2013");
}

}  // namespace heddle::sched
