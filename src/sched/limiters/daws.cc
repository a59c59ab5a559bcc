#include "sched/framework/policy_entry.h"
#include "sched/limiters/footprint_limiter.h"
#include "sched/limiters/loop_locality.h"

namespace heddle::sched {
namespace {

struct DawsOptions : FootprintOptions, LearningOptions {
  static auto parameters() {
    using O = DawsOptions;
    return std::tuple_cat(
        rows<O>(),
        std::make_tuple(
            number("sampling_lanes", static_cast<std::uint32_t O::*>(&O::sampling_lanes), 2u, 32u,
                   "lanes", "active lanes that a sampling warp needs",
                   "Rogers et al., MICRO 2013: more than two, and elsewhere two or more"),
            number("vta_entries", static_cast<std::uint32_t O::*>(&O::vta_entries), 8u, 1024u,
                   "tags", "victim tags per warp, 8 ways", "Rogers et al., MICRO 2013, table 3"),
            choice("evidence", static_cast<Evidence O::*>(&O::evidence), {"loads", "accesses"},
                   "what is counted as evidence of a loop's locality: each load (local if one of "
                   "its accesses is) or each access",
                   "loads: the paper's text; accesses: an interpretation"),
            choice("keeps", static_cast<bool O::*>(&O::keeps), {"no", "yes"},
                   "whether the tables of a kernel are kept for its next launch",
                   "yes: tables are indexed by pc, and the paper does not say that they are "
                   "cleared; no: an interpretation")));
  }
};

struct DawsState : FootprintState {
  DawsState(const DawsOptions& options, const PolicyContext& where)
      : FootprintState(options, where), loops(where.l1_line_bytes, options) {}
  LoopLocality loops;
};

// Divergence-aware warp scheduling, detecting form: predicts the number of L1 lines that a warp
// touches per iteration from the loads that diverged before and from its active lanes. The oldest
// warps whose predictions fit the cache together may load.
class DivergenceAwareScheduling final : public FootprintLimiter {
 public:
  using Options = DawsOptions;
  DivergenceAwareScheduling(const Options& options, const PolicyContext& where)
      : DivergenceAwareScheduling(shared_in_sm<DawsState>(where, options, where), where) {}

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own = FootprintLimiter::subscribed_events() | E::coalesced | E::l1_access;
    return first_in_sm_ ? own | E::l1_evict : own;
  }
  void on_coalesced(const sm::Coalesced& event) override { daws_->loops.coalesced(event); }
  void on_l1_access(const sm::L1Access& event) override { daws_->loops.accessed(event); }
  void on_l1_evict(const sm::L1Evict& event) override { daws_->loops.evicted(event); }
  void on_loop(const sm::LoopEvent& event) override {
    const Pc header = state_.kernel->loops[event.loop].header;
    if (event.begin)
      daws_->loops.begin_loop(event.warp, header, event.active.count());
    else
      daws_->loops.end_loop(event.warp, header);
    FootprintLimiter::on_loop(event);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch) daws_->loops.end_warp(event.warp);
    FootprintLimiter::on_warp(event);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    FootprintLimiter::on_kernel(event);
    if (event.what == sm::KernelEvent::What::start) daws_->loops.begin_kernel(event.kernel);
  }

  static std::vector<stats::FieldInfo> records() {
    return {{"loads",
             "",
             "each classified load of SM 0: its pc, the first pc of its loop, whether it diverges, "
             "its group (one load per group counts), the lines that a full warp would touch in one "
             "iteration of the loop, and the loop's locality counter",
             {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    FootprintLimiter::report_statistics(report, now);
    if (first_in_sm_ && sm_ == 0 && report.wants_records()) report_loads(report);
  }

 private:
  DivergenceAwareScheduling(std::shared_ptr<DawsState> state, const PolicyContext& where)
      : FootprintLimiter("daws", *state, state->loops, where.scheduler == 0),
        daws_(std::move(state)),
        sm_(where.sm) {}
  void report_loads(sm::PolicyReport& report) const {
    const LoopLocality& loops = daws_->loops;
    for (const LoadClass& load : loops.table().loads())
      report.record("daws", "loads")
          .put("pc", std::uint64_t{load.pc})
          .put("loop", std::uint64_t{load.loop})
          .put("diverged", std::uint64_t{load.diverged})
          .put("group", std::uint64_t{load.group})
          .put("loop_lines", std::uint64_t{loops.table().predict(load.loop, kWarpSize)})
          .put("loop_locality", static_cast<double>(loops.locality(load.loop)));
  }

  std::shared_ptr<DawsState> daws_;
  decltype(PolicyContext::sm) sm_;
};

}  // namespace

PolicyEntry daws() {
  return limiter<DivergenceAwareScheduling>(
      "daws", "The oldest warps whose predicted cache footprints fit may load",
      "Rogers et al., MICRO 2013");
}

}  // namespace heddle::sched
