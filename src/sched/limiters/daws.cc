#include "sched/framework/policy_entry.h"
#include "sched/limiters/footprint_limiter.h"
#include "sched/limiters/loop_locality.h"

namespace heddle::sched {
namespace {

struct DivergenceAwareOptions : FootprintOptions, LearningOptions {
  static auto parameters() {
    using O = DivergenceAwareOptions;
    return std::tuple_cat(
        rows<O>(),
        std::make_tuple(
            number("sampling_lanes", static_cast<std::uint32_t O::*>(&O::sampling_lanes), 2u, 32u,
                   "lanes", "active lanes that a warp needs to sample a loop",
                   "Rogers et al., MICRO 2013: more than two, and elsewhere two or more"),
            number("vta_entries", static_cast<std::uint32_t O::*>(&O::vta_entries), 8u, 1024u,
                   "tags", "victim tags per warp, 8 ways", "Rogers et al., MICRO 2013, table 3"),
            choice("evidence", static_cast<Evidence O::*>(&O::evidence), {"loads", "accesses"},
                   "what counts for or against a loop's locality: each load, local if any of its "
                   "accesses is, or each access",
                   "loads: the paper's text; accesses: an interpretation"),
            choice("keeps", static_cast<bool O::*>(&O::keeps), {"no", "yes"},
                   "whether what was learnt of a kernel is known at its next launch",
                   "yes: tables go by pc, and the paper names no moment at which they are cleared; "
                   "no: an interpretation")));
  }
};

struct DetectingState : FootprintState {
  DetectingState(const DivergenceAwareOptions& options, const PolicyContext& where)
      : FootprintState(options, where), loops(where.l1_line_bytes, options) {}
  LoopLocality loops;
};

// Divergence-aware warp scheduling: predicts how many L1 lines a warp touches per iteration from
// the loads that were seen to diverge and the lanes that are active, and lets the oldest warps load
// whose predictions fit the cache together.
class DivergenceAware final : public FootprintLimiter {
 public:
  using Options = DivergenceAwareOptions;
  DivergenceAware(const Options& options, const PolicyContext& where)
      : DivergenceAware(shared_in_sm<DetectingState>(where, options, where), where) {}

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own = FootprintLimiter::subscribed_events() | E::coalesced | E::l1_access;
    return first_ ? own | E::l1_evict : own;
  }
  void on_coalesced(const sm::Coalesced& event) override { detecting_->loops.coalesced(event); }
  void on_l1_access(const sm::L1Access& event) override { detecting_->loops.accessed(event); }
  void on_l1_evict(const sm::L1Evict& event) override { detecting_->loops.evicted(event); }
  void on_loop(const sm::LoopEvent& event) override {
    const Pc header = state_.kernel->loops[event.loop].header;
    if (event.begin)
      detecting_->loops.begin_loop(event.warp, header, event.active.count());
    else
      detecting_->loops.leave_loop(event.warp, header);
    FootprintLimiter::on_loop(event);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch) detecting_->loops.end_warp(event.warp);
    FootprintLimiter::on_warp(event);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    FootprintLimiter::on_kernel(event);
    if (event.what == sm::KernelEvent::What::start) detecting_->loops.begin_kernel(event.kernel);
  }

  static std::vector<stats::FieldInfo> records() {
    return {{"loads",
             "",
             "each load that SM 0 saw repeat in a loop: its pc, the loop's first pc, whether it "
             "diverges, its group (of one group, one counts), the lines "
             "that a full warp would touch in an iteration of the loop, and the loop's locality "
             "counter",
             {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    FootprintLimiter::report_statistics(report, now);
    if (first_ && sm_ == 0 && report.wants_records()) tell_loads(report);
  }

 private:
  DivergenceAware(std::shared_ptr<DetectingState> state, const PolicyContext& where)
      : FootprintLimiter("daws", *state, state->loops, where.scheduler == 0),
        detecting_(std::move(state)),
        sm_(where.sm) {}
  void tell_loads(sm::PolicyReport& report) const {
    const LoopLocality& loops = detecting_->loops;
    for (const LoadClass& load : loops.table().loads())
      report.record("daws", "loads")
          .put("pc", std::uint64_t{load.pc})
          .put("loop", std::uint64_t{load.loop})
          .put("diverged", std::uint64_t{load.diverged})
          .put("group", std::uint64_t{load.group})
          .put("loop_lines", std::uint64_t{loops.table().predict(load.loop, kWarpSize)})
          .put("loop_locality", static_cast<double>(loops.locality(load.loop)));
  }

  std::shared_ptr<DetectingState> detecting_;
  decltype(PolicyContext::sm) sm_;
};

}  // namespace

PolicyEntry divergence_aware() {
  return limiter<DivergenceAware>("daws",
                                  "The oldest warps whose predicted cache footprints fit may load",
                                  "Rogers et al., MICRO 2013");
}

}  // namespace heddle::sched
