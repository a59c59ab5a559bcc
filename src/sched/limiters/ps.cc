#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sched/limiters/priority_groups.h"

namespace heddle::sched {
namespace {

enum class GroupMode { throttle, prioritize };
// automatic: the pragmas of a kernel that has any, otherwise the analysis of the launch.
enum class GroupSource { automatic, pragmas, analysis };

struct PsOptions {
  GroupMode mode = GroupMode::throttle;
  GroupSource groups = GroupSource::automatic;
  std::uint32_t group = 0, latency = 0;
  GroupMembers members = GroupMembers::id;
  std::uint32_t patience = 20'000;

  static auto parameters() {
    using O = PsOptions;
    return std::make_tuple(
        choice("mode", &O::mode, {"throttle", "prioritize"},
               "loads of warps outside the high-priority group are vetoed, or these warps only "
               "issue when no warp of the group can",
               "an interpretation of Liu et al., EPiC 2019, section 5.2: the scheduler limits the "
               "number of active warps"),
        choice("groups", &O::groups, {"auto", "pragmas", "analysis"},
               "where loops and sizes of groups come from; auto: the pragmas of a kernel that has "
               "any, otherwise the analysis of the launch",
               "Liu et al., EPiC 2019, section 3: instructions that a compiler inserts"),
        number("group", &O::group, 0u, 1u << 20, "warps",
               "warps of a group, in every loop with loads of the L1; 0: `groups` decides",
               "0: Liu et al., EPiC 2019; others for experiments"),
        number("latency", &O::latency, 0u, 1u << 16, "cycles",
               "the analysis marks no loop whose group has too few warps to issue for this time "
               "while each of them waits once in the loop's body; 0: every loop with a group",
               "an interpretation: what a compiler would weigh; the paper does not say"),
        choice("members", &O::members, {"id", "rank"},
               "a group holds consecutive warps of the grid, or of the warps in marked loops of "
               "the SM",
               "an interpretation of Liu et al., EPiC 2019, section 3"),
        number("patience", &O::patience, 0u, 1u << 30, "cycles",
               "after this time with the same group the other warps run for 1/64 of it, so that "
               "warps that wait for them without a barrier make progress; 0: never",
               "Heddle's; far above the time of a memory access"));
  }
};

struct PsStatistics {
  std::uint64_t vetoed_loads = 0, postponed_picks = 0, lifted_vetoes = 0, regions = 0;
  static constexpr auto fields() {
    using S = PsStatistics;
    return std::make_tuple(
        stats::counter("vetoed_loads", stats::Unit::warp_instructions,
                       "loads vetoed that were not vetoed at the previous pick", &S::vetoed_loads),
        stats::counter("postponed_picks", stats::Unit::events,
                       "issues of a warp of the high-priority group or outside marked loops while "
                       "a warp outside the group could issue",
                       &S::postponed_picks),
        stats::counter("lifted_vetoes", stats::Unit::warp_instructions,
                       "loads that would be vetoed but for `patience`", &S::lifted_vetoes),
        stats::counter("regions", stats::Unit::events,
                       "times that a warp entered a marked loop from outside all marked loops",
                       &S::regions));
  }
};
struct PsLevels {
  std::uint64_t in_region_warps = 0, high_warps = 0, resident_warps = 0, group = 0;
  static constexpr auto fields() {
    using S = PsLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("in_region_warps", Unit::warps, "warps in marked loops, summed over SMs",
                       &S::in_region_warps),
        stats::counter("high_warps", Unit::warps,
                       "of in_region_warps, those of the high-priority group", &S::high_warps),
        stats::counter("resident_warps", Unit::warps, "live warps, summed over SMs",
                       &S::resident_warps),
        stats::counter("group", Unit::warps, "size of the group in use, summed over SMs",
                       &S::group));
  }
};

struct MarkedLoop {
  std::uint64_t pc, line, depth, group;
};

// State that the schedulers of an SM share. Every kernel has a high-priority group of its own.
struct PsState {
  explicit PsState(GroupMembers m) : members(m) { groups_of(0); }
  struct Kernel {
    explicit Kernel(GroupMembers members) : groups(members) {}
    PriorityGroups groups;
    std::vector<MarkedLoop> marked;
  };
  Kernel& of(int kernel) {
    while (kernels.size() <= static_cast<std::size_t>(kernel))
      kernels.push_back(std::make_unique<Kernel>(members));
    return *kernels[static_cast<std::size_t>(kernel)];
  }
  PriorityGroups& groups_of(int kernel) { return of(kernel).groups; }
  PriorityGroups& groups_of(WarpSlot warp) { return groups_of(table.number(warp)); }

  const GroupMembers members;
  std::vector<std::unique_ptr<Kernel>> kernels;  // by number
  KernelTable table;
  sm::KernelCounters<PsStatistics> statistics;
  WarpMask live;
};

// The programmable warp scheduler: loops are marked with the size of a group of warps whose lines
// fit the L1. One group after another has high priority while its warps are in marked loops.
class ProgrammableScheduling final : public Limiter {
 public:
  using Options = PsOptions;
  using Statistics = PsStatistics;
  using Levels = PsLevels;
  ProgrammableScheduling(const Options& options, const PolicyContext& where)
      : options_(options),
        state_(shared_in_sm<PsState>(where, options.members)),
        first_in_sm_(where.scheduler == 0),
        sm_(where.sm),
        schedulers_(static_cast<std::uint64_t>(where.schedulers)) {}

  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::issue | sm::Event::loop | sm::Event::warp;
    return first_in_sm_ ? own | sm::Event::kernel | sm::Event::cta : own;
  }

  void limit(sm::IssueView& view) override {
    now_ = view.now;
    postponed_ = {};
    const WarpMask before = std::exchange(vetoed_, WarpMask{}),
                   lifted_before = std::exchange(lifted_, WarpMask{});
    for (std::size_t kernel = 0; kernel < state_->kernels.size(); ++kernel)
      if (state_->kernels[kernel]->groups.in_region().any())
        limit(view, static_cast<int>(kernel), before, lifted_before);
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    const PriorityGroups& groups = state_->groups_of(warp);
    return options_.mode == GroupMode::prioritize || !i.is_l1_load() ||
           !groups.in_region().test(warp) || groups.high().test(warp) || is_lifted(groups, now_);
  }
  Cycle wake_at(Cycle now) const override {
    if (vetoed_.none() || options_.patience == 0) return Cycle::never();
    Cycle first = Cycle::never();
    for (const auto& kernel : state_->kernels) {
      const PriorityGroups& groups = kernel->groups;
      if ((vetoed_ & groups.in_region()).none()) continue;
      if (is_lifted(groups, now)) return now;
      const std::uint64_t passed = (now.value - groups.high_since().value) % period();
      first = std::min(first, now + (options_.patience - passed));
    }
    return first;
  }

  void on_issue(const sm::Issue&) override {
    const WarpMask postponed = std::exchange(postponed_, WarpMask{});
    if (postponed.none()) return;
    for (std::size_t kernel = 0; kernel < state_->kernels.size(); ++kernel)
      state_->statistics.of(static_cast<int>(kernel)).postponed_picks +=
          (postponed & state_->kernels[kernel]->groups.in_region()).any();
  }
  void on_loop(const sm::LoopEvent& event) override {
    if (event.begin)
      state_->groups_of(event.warp).begin_loop(event.warp, event.loop);
    else
      state_->groups_of(event.warp).end_loop(event.warp, event.loop);
  }
  void on_warp(const sm::WarpEvent& event) override {
    state_->live.assign(event.warp, event.launch);
    state_->table.on_warp(event);
    if (event.launch)
      state_->groups_of(event.kernel).launch(event);
    else
      state_->groups_of(event.kernel).exit(event.warp);
  }
  void on_cta(const sm::CtaEvent& event) override {
    if (event.launch) state_->groups_of(event.kernel).launch_cta(event.warps);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    state_->table.on_kernel(event);
    if (event.what != sm::KernelEvent::What::start) return;
    LoopGroups groups = groups_of(event);
    PsState::Kernel& kernel = state_->of(event.number);
    if (sm_ == 0) kernel.marked = marked_loops(*event.kernel, groups);
    kernel.groups.begin_kernel(std::move(groups), event.grid, event.cta_direction);
  }

  static std::vector<stats::FieldInfo> records() {
    return {{"loops",
             "",
             "each marked loop: its first pc, its CUDA line, its depth, and the warps of a group",
             {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    if (!first_in_sm_) return;
    sm::KernelCounters<PsStatistics> statistics = state_->statistics;
    for (std::size_t kernel = 0; kernel < state_->kernels.size(); ++kernel)
      statistics.of(static_cast<int>(kernel)).regions +=
          state_->kernels[kernel]->groups.regions_entered();
    report.counters("ps", statistics);
    if (report.wants_levels()) report.levels("ps", levels());
    if (!report.wants_records()) return;
    for (std::size_t kernel = 0; kernel < state_->kernels.size(); ++kernel)
      if (state_->table.is_reported(static_cast<int>(kernel), now))
        report_loops(report, state_->kernels[kernel]->marked);
  }

 private:
  static void report_loops(sm::PolicyReport& report, const std::vector<MarkedLoop>& marked) {
    for (const MarkedLoop& loop : marked)
      report.record("ps", "loops")
          .put("pc", loop.pc)
          .put("line", loop.line)
          .put("depth", loop.depth)
          .put("group", loop.group);
  }
  // Vetoes and postpones warps of one kernel.
  void limit(sm::IssueView& view, int kernel, WarpMask before, WarpMask lifted_before) {
    PriorityGroups& groups = state_->groups_of(kernel);
    PsStatistics& statistics = state_->statistics.of(kernel);
    groups.update(view.sm_at_barrier, view.now);
    const WarpMask low = view.issuable & groups.in_region() & ~groups.high();
    if (low.none()) return;
    const WarpMask loads =
        options_.mode == GroupMode::throttle ? low & view.head_is_load : WarpMask{};
    if (is_lifted(groups, view.now)) {
      lifted_ |= loads;
      statistics.lifted_vetoes += count_of(loads & ~lifted_before);
      return;
    }
    vetoed_ |= loads;
    statistics.vetoed_loads += count_of(loads & ~before);
    view.issuable &= ~loads;
    if ((view.issuable & groups.high()).none() || (low & ~loads).none()) return;
    postponed_ |= low;
    view.issuable &= ~low;
  }
  static std::uint64_t count_of(WarpMask warps) {
    return static_cast<std::uint64_t>(warps.count());
  }
  std::uint64_t period() const { return options_.patience + slice(); }
  std::uint64_t slice() const { return std::max(options_.patience / 64, 1u); }
  bool is_lifted(const PriorityGroups& groups, Cycle now) const {
    if (options_.patience == 0) return false;
    return (now.value - groups.high_since().value) % period() >= options_.patience;
  }
  LoopGroups groups_of(const sm::KernelEvent& event) const {
    const isa::Kernel& kernel = *event.kernel;
    if (options_.group > 0) return equal_groups(kernel, options_.group);
    LoopGroups marked = marked_groups(kernel);
    const bool is_marked =
        std::any_of(marked.begin(), marked.end(), [](std::uint32_t n) { return n > 0; });
    if (options_.groups == GroupSource::pragmas ||
        (options_.groups == GroupSource::automatic && is_marked))
      return marked;
    if (!event.analysis) return LoopGroups(kernel.loops.size(), 0);
    return hiding_groups(kernel,
                         analysed_groups(kernel, event.analysis->result(),
                                         event.cta_direction != analysis::Direction::none),
                         options_.latency * schedulers_);
  }
  Levels levels() const {
    Levels levels;
    levels.resident_warps = count_of(state_->live);
    for (const auto& kernel : state_->kernels) {
      const PriorityGroups& groups = kernel->groups;
      levels.in_region_warps += count_of(groups.in_region());
      levels.high_warps += count_of(groups.high());
      levels.group += groups.in_region().any() ? groups.group() : 0;
    }
    return levels;
  }
  static std::vector<MarkedLoop> marked_loops(const isa::Kernel& kernel, const LoopGroups& groups) {
    std::vector<MarkedLoop> marked;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const isa::Loop& loop = kernel.loops[i];
      if (groups[i] == 0) continue;
      marked.push_back({loop.header, isa::line_of(kernel, loop).line, loop.depth, groups[i]});
    }
    return marked;
  }

  const Options options_;
  std::shared_ptr<PsState> state_;  // of the SM
  const bool first_in_sm_;          // subscribes to events of the SM and reports, for all
  const int sm_;
  const std::uint64_t schedulers_;  // of the SM
  WarpMask vetoed_, lifted_;        // at the last pick
  WarpMask postponed_;              // the same, until an instruction issues
  Cycle now_;                       // of the last pick
};

}  // namespace

PolicyEntry ps() {
  return limiter<ProgrammableScheduling>(
      "ps", "In marked loops one group of warps after another may load",
      "Liu, Liu and Wang, EPiC 2019; Liu, PhD thesis, Wright State University, 2017", "gto",
      {.look = 25, .topics = {Topic::own_lines, Topic::shared_lines, Topic::throttling}});
}

}  // namespace heddle::sched
