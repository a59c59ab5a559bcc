#include <fmt/format.h>

#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sched/limiters/lost_locality.h"
#include "stats/number_text.h"
#include "stats/ratio.h"

namespace heddle::sched {
namespace {

// Cache-conscious wavefront scheduling: a warp that misses a line that it had brought in and lost
// gets a higher score. From the highest score down, warps may load until the sum of their scores
// reaches the cutoff; loads of the other warps are vetoed. Other instructions are not limited.
class CacheConsciousScheduling final : public Limiter {
 public:
  using Options = LostLocalityOptions;
  using Statistics = LostLocalityStatistics;
  using Levels = LostLocalityLevels;
  CacheConsciousScheduling(const Options& options, const PolicyContext& where)
      : scores_(shared_in_sm<LostLocality>(where, options, where.l1_line_bytes)),
        kernels_(shared_in_sm<KernelTable>(where)),
        first_in_sm_(where.scheduler == 0),
        second_load_passes_(options.second_load == SecondLoad::passes) {}

  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::issue | sm::Event::l1_access | sm::Event::warp;
    return first_in_sm_ ? own | sm::Event::l1_evict | sm::Event::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    now_ = view.now;
    const WarpMask before = std::exchange(vetoed_, WarpMask{});
    const WarpMask loads = view.issuable & view.head_is_load;
    if (loads.none()) return;
    vetoed_ = loads & ~scores_->allowed(view.now);
    (vetoed_ & ~before).for_each([&](WarpSlot w) {
      scores_->add_veto(w, view.kernel_of(w), *view.head[static_cast<std::size_t>(w.index)]);
    });
    view.issuable &= ~vetoed_;
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    return second_load_passes_ || !i.is_l1_load() || scores_->allowed(now_).test(warp);
  }
  Cycle wake_at(Cycle now) const override {
    return vetoed_.any() ? scores_->retry_at(now) : Cycle::never();
  }

  void on_issue(const sm::Issue& issue) override {
    const isa::OpClass c = issue.instruction->op_class;
    if (c != isa::OpClass::barrier && c != isa::OpClass::memory_barrier)
      scores_->issued(issue.warp, issue.now);
    scores_->left_loop(issue.warp, *issue.instruction);
  }
  void on_l1_access(const sm::L1Access& event) override { scores_->accessed(event); }
  void on_l1_evict(const sm::L1Evict& event) override { scores_->evicted(event); }
  void on_warp(const sm::WarpEvent& event) override {
    kernels_->on_warp(event);
    if (event.launch)
      scores_->launch(event.warp, event.now, kernels_->kernel(event.warp));
    else
      scores_->exit(event.warp, event.now);
  }

  void on_kernel(const sm::KernelEvent& event) override { kernels_->on_kernel(event); }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    if (!first_in_sm_) return;
    report.counters("ccws", scores_->statistics());
    if (report.wants_levels()) report.levels("ccws", scores_->levels(now));
  }

 private:
  std::shared_ptr<LostLocality> scores_;  // of the SM, for all kernels: they share the L1
  std::shared_ptr<KernelTable> kernels_;  // of the SM
  bool first_in_sm_;                      // one of the SM's schedulers does, for all
  const bool second_load_passes_;
  WarpMask vetoed_;  // at the last pick
  Cycle now_;        // of the last pick
};

// How many misses were on lines that the warp itself had lost.
std::string lost_lines(const policies::Counted& run) {
  if (!run.counters.contains("ccws.lost_locality_hits")) return {};
  const std::uint64_t hits = run.at("ccws.lost_locality_hits");
  return fmt::format(
      "The victim tags of {} found {} misses on lines that the warp had lost ({} of L1 "
      "accesses); for these it vetoed {} loads.",
      run.scheduler, stats::grouped(hits), stats::percent(stats::ratio(hits, run.l1d_accesses), 2),
      stats::grouped(run.at("ccws.vetoed_loads")));
}

}  // namespace

PolicyEntry ccws() {
  return limiter<CacheConsciousScheduling>(
      "ccws", "Loads only from warps with the highest lost locality scores",
      "Rogers et al., MICRO 2012", "gto",
      {.look = 2, .topics = {Topic::own_lines, Topic::throttling}, .sentence = lost_lines});
}

}  // namespace heddle::sched
