#include <fmt/format.h>

#include "sched/framework/policy_entry.h"
#include "sched/limiters/footprint_limiter.h"
#include "sched/limiters/loop_locality.h"
#include "stats/number_text.h"

namespace heddle::sched {
namespace {

struct DawsOptions : FootprintOptions, LearningOptions {
  static auto parameters() {
    using O = DawsOptions;
    return std::tuple_cat(
        rows<O>(),
        std::make_tuple(
            number("sampling_lanes", static_cast<std::uint32_t O::*>(&O::sampling_lanes), 2u, 32u,
                   "lanes", "active lanes that the first sampling warp of a loop needs",
                   "Rogers et al., MICRO 2013, section 5.2: more than two"),
            number("next_sampling_lanes", static_cast<std::uint32_t O::*>(&O::next_sampling_lanes),
                   1u, 32u, "lanes", "active lanes that the following sampling warps need",
                   "Rogers et al., MICRO 2013, section 5.2: two or more"),
            choice("sampling", static_cast<SamplingFrom O::*>(&O::sampling), {"entry", "any_trip"},
                   "whether a warp becomes the sampling warp only when it enters the loop, or in "
                   "any iteration",
                   "entry: Rogers et al., MICRO 2013, section 5.2; any_trip: an interpretation"),
            number("vta_entries", static_cast<std::uint32_t O::*>(&O::vta_entries), 8u, 1024u,
                   "tags", "victim tags per warp, 8 ways", "Rogers et al., MICRO 2013, table 3"),
            number("load_entries", static_cast<std::uint32_t O::*>(&O::load_entries), 0u, 4096u,
                   "loads", "entries of the table of classified loads; 0: unbounded",
                   "0: Rogers et al., MICRO 2013, section 5.1: the table spills to memory"),
            choice("divergence", static_cast<DivergenceOf O::*>(&O::divergence),
                   {"lines", "accesses"},
                   "what a load must have more than two of to diverge: lines, or accesses after "
                   "coalescing",
                   "lines: Rogers et al., MICRO 2013, section 3.2: lanes of the whole warp are "
                   "merged into line-sized requests; accesses: the half-warps of its simulator"),
            choice("evidence", static_cast<LocalityEvidence O::*>(&O::evidence),
                   {"loads", "accesses"},
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
  DawsState(const DawsOptions& all, const PolicyContext& where)
      : FootprintState(all, where), line_bytes(where.l1_line_bytes), options(all) {
    loops_of(0);
  }
  const LoopPredictor& predictor_of(int kernel) const override {
    return *loops[static_cast<std::size_t>(kernel)];
  }
  LoopLocality& loops_of(int kernel) {
    while (loops.size() <= static_cast<std::size_t>(kernel))
      loops.push_back(std::make_unique<LoopLocality>(line_bytes, options, learnt));
    return *loops[static_cast<std::size_t>(kernel)];
  }
  LoopLocality& loops_of(WarpSlot warp) { return loops_of(kernels.number(warp)); }

  const std::uint32_t line_bytes;
  const LearningOptions options;
  std::shared_ptr<LearntLoops> learnt = std::make_shared<LearntLoops>();
  std::vector<std::unique_ptr<LoopLocality>> loops;  // by number of the kernel
};

// Divergence-aware warp scheduling, detecting form: predicts the number of L1 lines that a warp
// touches per iteration from the loads that diverged before and from its active lanes. The oldest
// warps whose predictions fit the cache together may load.
class DivergenceAwareScheduling final : public FootprintLimiter {
 public:
  using Options = DawsOptions;
  // The paper names fields and entries, not their widths: a pc has 32 bits here, a tag 25, a count
  // of lines 8, a repetition 6, a warp slot 6.
  static std::vector<policies::HardwareCost> hardware(const PolicyContext& where) {
    const auto slots = static_cast<std::uint64_t>(where.warp_slots);
    const std::uint64_t per_warp = DawsOptions().vta_entries;
    return {{"footprints", slots * (8 + 32), "cache footprint prediction table: lines, loop pc"},
            {"loads", std::uint64_t{64} * (32 + 32 + 1 + 6),
             "static load classification table, 64 loads: load pc, loop pc, diverged, repetition"},
            {"repetitions", std::uint64_t{64} * (25 + 32 + 6),
             "intra-loop repetition detector, 64 entries: tag, load pc, warp slot"},
            {"victims", slots * per_warp * 25, "victim tag array, 16 tags per warp slot"}};
  }
  DivergenceAwareScheduling(const Options& options, const PolicyContext& where)
      : DivergenceAwareScheduling(shared_in_sm<DawsState>(where, options, where), where) {}

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own = FootprintLimiter::subscribed_events() | E::coalesced | E::l1_access;
    return first_in_sm_ ? own | E::l1_evict : own;
  }
  void on_coalesced(const sm::Coalesced& event) override {
    daws_->loops_of(event.warp).coalesced(event);
  }
  void on_l1_access(const sm::L1Access& event) override {
    daws_->loops_of(event.warp).accessed(event);
  }
  void on_l1_evict(const sm::L1Evict& event) override {
    if (event.owner) daws_->loops_of(event.owner).evicted(event);
  }
  void on_loop(const sm::LoopEvent& event) override {
    const Pc header = state_.kernels.kernel(event.warp)->loops[event.loop].header;
    LoopLocality& loops = daws_->loops_of(event.warp);
    if (event.begin)
      loops.begin_loop(event.warp, header, event.active.count());
    else
      loops.end_loop(event.warp, header);
    FootprintLimiter::on_loop(event);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch) daws_->loops_of(event.kernel).end_warp(event.warp);
    FootprintLimiter::on_warp(event);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    FootprintLimiter::on_kernel(event);
    if (event.what == sm::KernelEvent::What::start)
      daws_->loops_of(event.number).begin_kernel(event.kernel);
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
    if (!first_in_sm_ || sm_ != 0 || !report.wants_records()) return;
    for (std::size_t kernel = 0; kernel < daws_->loops.size(); ++kernel)
      if (state_.kernels.is_reported(static_cast<int>(kernel), now))
        report_loads(report, *daws_->loops[kernel]);
  }

 private:
  DivergenceAwareScheduling(std::shared_ptr<DawsState> state, const PolicyContext& where)
      : FootprintLimiter("daws", *state, where.scheduler == 0),
        daws_(std::move(state)),
        sm_(where.sm) {}
  static void report_loads(sm::PolicyReport& report, const LoopLocality& loops) {
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

std::string footprints(const policies::Counted& run) {
  if (!run.counters.contains("daws.vetoed_loads")) return {};
  const std::uint64_t vetoed = run.at("daws.vetoed_loads");
  if (vetoed == 0)
    return fmt::format("{} predicted no footprints that exceed the L1, so it vetoed no load.",
                       run.scheduler);
  return fmt::format(
      "{} vetoed {} loads because the footprints of older warps filled its share of the L1.",
      run.scheduler, stats::grouped(vetoed));
}

policies::Bar bar_of_load(const policies::RecordValues& value) {
  return {fmt::format("pc {:.0f}, loop {:.0f}", value("pc"), value("loop")), value("loop_lines"),
          fmt::format("{:.0f} lines; {}, group {:.0f}, locality {:+.0f}", value("loop_lines"),
                      value("diverged") != 0 ? "diverged" : "not diverged", value("group"),
                      value("loop_locality"))};
}

}  // namespace

PolicyEntry daws() {
  return limiter<DivergenceAwareScheduling>(
      "daws", "The oldest warps whose predicted cache footprints fit may load",
      "Rogers et al., MICRO 2013", "gto",
      {.look = 3,
       .topics = {Topic::own_lines, Topic::throttling},
       .sentence = footprints,
       .bars = {{"loads", "the loads that SM 0 classified",
                 "lines that a full warp touches in an iteration of the load's loop; loads of one "
                 "group touch the same",
                 bar_of_load}}});
}

}  // namespace heddle::sched
