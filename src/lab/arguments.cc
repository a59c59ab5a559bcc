#include "lab/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "lab/text_table.h"
#include "stats/ratio.h"

namespace heddle::lab {
namespace {

using stats::ratio;

constexpr std::size_t kMostSentences = 3;
constexpr double kSharesDiffer = 0.005;  // of L1 accesses, of DRAM accesses
constexpr double kWorthSaying = 0.01;    // of issue slots, of SM time
constexpr double kCyclesDiffer = 0.02;   // of the slower run's cycles

enum class Argument : std::uint8_t {
  own_lines,
  shared_lines,
  lost_lines,
  held_back,
  open_rows,
  saturation,
  tail,
  barriers,
  decision,
  footprints
};

struct Case {
  const char* policy;
  std::initializer_list<Argument> made;
};

// What each policy's paper measures to show why it works.
const std::array<Case, 20>& cases() {
  using enum Argument;
  static const std::array<Case, 20> list{{
      {"lrr", {shared_lines, open_rows}},
      {"srr", {shared_lines, open_rows}},
      {"gto", {own_lines, tail}},
      {"oldest", {own_lines, tail}},
      {"gtrr", {own_lines, tail}},
      {"youngest", {own_lines, tail}},
      {"fetch-groups", {open_rows, shared_lines}},
      {"two-level", {shared_lines, open_rows}},
      {"two-level-opt", {shared_lines, open_rows}},
      {"swl", {own_lines, held_back, saturation}},
      {"ccws", {lost_lines, own_lines, held_back}},
      {"daws", {footprints, own_lines, held_back}},
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

std::string shares(const Named& better, const Named& worse, double ours, double theirs,
                   const char* of) {
  return fmt::format("{} {} under {}, {} under {}", percent(ours), of, better.scheduler,
                     percent(theirs), worse.scheduler);
}

// A share of L1 hits that one protects and the other does not.
std::string hits(const Named& better, const Named& worse, std::uint64_t HitCounts::* kind,
                 const char* gained, const char* lost, const char* of) {
  const double ours = ratio(better.facts.l1d.*kind, better.facts.l1d.accesses),
               theirs = ratio(worse.facts.l1d.*kind, worse.facts.l1d.accesses);
  if (std::abs(ours - theirs) < kSharesDiffer) return {};
  return fmt::format("{}: {}.", ours > theirs ? gained : lost,
                     shares(better, worse, ours, theirs, of));
}

std::string own_lines(const Named& better, const Named& worse) {
  return hits(better, worse, &HitCounts::hits_same_warp,
              "Warps find more of their own lines still in the L1",
              "It does so although warps find fewer of their own lines", "of L1 accesses");
}

std::string shared_lines(const Named& better, const Named& worse) {
  return hits(better, worse, &HitCounts::hits_other_warp,
              "Warps meet on lines that another brought in",
              "That is in spite of fewer hits on other warps' lines", "of L1 accesses");
}

// Whichever of the two counts victim tags.
std::string lost_lines(const Named& better, const Named& worse) {
  for (const Named* named : {&better, &worse}) {
    const Facts& f = named->facts;
    if (!f.policy.contains("ccws.lost_locality_hits")) continue;
    return fmt::format(
        "The victim tags of {} caught {} misses on lines that the warp had lost ({} of L1 "
        "accesses), for which it held {} loads back.",
        named->scheduler, grouped(f.of_policy("ccws.lost_locality_hits")),
        percent(ratio(f.of_policy("ccws.lost_locality_hits"), f.l1d.accesses), 2),
        grouped(f.of_policy("ccws.vetoed_loads")));
  }
  return {};
}

std::string footprints(const Named& better, const Named& worse) {
  for (const Named* named : {&better, &worse})
    if (const auto held = named->facts.policy.find("daws.vetoed_loads");
        held != named->facts.policy.end())
      return held->second ? fmt::format(
                                "{} held {} loads back because the footprints of older warps "
                                "filled its share of the L1.",
                                named->scheduler, grouped(held->second))
                          : fmt::format(
                                "{} predicted no footprints that would not fit the L1, so it held "
                                "no load back.",
                                named->scheduler);
  return {};
}

std::string held_back(const Named& better, const Named& worse) {
  const double ours = better.facts.share_of("throttled"),
               theirs = worse.facts.share_of("throttled");
  if (ours >= kWorthSaying && ours > theirs)
    return fmt::format("Holding ready warps back costs {} {} of its issue slots, and pays.",
                       better.scheduler, percent(ours));
  if (theirs >= kWorthSaying)
    return fmt::format(
        "{} holds ready warps back in {} of its issue slots, which does not pay here.",
        worse.scheduler, percent(theirs));
  return {};
}

std::string open_rows(const Named& better, const Named& worse) {
  const double ours = better.facts.row_hit_rate(), theirs = worse.facts.row_hit_rate();
  if (std::abs(ours - theirs) < kSharesDiffer) return {};
  return fmt::format("{}: {}.",
                     ours > theirs ? "Neighbouring requests meet in open DRAM rows"
                                   : "Fewer requests find their DRAM row open, though",
                     shares(better, worse, ours, theirs, "of DRAM accesses"));
}

std::string saturation(const Named& better, const Named& worse) {
  const double ours = ratio(better.facts.l1d.refused, better.facts.l1d.accesses),
               theirs = ratio(worse.facts.l1d.refused, worse.facts.l1d.accesses);
  if (std::abs(ours - theirs) < kWorthSaying) return {};
  return fmt::format(
      "Memory is {} saturated: for want of MSHRs or places in the miss queue the L1 turns {:.2f} "
      "tries away per access under {}, {:.2f} under {}.",
      ours < theirs ? "less" : "more", ours, better.scheduler, theirs, worse.scheduler);
}

std::string tail(const Named& better, const Named& worse) {
  const auto ours = static_cast<double>(better.facts.tail_cycles),
             theirs = static_cast<double>(worse.facts.tail_cycles);
  if (std::abs(ours - theirs) < kCyclesDiffer * static_cast<double>(worse.facts.cycles)) return {};
  return fmt::format(
      "The tail is {}: {} cycles pass after the last CTA's dispatch under {}, {} under {}; the "
      "CTAs that ended last took {} and {}.",
      ours < theirs ? "shorter" : "longer", grouped(better.facts.tail_cycles), better.scheduler,
      grouped(worse.facts.tail_cycles), worse.scheduler, grouped(better.facts.last_cta_cycles),
      grouped(worse.facts.last_cta_cycles));
}

std::string barriers(const Named& better, const Named& worse) {
  const double ours = better.facts.share_of("barrier"), theirs = worse.facts.share_of("barrier");
  if (std::abs(ours - theirs) < kWorthSaying) return {};
  return fmt::format("Warps wait {} at barriers: {}.", ours < theirs ? "less" : "more",
                     shares(better, worse, ours, theirs, "of issue slots"));
}

// What iPAWS chose, and what finding out took.
std::string decision(const Named& better, const Named& worse) {
  for (const Named* named : {&better, &worse}) {
    const Facts& f = named->facts;
    std::uint64_t all = 0, finding_out = 0;
    for (const auto& [name, cycles] : f.policy) {
      if (!name.starts_with("ipaws.phase_cycles.")) continue;
      all += cycles;
      if (name.ends_with(".adapt") || name.ends_with(".recover")) finding_out += cycles;
    }
    if (all == 0) continue;
    const std::uint64_t fair = f.of_policy("ipaws.round_robin_kernels"),
                        greedy = f.of_policy("ipaws.greedy_kernels");
    const double share = ratio(fair, fair + greedy);
    const std::string chose =
        fair + greedy == 0 ? "came to no decision"
        : share == 1       ? "chose round robin"
        : share == 0       ? "stayed greedy"
                     : fmt::format("chose round robin in {} of its decisions", percent(share, 0));
    return fmt::format("{} {}; adapting and recovering took {} of its time.", named->scheduler,
                       chose, percent(ratio(finding_out, all)));
  }
  return {};
}

std::string sentence(Argument what, const Named& better, const Named& worse) {
  switch (what) {
    case Argument::own_lines: return own_lines(better, worse);
    case Argument::shared_lines: return shared_lines(better, worse);
    case Argument::lost_lines: return lost_lines(better, worse);
    case Argument::held_back: return held_back(better, worse);
    case Argument::open_rows: return open_rows(better, worse);
    case Argument::saturation: return saturation(better, worse);
    case Argument::tail: return tail(better, worse);
    case Argument::barriers: return barriers(better, worse);
    case Argument::decision: return decision(better, worse);
    case Argument::footprints: return footprints(better, worse);
  }
  return {};
}

// Of every part of a composed policy, in its order.
std::vector<Argument> made_by(const std::string& scheduler) {
  std::vector<Argument> all;
  for (std::size_t start = 0; start <= scheduler.size();) {
    const std::size_t end = std::min(scheduler.find('+', start), scheduler.size());
    const std::string part = scheduler.substr(start, end - start),
                      name = part.substr(0, part.find(':'));
    for (const Case& one : cases())
      if (name == one.policy) all.insert(all.end(), one.made);
    start = end + 1;
  }
  return all;
}

}  // namespace

std::vector<std::string> arguments(const Named& better, const Named& worse) {
  std::vector<Argument> order = made_by(better.scheduler);
  const auto theirs = made_by(worse.scheduler);
  order.insert(order.end(), theirs.begin(), theirs.end());
  std::vector<std::string> sentences;
  std::vector<Argument> said;
  for (const Argument what : order) {
    if (sentences.size() == kMostSentences) break;
    if (std::find(said.begin(), said.end(), what) != said.end()) continue;
    said.push_back(what);
    if (std::string text = sentence(what, better, worse); !text.empty())
      sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace heddle::lab
