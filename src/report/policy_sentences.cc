#include "report/policy_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "gpu/cta/cta_policy.h"
#include "lab/scheduler_pair.h"
#include "report/text_table.h"
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

enum class Topic : std::uint8_t {
  other_ctas,
  own_lines,
  shared_lines,
  lost_lines,
  throttling,
  open_rows,
  saturation,
  tail,
  barriers,
  decision,
  footprints
};

struct PolicyTopics {
  const char* policy;
  std::initializer_list<Topic> topics;
};

// What each policy's paper measures to show why it works.
const std::array<PolicyTopics, 21>& policy_topics() {
  using enum Topic;
  static const std::array<PolicyTopics, 21> list{{
      {"lrr", {shared_lines, open_rows}},
      {"srr", {shared_lines, open_rows}},
      {"gto", {own_lines, tail}},
      {"oldest", {own_lines, tail}},
      {"gtrr", {own_lines, tail}},
      {"youngest", {own_lines, tail}},
      {"fetch-groups", {open_rows, shared_lines}},
      {"two-level", {shared_lines, open_rows}},
      {"two-level-opt", {shared_lines, open_rows}},
      {"swl", {own_lines, throttling, saturation}},
      {"ps", {own_lines, shared_lines, throttling}},
      {"ccws", {lost_lines, own_lines, throttling}},
      {"daws", {footprints, own_lines, throttling}},
      {"mascar", {saturation, own_lines}},
      {"ipaws", {decision, own_lines, shared_lines}},
      {"kaws", {tail}},
      {"lfws", {saturation, tail}},
      {"lpi", {own_lines, saturation}},
      {"llos", {saturation, open_rows}},
      {"cawa", {tail, own_lines}},
      {"saws", {barriers}},
  }};
  return list;
}

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
  const auto &ours = better.figures.cta_sharing, &theirs = worse.figures.cta_sharing;
  if (!ours || !theirs) return {};
  const double own = ratio(ours->other_cta(), better.figures.l1d.accesses),
               other = ratio(theirs->other_cta(), worse.figures.l1d.accesses);
  if (std::abs(own - other) < kMinShareDifference) return {};
  return fmt::format("{}: {}.",
                     own > other ? "More hits are on lines that another CTA brought in"
                                 : "Fewer hits are on lines of other CTAs, though",
                     shares(better, worse, own, other, "of L1 accesses"));
}

// Of the scheduler that counts victim tags.
std::string lost_lines(const SchedulerFigures& better, const SchedulerFigures& worse) {
  for (const SchedulerFigures* one : {&better, &worse}) {
    const lab::KernelFigures& f = one->figures;
    if (!f.policy.contains("ccws.lost_locality_hits")) continue;
    return fmt::format(
        "The victim tags of {} found {} misses on lines that the warp had lost ({} of L1 "
        "accesses); for these it vetoed {} loads.",
        one->scheduler, grouped(f.policy_counter("ccws.lost_locality_hits")),
        percent(ratio(f.policy_counter("ccws.lost_locality_hits"), f.l1d.accesses), 2),
        grouped(f.policy_counter("ccws.vetoed_loads")));
  }
  return {};
}

std::string footprints(const SchedulerFigures& better, const SchedulerFigures& worse) {
  for (const SchedulerFigures* one : {&better, &worse})
    if (const auto vetoed = one->figures.policy.find("daws.vetoed_loads");
        vetoed != one->figures.policy.end())
      return vetoed->second ? fmt::format(
                                  "{} vetoed {} loads because the footprints of older warps "
                                  "filled its share of the L1.",
                                  one->scheduler, grouped(vetoed->second))
                            : fmt::format(
                                  "{} predicted no footprints that exceed the L1, so it vetoed no "
                                  "load.",
                                  one->scheduler);
  return {};
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
  const double ours = better.figures.row_hit_rate(), theirs = worse.figures.row_hit_rate();
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
  const auto ours = static_cast<double>(better.figures.tail_cycles),
             theirs = static_cast<double>(worse.figures.tail_cycles);
  if (std::abs(ours - theirs) < kMinCycleDifference * static_cast<double>(worse.figures.cycles))
    return {};
  const auto is_whole_run = [](const SchedulerFigures& one) {
    return static_cast<double>(one.figures.tail_cycles) >
           kWholeRun * static_cast<double>(one.figures.cycles);
  };
  if (is_whole_run(better) && is_whole_run(worse)) return {};  // all CTAs start at once
  return fmt::format(
      "The tail is {}: {} cycles pass after the last CTA starts under {}, {} under {}; the CTAs "
      "that ended last took {} and {}.",
      ours < theirs ? "shorter" : "longer", grouped(better.figures.tail_cycles), better.scheduler,
      grouped(worse.figures.tail_cycles), worse.scheduler, grouped(better.figures.last_cta_cycles),
      grouped(worse.figures.last_cta_cycles));
}

std::string barriers(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const double ours = better.figures.share_of(sm::SlotUse::barrier),
               theirs = worse.figures.share_of(sm::SlotUse::barrier);
  if (std::abs(ours - theirs) < kMinSlotDifference) return {};
  return fmt::format("Warps wait {} at barriers: {}.", ours < theirs ? "less" : "more",
                     shares(better, worse, ours, theirs, "of issue slots"));
}

// What iPAWS chose, and how long it took to decide.
std::string decision(const SchedulerFigures& better, const SchedulerFigures& worse) {
  for (const SchedulerFigures* one : {&better, &worse}) {
    const lab::KernelFigures& f = one->figures;
    std::uint64_t all = 0, deciding = 0;
    for (const auto& [name, cycles] : f.policy) {
      if (!name.starts_with("ipaws.phase_cycles.")) continue;
      all += cycles;
      if (name.ends_with(".adapt") || name.ends_with(".recover")) deciding += cycles;
    }
    if (all == 0) continue;
    const std::uint64_t fair = f.policy_counter("ipaws.round_robin_kernels"),
                        greedy = f.policy_counter("ipaws.greedy_kernels");
    const double share = ratio(fair, fair + greedy);
    const std::string chose =
        fair + greedy == 0 ? "made no decision"
        : share == 1       ? "chose round robin"
        : share == 0       ? "stayed greedy"
                     : fmt::format("chose round robin in {} of its decisions", percent(share, 0));
    return fmt::format("{} {}; its phases adapt and recover took {} of the time.", one->scheduler,
                       chose, percent(ratio(deciding, all)));
  }
  return {};
}

std::string sentence_about(Topic topic, const SchedulerFigures& better,
                           const SchedulerFigures& worse) {
  switch (topic) {
    case Topic::other_ctas: return other_ctas(better, worse);
    case Topic::own_lines: return own_lines(better, worse);
    case Topic::shared_lines: return shared_lines(better, worse);
    case Topic::lost_lines: return lost_lines(better, worse);
    case Topic::throttling: return throttling(better, worse);
    case Topic::open_rows: return open_rows(better, worse);
    case Topic::saturation: return saturation(better, worse);
    case Topic::tail: return tail(better, worse);
    case Topic::barriers: return barriers(better, worse);
    case Topic::decision: return decision(better, worse);
    case Topic::footprints: return footprints(better, worse);
  }
  return {};
}

// Of the CTA scheduler, then of every part of a composed policy, in its order.
std::vector<Topic> topics_of(const std::string& name_of_pair) {
  const auto [scheduler, cta_scheduler] = lab::SchedulerPair::of(name_of_pair);
  std::vector<Topic> all;
  if (cta_scheduler != gpu::kDefaultCtaScheduler) all.push_back(Topic::other_ctas);
  const std::vector<std::string> policies = sched::is_per_kernel(scheduler)
                                                ? sched::split_per_kernel(scheduler)
                                                : std::vector<std::string>{scheduler};
  for (const std::string& policy : policies)
    for (const sched::PolicyPart& part : sched::split_policy(policy))
      for (const PolicyTopics& one : policy_topics())
        if (part.name == one.policy) all.insert(all.end(), one.topics);
  return all;
}

}  // namespace

std::vector<std::string> policy_sentences(const SchedulerFigures& better,
                                          const SchedulerFigures& worse) {
  std::vector<Topic> order = topics_of(better.scheduler);
  const auto theirs = topics_of(worse.scheduler);
  order.insert(order.end(), theirs.begin(), theirs.end());
  std::vector<std::string> sentences;
  std::vector<Topic> done;
  for (const Topic topic : order) {
    if (sentences.size() == kMaxSentences) break;
    if (std::find(done.begin(), done.end(), topic) != done.end()) continue;
    done.push_back(topic);
    if (std::string text = sentence_about(topic, better, worse); !text.empty())
      sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace heddle::report
