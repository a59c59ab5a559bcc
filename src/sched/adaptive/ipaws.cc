#include "sched/adaptive/ipaws_state.h"
#include "sched/adaptive/longest_stalled.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class GreedySide { gto, ccws, mascar };
enum class RecoverEnd { either, match, exit };
enum class Scope { gpu, sm };
enum class StallOf { longest_held_up, oldest_ready, oldest_valid };

struct IpawsOptions {
  GreedySide greedy = GreedySide::gto;
  bool recover = true, interest = true;
  RecoverEnd recover_end = RecoverEnd::either;
  Scope decide = Scope::gpu;
  CountBy count_by = CountBy::warp;
  BarrierScore barrier_score = BarrierScore::other_issue;
  StallOf stall_of = StallOf::longest_held_up;
  std::uint32_t min_exit_instructions = 0;
  static auto parameters() {
    using O = IpawsOptions;
    const char* const paper = "Lee et al., HPCA 2016";
    return std::make_tuple(
        choice("greedy", &O::greedy, {"gto", "ccws", "mascar"},
               "the greedy side: what runs until the decision, and after it if it is greedy",
               paper),
        choice("recover", &O::recover, {"no", "yes"},
               "whether warps that fell behind catch up before round robin begins", paper),
        choice("recover_end", &O::recover_end, {"either", "match", "exit"},
               "when catching up ends: the newest warp has issued as much as the busiest had, or "
               "has ended",
               "the paper names both"),
        choice("decide", &O::decide, {"gpu", "sm"},
               "the first SM to see a warp end decides for all, or each for itself", paper),
        choice("count_by", &O::count_by, {"warp", "cta"},
               "whose instructions and stalls are counted", paper),
        choice("barrier_score", &O::barrier_score, {"other_issue", "all_cycles", "off"},
               "what a warp at a barrier is credited with: cycles in which another issues, all "
               "cycles, or nothing",
               paper),
        choice("interest", &O::interest, {"no", "yes"},
               "whether only the warps up to the most stalled one are looked at", paper),
        choice("stall_of", &O::stall_of, {"longest_held_up", "oldest_ready", "oldest_valid"},
               "whose stall an empty slot counts for: of the warps that only lack a unit the one "
               "that has waited longest, or was launched first; or "
               "the first launched of all",
               "an interpretation"),
        number("min_exit_instructions", &O::min_exit_instructions, 0u, 1u << 30, "instructions",
               "warps that end after fewer do not bring about the decision", "an interpretation"));
  }
};

const char* name_of(GreedySide side) {
  return side == GreedySide::gto ? "gto" : side == GreedySide::ccws ? "ccws" : "mascar:order=gto";
}

// What the schedulers of one SM share.
struct IpawsSm {
  explicit IpawsSm(const IpawsOptions& options)
      : counters(options.count_by, options.barrier_score) {}
  PatternCounters counters;
  PhaseClock clock;
  Cycle kernel_start;
  // What the SM saw when a warp of it ended while it adapted.
  struct Judgement {
    Cycle at;
    std::vector<IssuePattern> pattern;
    PatternDecision decision;
  };
  std::optional<Judgement> judgement;
  PatternCounters::Target target;  // of the recover phase
};

// Issue-pattern-aware scheduling: a greedy scheduler runs until the first warp ends; how evenly it
// issued then decides whether the kernel goes on with it or with round robin, and before round
// robin the warps that fell behind catch up.
class IssuePatternAware final : public Composite {
 public:
  using Options = IpawsOptions;
  using Statistics = IpawsStatistics;
  IssuePatternAware(const Options& options, const PolicyContext& where)
      : options_(options),
        sm_id_(where.sm),
        leads_sm_(where.scheduler == 0),
        sm_(shared_in_sm<IpawsSm>(where, options)),
        vote_(shared_in_gpu<PatternVote>(where)) {
    vote_->join(sm_id_);
    PolicyContext inside = where;
    ++inside.part;
    greedy_ = parse_policy(name_of(options.greedy))->build(inside);
    fair_ = parse_policy("lrr")->build(inside);
    add(*greedy_);
    add(*fair_);
  }

  WarpSlot pick(const sm::IssueView& view) override {
    settle(view.now);
    switch (sm_->clock.phase()) {
      case Phase::adapt:
      case Phase::greedy: return greedy_->pick(view);
      case Phase::recover: return least_issued(view);
      default: return fair_->pick(view);
    }
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    switch (sm_->clock.phase()) {
      case Phase::adapt:
      case Phase::greedy: return greedy_->visited_before(view, among, chosen);
      case Phase::recover: return among;
      default: return fair_->visited_before(view, among, chosen);
    }
  }
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& instruction) override {
    return sm_->clock.phase() > Phase::greedy || greedy_->may_issue_second(warp, instruction);
  }
  Cycle wake_at(Cycle now) const override {
    return decision_came() ? now : Composite::wake_at(now);
  }

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    const sm::EventSet own =
        Composite::subscribed_events() | E::issue | E::barrier | E::warp | E::kernel;
    return sm_->clock.phase() == Phase::adapt ? own | E::no_issue
                                              : own;  // stalls count until the decision
  }
  void on_issue(const sm::Issue& issue) override {
    Composite::on_issue(issue);
    sm_->clock.issued();
    if (!counts()) return;
    held_up_.gone(issue.warp);
    sm_->counters.issued(issue.warp, issue.now);
    if (sm_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::exit &&
        sm_->counters.reached(sm_->target))
      sm_->clock.enter(Phase::round_robin, issue.now);
  }
  void on_no_issue(const sm::NoIssue& event) override {
    Composite::on_no_issue(event);
    if (sm_->clock.phase() != Phase::adapt) return;
    if (const WarpSlot warp = stalled(event.view)) sm_->counters.stalled(warp, event.cycles);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    Composite::on_barrier(event);
    if (counts()) sm_->counters.barrier(event.warp, event.enter);
  }
  void on_warp(const sm::WarpEvent& event) override {
    Composite::on_warp(event);
    held_up_.gone(event.warp);
    if (event.launch) {
      sm_->counters.launch(event);
      return;
    }
    const bool decides = sm_->clock.phase() == Phase::adapt &&
                         sm_->counters.instructions(event.warp) >= options_.min_exit_instructions;
    const bool round_robin = decides && judge(event.now);
    sm_->counters.exit(event.warp);
    if (decides) decide(round_robin, event.now);
    if (sm_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::match &&
        sm_->counters.gone(sm_->target))
      sm_->clock.enter(Phase::round_robin, event.now);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    Composite::on_kernel(event);
    if (!leads_sm_) return;
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
    return {{"decisions",
             "",
             "of each SM that saw a warp end while it adapted: cycle from the kernel's start, "
             "degree of convexity (sum of scores over threshold), "
             "instructions, barrier time and stalls by age, of which the first `of_interest` "
             "count; `decides`: the one that the GPU follows",
             {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    Composite::report_statistics(report, now);
    if (!leads_sm_) return;
    report.counters("ipaws", sm_->clock.statistics(now));
    if (report.wants_records() && sm_->judgement)
      tell_judgement(report.record("ipaws", "decisions"), *sm_->judgement);
  }

 private:
  // The counters are for the decision and for catching up.
  bool counts() const {
    return sm_->clock.phase() == Phase::adapt || sm_->clock.phase() == Phase::recover;
  }
  // Who stands for a slot in which nobody issued.
  WarpSlot stalled(const sm::IssueView& view) {
    const WarpMask lack_a_unit = view.ready & ~view.issuable;
    switch (options_.stall_of) {
      case StallOf::longest_held_up:
        return lack_a_unit.any() ? held_up_.longest(lack_a_unit, view) : WarpSlot::none;
      case StallOf::oldest_ready: return view.oldest(lack_a_unit);
      default: return view.oldest(view.valid);
    }
  }
  bool decision_came() const {
    return sm_->clock.phase() == Phase::adapt && options_.decide == Scope::gpu && vote_->decision();
  }

  bool judge(Cycle now) {
    auto pattern = sm_->counters.by_age();
    const PatternDecision decision = decide_by_pattern(pattern, options_.interest);
    if (!sm_->judgement) sm_->judgement = {now, std::move(pattern), decision};
    return decision.round_robin;
  }
  void tell_judgement(sm::PolicyReport::Record& record, const IpawsSm::Judgement& judgement) const {
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

  void decide(bool round_robin, Cycle now) {
    if (options_.decide == Scope::sm)
      follow(round_robin, now);
    else if (!vote_->proposed(sm_id_))
      vote_->propose(sm_id_, now, round_robin);
  }
  // The GPU's decision reaches this SM.
  void settle(Cycle now) {
    if (decision_came()) follow(*vote_->decision(), now);
  }
  void follow(bool round_robin, Cycle now) {
    greedy_->set_suspended(round_robin);
    sm_->target = sm_->counters.target();
    sm_->clock.enter(!round_robin                          ? Phase::greedy
                     : options_.recover && sm_->target.any ? Phase::recover
                                                           : Phase::round_robin,
                     now);
  }
  // The warp that has issued least; the oldest of several.
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
  bool leads_sm_;
  HeldUp held_up_;
  std::shared_ptr<IpawsSm> sm_;
  std::shared_ptr<PatternVote> vote_;
  std::unique_ptr<sm::WarpScheduler> greedy_, fair_;
};

}  // namespace

PolicyEntry issue_pattern_aware() {
  return policy<IssuePatternAware>(
      "ipaws", "Greedy or round robin, chosen per kernel by how evenly greed issues",
      "Lee et al., HPCA 2016");
}

}  // namespace heddle::sched
