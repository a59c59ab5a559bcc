#include "report/policy_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "gpu/cta/cta_entry.h"
#include "lab/scheduler_pair.h"
#include "report/presentation.h"
#include "report/text_table.h"
#include "sched/framework/policy_entry.h"
#include "sched/framework/policy_text.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using stats::ratio;

constexpr std::size_t kMaxSentences = 3;
// Smaller differences give no sentence.
constexpr double kWholeRun = 0.95;             // of the cycles
constexpr double kMinShareDifference = 0.005;  // of L1 accesses, of DRAM accesses
constexpr double kMinSlotDifference = 0.01;    // of issue slots; reservation failures per access
constexpr double kMinCycleDifference = 0.02;   // of the slower run's cycles

std::string shares(const SchedulerFigures& better, const SchedulerFigures& worse, double ours,
                   double theirs, const char* of) {
  return fmt::format("{} {} under {}, {} under {}", percent(ours), of, better.scheduler,
                     percent(theirs), worse.scheduler);
}

// Compares the share of one kind of L1 hits.
std::string hit_sentence(const SchedulerFigures& better, const SchedulerFigures& worse,
                         std::uint64_t lab::CacheFigures::* kind, const char* gained,
                         const char* lost, const char* of) {
  const double ours = ratio(better.figures.l1d.*kind, better.figures.l1d.accesses),
               theirs = ratio(worse.figures.l1d.*kind, worse.figures.l1d.accesses);
  if (std::abs(ours - theirs) < kMinShareDifference) return {};
  return fmt::format("{}: {}.", ours > theirs ? gained : lost,
                     shares(better, worse, ours, theirs, of));
}

std::string own_lines(const SchedulerFigures& better, const SchedulerFigures& worse) {
  return hit_sentence(better, worse, &lab::CacheFigures::hits_same_warp,
                      "More hits are on lines that the warp itself brought in",
                      "Fewer hits are on the warp's own lines, though", "of L1 accesses");
}

std::string shared_lines(const SchedulerFigures& better, const SchedulerFigures& worse) {
  return hit_sentence(better, worse, &lab::CacheFigures::hits_other_warp,
                      "More hits are on lines that another warp brought in",
                      "Fewer hits are on lines of other warps, though", "of L1 accesses");
}

// What CTA schedulers differ in.
std::string other_ctas(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const auto &ours = better.figures.ctas.sharing, &theirs = worse.figures.ctas.sharing;
  if (!ours || !theirs) return {};
  const double own = ratio(ours->other_cta(), better.figures.l1d.accesses),
               other = ratio(theirs->other_cta(), worse.figures.l1d.accesses);
  if (std::abs(own - other) < kMinShareDifference) return {};
  return fmt::format("{}: {}.",
                     own > other ? "More hits are on lines that another CTA brought in"
                                 : "Fewer hits are on lines of other CTAs, though",
                     shares(better, worse, own, other, "of L1 accesses"));
}

std::string throttling(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const double ours = better.figures.share_of(sm::SlotUse::throttled),
               theirs = worse.figures.share_of(sm::SlotUse::throttled);
  if (ours >= kMinSlotDifference && ours > theirs)
    return fmt::format("{} throttles warps in {} of its issue slots, which pays here.",
                       better.scheduler, percent(ours));
  if (theirs >= kMinSlotDifference)
    return fmt::format("{} throttles warps in {} of its issue slots, which does not pay here.",
                       worse.scheduler, percent(theirs));
  return {};
}

std::string open_rows(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const double ours = better.figures.dram.row_hit_rate(),
               theirs = worse.figures.dram.row_hit_rate();
  if (std::abs(ours - theirs) < kMinShareDifference) return {};
  return fmt::format("{}: {}.",
                     ours > theirs ? "More requests find their DRAM row open"
                                   : "Fewer requests find their DRAM row open, though",
                     shares(better, worse, ours, theirs, "of DRAM accesses"));
}

std::string saturation(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const double ours =
                   ratio(better.figures.l1d.memory_reservation_fails, better.figures.l1d.accesses),
               theirs =
                   ratio(worse.figures.l1d.memory_reservation_fails, worse.figures.l1d.accesses);
  if (std::abs(ours - theirs) < kMinSlotDifference) return {};
  return fmt::format(
      "Memory is {} saturated: {:.2f} reservation failures per L1 access under {}, {:.2f} under "
      "{}, "
      "because MSHRs or the miss queue are full.",
      ours < theirs ? "less" : "more", ours, better.scheduler, theirs, worse.scheduler);
}

std::string tail(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const auto ours = static_cast<double>(better.figures.ctas.tail_cycles),
             theirs = static_cast<double>(worse.figures.ctas.tail_cycles);
  if (std::abs(ours - theirs) < kMinCycleDifference * static_cast<double>(worse.figures.cycles))
    return {};
  const auto is_whole_run = [](const SchedulerFigures& one) {
    return static_cast<double>(one.figures.ctas.tail_cycles) >
           kWholeRun * static_cast<double>(one.figures.cycles);
  };
  if (is_whole_run(better) && is_whole_run(worse)) return {};  // all CTAs start at once
  return fmt::format(
      "The tail is {}: {} cycles pass after the last CTA starts under {}, {} under {}; the CTAs "
      "that ended last took {} and {}.",
      ours < theirs ? "shorter" : "longer", grouped(better.figures.ctas.tail_cycles),
      better.scheduler, grouped(worse.figures.ctas.tail_cycles), worse.scheduler,
      grouped(better.figures.ctas.last_cycles), grouped(worse.figures.ctas.last_cycles));
}

std::string barriers(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const double ours = better.figures.share_of(sm::SlotUse::barrier),
               theirs = worse.figures.share_of(sm::SlotUse::barrier);
  if (std::abs(ours - theirs) < kMinSlotDifference) return {};
  return fmt::format("Warps wait {} at barriers: {}.", ours < theirs ? "less" : "more",
                     shares(better, worse, ours, theirs, "of issue slots"));
}

using Comparison = std::string (*)(const SchedulerFigures& better, const SchedulerFigures& worse);
using Sentence = decltype(policies::Presentation::sentence);
using Statement = std::variant<Comparison, Sentence>;

Comparison comparison_of(policies::Topic topic) {
  switch (topic) {
    case policies::Topic::own_lines: return own_lines;
    case policies::Topic::shared_lines: return shared_lines;
    case policies::Topic::throttling: return throttling;
    case policies::Topic::open_rows: return open_rows;
    case policies::Topic::saturation: return saturation;
    case policies::Topic::tail: return tail;
    case policies::Topic::barriers: return barriers;
  }
  return nullptr;
}

// A policy's own sentence is about the first of the two runs that has its counters.
std::string text_of(const Statement& statement, const SchedulerFigures& better,
                    const SchedulerFigures& worse) {
  if (const auto* compare = std::get_if<Comparison>(&statement)) return (*compare)(better, worse);
  for (const SchedulerFigures* one : {&better, &worse})
    if (std::string text = std::get<Sentence>(statement)(
            {one->scheduler, one->figures.policy, one->figures.l1d.accesses});
        !text.empty())
      return text;
  return {};
}

void add_statements(const policies::Presentation* shown, std::vector<Statement>& into) {
  if (!shown) return;
  if (shown->sentence) into.emplace_back(shown->sentence);
  for (const policies::Topic topic : shown->topics) into.emplace_back(comparison_of(topic));
}

// Of the CTA scheduler, then of every part of a composed policy, in its order.
std::vector<Statement> statements_of(const std::string& name_of_pair) {
  const auto [scheduler, cta_scheduler] = lab::SchedulerPair::of(name_of_pair);
  std::vector<Statement> all;
  if (cta_scheduler != gpu::kDefaultCtaScheduler) all.emplace_back(other_ctas);
  add_statements(presentation_of<gpu::CtaEntry>(
                     std::string_view(cta_scheduler).substr(0, cta_scheduler.find(':'))),
                 all);
  const std::vector<std::string> texts = sched::is_per_kernel(scheduler)
                                             ? sched::split_per_kernel(scheduler)
                                             : std::vector<std::string>{scheduler};
  for (const std::string& policy : texts)
    for (const sched::PolicyPart& part : sched::split_policy(policy))
      add_statements(presentation_of<sched::PolicyEntry>(part.name), all);
  return all;
}

}  // namespace

std::vector<std::string> policy_sentences(const SchedulerFigures& better,
                                          const SchedulerFigures& worse) {
  std::vector<Statement> order = statements_of(better.scheduler);
  const auto theirs = statements_of(worse.scheduler);
  order.insert(order.end(), theirs.begin(), theirs.end());
  std::vector<std::string> sentences;
  std::vector<Statement> done;
  for (const Statement& statement : order) {
    if (sentences.size() == kMaxSentences) break;
    if (std::find(done.begin(), done.end(), statement) != done.end()) continue;
    done.push_back(statement);
    if (std::string text = text_of(statement, better, worse); !text.empty())
      sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace heddle::report
