#include "sched/adaptive/ipaws_kernel.h"

#include <string>
#include <utility>

#include "sched/catalogue.h"

namespace heddle::sched {
namespace {

const char* name_of(GreedySide side) {
  switch (side) {
    case GreedySide::gto: return "gto";
    case GreedySide::ccws: return "ccws";
    case GreedySide::mascar: return "mascar:order=gto";
    default: return "mascar";
  }
}

}  // namespace

IpawsKernel::IpawsKernel(const IpawsOptions& options, const PolicyContext& where, int kernel,
                         const KernelTable& kernels, std::shared_ptr<PatternVote> vote)
    : options_(options),
      sm_id_(where.sm),
      kernel_(kernel),
      first_in_sm_(where.scheduler == 0),
      kernels_(kernels),
      state_(shared_in_sm<IpawsKernelState>(where, options)),
      vote_(std::move(vote)) {
  vote_->join(kernel_, sm_id_);
  PolicyContext inside = where;
  ++inside.part;
  greedy_ = parse_policy(name_of(options.greedy))->build(inside);
  round_robin_ = parse_policy("lrr")->build(inside);
  add(*greedy_);
  add(*round_robin_);
}

sm::EventSet IpawsKernel::subscribed_events() const {
  using E = sm::Event;
  const sm::EventSet own =
      CompositeScheduler::subscribed_events() | E::issue | E::barrier | E::warp | E::kernel;
  return adapts() ? own | E::no_issue : own;  // stalls are counted until the decision
}

void IpawsKernel::on_warp(const sm::WarpEvent& event) {
  CompositeScheduler::on_warp(event);
  longest_stalled_.remove(event.warp);
  if (event.launch) {
    state_->counters.launch(event);
    return;
  }
  const bool decides = adapts() && may_judge() &&
                       state_->counters.instructions(event.warp) >= options_.min_exit_instructions;
  const bool round_robin = decides && judge_pattern(event.now);
  const std::uint64_t instructions = state_->counters.instructions(event.warp);
  state_->counters.exit(event.warp);
  if (decides) propose_or_follow(round_robin, instructions, event.now);
  if (state_->clock.phase() == Phase::recover && options_.recover_end != RecoverEnd::match &&
      state_->counters.ended(state_->target))
    state_->clock.end_recover(false, event.now);
}

void IpawsKernel::on_kernel(const sm::KernelEvent& event) {
  CompositeScheduler::on_kernel(event);
  if (!first_in_sm_) return;
  if (event.what == sm::KernelEvent::What::end) state_->clock.end_kernel(event.now);
  if (event.what != sm::KernelEvent::What::start) return;
  state_->counters.reset();
  state_->judgement.reset();
  state_->kernel_start = event.now;
  state_->clock.begin_kernel(event.now);
  greedy_->set_suspended(false);
  if (sm_id_ == 0) vote_->begin_kernel(kernel_);
  vote_->join(kernel_, sm_id_);
}

void IpawsKernel::report_statistics(sm::PolicyReport& report, Cycle now) const {
  CompositeScheduler::report_statistics(report, now);
  if (!first_in_sm_) return;
  report.counters_of(kernel_, "ipaws", state_->clock.statistics(now));
  if (!report.wants_records() || !state_->judgement || !kernels_.is_reported(kernel_, now)) return;
  const IpawsKernelState::Judgement& judgement = *state_->judgement;
  const PatternDecision& d = judgement.decision;
  std::vector<std::uint64_t> instructions, barrier_time, stalls;
  for (const IssuePattern& p : judgement.pattern) {
    instructions.push_back(p.instructions);
    barrier_time.push_back(p.barrier_time);
    stalls.push_back(p.stalls);
  }
  const bool decides = judgement.own || vote_->decider(kernel_, sm_id_) == sm_id_;
  report.record("ipaws", "decisions")
      .put("sm", static_cast<std::uint64_t>(sm_id_))
      .put("cycle", judgement.at - state_->kernel_start)
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

// The warps that are charged with a stall in a slot in which `picked` issues (stall_of).
WarpMask IpawsKernel::stalled_warps(const sm::IssueView& view, WarpSlot picked) {
  const WarpMask without_unit = view.ready & ~view.issuable;
  WarpSlot warp;
  switch (options_.stall_of) {
    case StallOf::each_ready: return without_unit;
    case StallOf::each_passed:
      return picked ? greedy_->visited_before(view, without_unit, picked) : without_unit;
    case StallOf::longest_held_up:
      if (without_unit.any()) warp = longest_stalled_.longest(without_unit, view);
      break;
    case StallOf::oldest_ready: warp = view.oldest(without_unit); break;
    default: warp = view.oldest(view.valid);
  }
  return warp && warp != picked ? WarpMask::only(warp) : WarpMask{};
}

// The decision from the present issue pattern; the first one of a kernel is recorded.
bool IpawsKernel::judge_pattern(Cycle now) {
  auto pattern = state_->counters.by_age();
  const PatternDecision decision = decide_by_pattern(pattern, options_.interest);
  if (!state_->judgement) state_->judgement = {now, std::move(pattern), decision, decides_alone()};
  return decision.round_robin;
}

void IpawsKernel::propose_or_follow(bool round_robin, std::uint64_t instructions, Cycle now) {
  if (decides_alone()) return follow(round_robin, instructions, now);
  if (vote_->proposed(kernel_, sm_id_)) return;
  PatternVote::Followers followers;
  if (is_shared() && (options_.decide_shared == WhereShared::pair || options_.decide == Scope::sm))
    followers = PatternVote::Followers::group_of(sm_id_, kernels_.running(), vote_->sms(kernel_));
  vote_->propose(kernel_, sm_id_, {now, instructions, round_robin, followers});
}

// `instructions`: what the warp that ended first had issued.
void IpawsKernel::follow(bool round_robin, std::uint64_t instructions, Cycle now) {
  greedy_->set_suspended(round_robin);
  state_->target = state_->counters.target();
  if (options_.recover_target == RecoverTarget::finished)
    state_->target.instructions = instructions;
  state_->clock.enter(!round_robin                             ? Phase::greedy
                      : options_.recover && state_->target.any ? Phase::recover
                                                               : Phase::round_robin,
                      now);
}

// The warp with the fewest instructions; the oldest of several.
WarpSlot IpawsKernel::least_issued(const sm::IssueView& view) const {
  const PatternCounters& counters = state_->counters;
  WarpSlot best;
  view.issuable.for_each([&](WarpSlot w) {
    if (!best || counters.instructions(w) < counters.instructions(best) ||
        (counters.instructions(w) == counters.instructions(best) &&
         view.age[static_cast<std::size_t>(w.index)] <
             view.age[static_cast<std::size_t>(best.index)]))
      best = w;
  });
  return best;
}

}  // namespace heddle::sched
