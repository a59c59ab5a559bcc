#include "sched/adaptive/ipaws_state.h"
#include "sched/adaptive/longest_stalled.h"
#include "sched/catalogue.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class GreedySide { gto, ccws, mascar, mascar_lrr };
enum class RecoverEnd { either, match, exit };
enum class Scope { gpu, sm };
enum class RecoverTarget { finished, busiest_live };
enum class StallOf { longest_held_up, oldest_ready, oldest_valid };
enum class StallIn { any_slot, empty_slot };

struct IpawsOptions {
  GreedySide greedy = GreedySide::gto;
  bool recover = true, interest = true;
  RecoverTarget recover_target = RecoverTarget::finished;
  RecoverEnd recover_end = RecoverEnd::either;
  Scope decide = Scope::gpu;
  CountBy count_by = CountBy::warp;
  BarrierScore barrier_score = BarrierScore::other_issue;
  StallOf stall_of = StallOf::longest_held_up;
  StallIn stall_in = StallIn::any_slot;
  std::uint32_t min_exit_instructions = 0;
  static auto parameters() {
    using O = IpawsOptions;
    const char* const paper = "Lee et al., HPCA 2016";
    return std::make_tuple(
        choice("greedy", &O::greedy, {"gto", "ccws", "mascar", "mascar_lrr"},
               "the greedy scheduler: runs until the decision, and after a decision for greedy; "
               "mascar: with order=gto; mascar_lrr: with its own order",
               paper),
        choice("recover", &O::recover, {"no", "yes"},
               "whether warps with fewer instructions catch up before round robin begins", paper),
        choice("recover_target", &O::recover_target, {"finished", "busiest_live"},
               "the instructions that the newest warp has to issue to catch up: as many as the "
               "warp that ended first on the GPU, or as the busiest live warp of its SM",
               "finished: section 3.4 of the paper"),
        choice("recover_end", &O::recover_end, {"either", "match", "exit"},
               "end of catching up: the newest warp has issued as many instructions as "
               "recover_target (match), or has ended (exit)",
               "section 3.4 of the paper names both as the same"),
        choice("decide", &O::decide, {"gpu", "sm"},
               "gpu: the first SM in which a warp ends decides for all; sm: each SM decides",
               paper),
        choice("count_by", &O::count_by, {"warp", "cta"},
               "whether instructions and stalls are counted per warp or per CTA", paper),
        choice("barrier_score", &O::barrier_score, {"other_issue", "all_cycles", "off"},
               "time at a barrier that is added to a warp's score: cycles in which another warp "
               "issues, all cycles, or none",
               paper),
        choice("interest", &O::interest, {"no", "yes"},
               "whether only the warps up to the most stalled one are compared", paper),
        choice("stall_of", &O::stall_of, {"longest_held_up", "oldest_ready", "oldest_valid"},
               "the warp that is charged with a stall: the ready warp that has waited longest for "
               "its unit, the oldest ready warp that lacks its unit, or the oldest valid warp",
               "an interpretation of \"stalled even though it is the oldest warp\""),
        choice("stall_in", &O::stall_in, {"any_slot", "empty_slot"},
               "the issue slots in which a stall is charged: all, or those in which no warp issues",
               "any_slot: section 3.2 of the paper counts every stall"),
        number("min_exit_instructions", &O::min_exit_instructions, 0u, 1u << 30, "instructions",
               "warps that end after fewer instructions do not start the decision",
               "an interpretation"));
  }
};

const char* name_of(GreedySide side) {
  switch (side) {
    case GreedySide::gto: return "gto";
    case GreedySide::ccws: return "ccws";
    case GreedySide::mascar: return "mascar:order=gto";
    default: return "mascar";
  }
}

// State that the schedulers of an SM share.
struct IpawsSmState {
  explicit IpawsSmState(const IpawsOptions& options)
      : counters(options.count_by, options.barrier_score) {}
  PatternCounters counters;
  PhaseClock clock;
  Cycle kernel_start;
  // The issue pattern when the first warp ended in the adapt phase, and the decision from it.
  struct Judgement {
    Cycle at;
    std::vector<IssuePattern> pattern;
    PatternDecision decision;
  };
  std::optional<Judgement> judgement;
  PatternCounters::Target target;  // of the recover phase
};

// Issue-pattern-aware scheduling: each kernel starts with a greedy scheduler. When the first warp
// ends, the distribution of issues over the warps decides whether the kernel continues with it or
// with round robin. Before round robin the warps with fewer instructions catch up.
class IssuePatternAwareScheduling final : public CompositeScheduler {
 public:
  using Options = IpawsOptions;
  using Statistics = IpawsStatistics;
  IssuePatternAwareScheduling(const Options& options, const PolicyContext& where)
      : options_(options),
        sm_id_(where.sm),
        first_in_sm_(where.scheduler == 0),
        sm_(shared_in_sm<IpawsSmState>(where, options)),
        vote_(shared_in_gpu<PatternVote>(where)) {
    vote_->join(sm_id_);
    PolicyContext inside = where;
    ++inside.part;
    greedy_ = parse_policy(name_of(options.greedy))->build(inside);
    round_robin_ = parse_policy("lrr")->build(inside);
    add(*greedy_);
    add(*round_robin_);
  }

  WarpSlot pick(const sm::IssueView& view) override {
    update(view.now);
    switch (sm_->clock.phase()) {
      case Phase::adapt: {
        const WarpSlot picked = greedy_->pick(view);
        // A slot without an issue is counted in on_no_issue().
        if (picked && options_.stall_in == StallIn::any_slot) count_stall(view, picked, 1);
        return picked;
      }
      case Phase::greedy: return greedy_->pick(view);
      case Phase::recover: return least_issued(view);
      default: return round_robin_->pick(view);
    }
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    switch (sm_->clock.phase()) {
      case Phase::adapt:
      case Phase::greedy: return greedy_->visited_before(view, among, chosen);
      case Phase::recover: return among;
      default: return round_robin_->visited_before(view, among, chosen);
    }
  }
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) override {
    return sm_->clock.phase() > Phase::greedy || greedy_->may_issue_second(warp, instruction);
  }
  Cycle wake_at(Cycle now) const override {
    return gpu_has_decided() ? now : CompositeScheduler::wake_at(now);
  }

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own =
        CompositeScheduler::subscribed_events() | E::issue | E::barrier | E::warp | E::kernel;
    return sm_->clock.phase() == Phase::adapt ? own | E::no_issue
                                              : own;  // stalls are counted until the decision
  }
  void on_issue(const sm::Issue& issue) override {
    CompositeScheduler::on_issue(issue);
    sm_->clock.issued();
    if (!counters_needed()) return;
    longest_stalled_.remove(issue.warp);
    sm_->counters.issued(issue.warp, issue.now);
    if (sm_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::exit &&
        sm_->counters.reached(sm_->target))
      sm_->clock.end_recover(true, issue.now);
  }
  void on_no_issue(const sm::NoIssue& event) override {
    CompositeScheduler::on_no_issue(event);
    if (sm_->clock.phase() == Phase::adapt) count_stall(event.view, WarpSlot::none, event.cycles);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    CompositeScheduler::on_barrier(event);
    if (counters_needed()) sm_->counters.barrier(event.warp, event.enter);
  }
  void on_warp(const sm::WarpEvent& event) override {
    CompositeScheduler::on_warp(event);
    longest_stalled_.remove(event.warp);
    if (event.launch) {
      sm_->counters.launch(event);
      return;
    }
    const bool decides = sm_->clock.phase() == Phase::adapt &&
                         sm_->counters.instructions(event.warp) >= options_.min_exit_instructions;
    const bool round_robin = decides && judge_pattern(event.now);
    const std::uint64_t instructions = sm_->counters.instructions(event.warp);
    sm_->counters.exit(event.warp);
    if (decides) propose_or_follow(round_robin, instructions, event.now);
    if (sm_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::match &&
        sm_->counters.ended(sm_->target))
      sm_->clock.end_recover(false, event.now);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    CompositeScheduler::on_kernel(event);
    if (!first_in_sm_) return;
    if (event.what == sm::KernelEvent::What::end) sm_->clock.end_kernel(event.now);
    if (event.what != sm::KernelEvent::What::start) return;
    sm_->counters.reset();
    sm_->judgement.reset();
    sm_->kernel_start = event.now;
    sm_->clock.begin_kernel(event.now);
    greedy_->set_suspended(false);
    if (sm_id_ == 0) vote_->begin_kernel();
    vote_->join(sm_id_);
  }

  static std::vector<stats::FieldInfo> records() {
    return {
        {"decisions",
         "",
         "per SM in which a warp ended in the adapt phase: cycle from the kernel's start, degree "
         "of convexity (sum of scores over threshold), instructions, barrier time and stalls by "
         "age, of which the first `of_interest` count; `decides`: the GPU follows this SM",
         {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    CompositeScheduler::report_statistics(report, now);
    if (!first_in_sm_) return;
    report.counters("ipaws", sm_->clock.statistics(now));
    if (report.wants_records() && sm_->judgement)
      report_decision(report.record("ipaws", "decisions"), *sm_->judgement);
  }

 private:
  // Whether the counters are needed: for the decision and for catching up.
  bool counters_needed() const {
    return sm_->clock.phase() == Phase::adapt || sm_->clock.phase() == Phase::recover;
  }
  // Charges a slot, in which `picked` issues, to the warp that it stalls.
  void count_stall(const sm::IssueView& view, WarpSlot picked, std::uint64_t cycles) {
    const WarpSlot warp = stalled_warp(view);
    if (warp && warp != picked) sm_->counters.stalled(warp, cycles);
  }
  // The warp that is charged with a stall (stall_of).
  WarpSlot stalled_warp(const sm::IssueView& view) {
    const WarpMask without_unit = view.ready & ~view.issuable;
    switch (options_.stall_of) {
      case StallOf::longest_held_up:
        return without_unit.any() ? longest_stalled_.longest(without_unit, view) : WarpSlot::none;
      case StallOf::oldest_ready: return view.oldest(without_unit);
      default: return view.oldest(view.valid);
    }
  }
  bool gpu_has_decided() const {
    return sm_->clock.phase() == Phase::adapt && options_.decide == Scope::gpu && vote_->decision();
  }

  // The decision from the present issue pattern; the first one of a kernel is recorded.
  bool judge_pattern(Cycle now) {
    auto pattern = sm_->counters.by_age();
    const PatternDecision decision = decide_by_pattern(pattern, options_.interest);
    if (!sm_->judgement) sm_->judgement = {now, std::move(pattern), decision};
    return decision.round_robin;
  }
  void report_decision(sm::PolicyReport::Record& record,
                       const IpawsSmState::Judgement& judgement) const {
    const PatternDecision& d = judgement.decision;
    std::vector<std::uint64_t> instructions, barrier_time, stalls;
    for (const IssuePattern& p : judgement.pattern) {
      instructions.push_back(p.instructions);
      barrier_time.push_back(p.barrier_time);
      stalls.push_back(p.stalls);
    }
    const bool decides = options_.decide == Scope::sm || vote_->decider() == sm_id_;
    record.put("sm", static_cast<std::uint64_t>(sm_id_))
        .put("cycle", judgement.at - sm_->kernel_start)
        .put("decides", std::uint64_t{decides})
        .put("choice", std::string(d.round_robin ? "round_robin" : "greedy"))
        .put("of_interest", std::uint64_t{d.of_interest})
        .put("sum", d.sum)
        .put("threshold", d.threshold)
        .put("convexity", d.convexity())
        .put("instructions", std::move(instructions))
        .put("barrier_time", std::move(barrier_time))
        .put("stalls", std::move(stalls));
  }

  void propose_or_follow(bool round_robin, std::uint64_t instructions, Cycle now) {
    if (options_.decide == Scope::sm)
      follow(round_robin, instructions, now);
    else if (!vote_->proposed(sm_id_))
      vote_->propose(sm_id_, now, round_robin, instructions);
  }
  // Follows the GPU's decision once it is made.
  void update(Cycle now) {
    if (gpu_has_decided()) follow(*vote_->decision(), vote_->instructions(), now);
  }
  // `instructions`: what the warp that ended first had issued.
  void follow(bool round_robin, std::uint64_t instructions, Cycle now) {
    greedy_->set_suspended(round_robin);
    sm_->target = sm_->counters.target();
    if (options_.recover_target == RecoverTarget::finished) sm_->target.instructions = instructions;
    sm_->clock.enter(!round_robin                          ? Phase::greedy
                     : options_.recover && sm_->target.any ? Phase::recover
                                                           : Phase::round_robin,
                     now);
  }
  // The warp with the fewest instructions; the oldest of several.
  WarpSlot least_issued(const sm::IssueView& view) const {
    WarpSlot best;
    view.issuable.for_each([&](WarpSlot w) {
      if (!best || sm_->counters.instructions(w) < sm_->counters.instructions(best) ||
          (sm_->counters.instructions(w) == sm_->counters.instructions(best) &&
           view.age[static_cast<std::size_t>(w.index)] <
               view.age[static_cast<std::size_t>(best.index)]))
        best = w;
    });
    return best;
  }

  Options options_;
  int sm_id_;
  bool first_in_sm_;
  LongestStalled longest_stalled_;
  std::shared_ptr<IpawsSmState> sm_;
  std::shared_ptr<PatternVote> vote_;
  std::unique_ptr<sm::WarpScheduler> greedy_, round_robin_;
};

}  // namespace

PolicyEntry ipaws() {
  return policy<IssuePatternAwareScheduling>(
      "ipaws", "Greedy or round robin, chosen per kernel by how evenly the greedy order issues",
      "Lee et al., HPCA 2016");
}

}  // namespace heddle::sched
