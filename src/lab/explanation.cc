#include "lab/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/arguments.h"
#include "lab/text_table.h"
#include "stats/ratio.h"

namespace heddle::lab {
namespace {

using stats::ratio;

constexpr double kLevel = 0.01;
constexpr double kCacheWorthTelling = 0.005, kReadsWorthTelling = 0.02,
                 kRowsWorthTelling = 0.02;  // smaller differences explain nothing
constexpr double kUnitBusy =
    0.25;  // of an SM's cycles: the load/store unit explains a busy pipeline
constexpr double kDramBound = 0.75;  // of the DRAM's active cycles
constexpr double kIssueBound = 0.6;  // of all issue slots

struct Words {
  const char *name, *phrase;
};
constexpr std::array<Words, 6> kUses{{
    {"idle", "idleness (no warp is left to run)"},
    {"instruction_buffer_empty", "empty instruction buffers"},
    {"barrier", "barriers"},
    {"scoreboard", "the scoreboard (operands still in flight)"},
    {"pipeline", "the pipeline (its units are busy)"},
    {"throttled", "throttling (a warp could issue but the policy held it back)"},
}};
constexpr std::array<Words, 6> kUnitStalls{{
    {"shared_conflict", "the pipeline (bank conflicts in shared memory keep the memory unit busy)"},
    {"constant_cache", "the pipeline (the memory unit waits for the constant cache)"},
    {"texture_cache", "the pipeline (the memory unit waits for the texture cache)"},
    {"coalesced_accesses", "the pipeline (uncoalesced accesses keep the memory unit busy)"},
    {"l1d_queue", "the pipeline (the memory unit waits for the L1 cache)"},
    {"network", "the pipeline (the memory unit waits for the network)"},
}};

template <std::size_t N>
std::string phrase_of(const std::array<Words, N>& list, const std::string& name) {
  for (const Words& words : list)
    if (name == words.name) return words.phrase;
  return name;
}

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string use_phrase(const std::string& use, const Facts& facts) {
  if (use == "pipeline" && !facts.lsu_stalls.empty()) {
    std::uint64_t sum = 0;
    for (const auto& [name, cycles] : facts.lsu_stalls) sum += cycles;
    const auto most =
        std::max_element(facts.lsu_stalls.begin(), facts.lsu_stalls.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (ratio(sum, facts.sm_cycles) >= kUnitBusy) return phrase_of(kUnitStalls, most->first);
  }
  return phrase_of(kUses, use);
}

// Both issue the same instructions, so the slots that one saves are slots that the other lost to
// something: the use that differs most.
std::string cause_of(const Facts& better, const Facts& worse) {
  std::string cause;
  std::int64_t largest = 0;
  for (const auto& [use, count] : worse.slots) {
    const std::int64_t difference =
        static_cast<std::int64_t>(count) - static_cast<std::int64_t>(better.slots_of(use));
    if (use != "issued" && difference > largest) {
      largest = difference;
      cause = use;
    }
  }
  return cause;
}

std::string slot_clause(const Named& better, const Named& worse) {
  const std::string cause = cause_of(better.facts, worse.facts);
  if (cause.empty()) return {};
  const double more = worse.facts.share_of(cause), less = better.facts.share_of(cause);
  const std::string phrase = use_phrase(cause, worse.facts);
  if (more - less < kLevel) {
    const double saved = 1 - ratio(better.facts.slots_of(cause), worse.facts.slots_of(cause));
    return fmt::format(": it loses {} fewer issue slots to {}", whole_percent(saved), phrase);
  }
  return fmt::format(": {} loses {} of its issue slots to {}, {} {}", worse.scheduler,
                     whole_percent(more), phrase, better.scheduler,
                     better.facts.slots_of(cause) ? whole_percent(less) : "none");
}

// "under gto L1 hits 12.8 % of accesses (11.5 % under lrr), L2 73.1 % (1.8 %), and DRAM is read 75
// % less"
std::string memory_clause(const Named& better, const Named& worse) {
  std::vector<std::string> parts;
  const auto add_cache = [&](const char* cache, const HitCounts& ours, const HitCounts& theirs) {
    if (ours.accesses == 0 || std::abs(ours.hit_rate() - theirs.hit_rate()) < kCacheWorthTelling)
      return;
    parts.push_back(parts.empty() ? fmt::format("{} hits {} of accesses ({} under {})", cache,
                                                percent(ours.hit_rate()),
                                                percent(theirs.hit_rate()), worse.scheduler)
                                  : fmt::format("{} {} ({})", cache, percent(ours.hit_rate()),
                                                percent(theirs.hit_rate())));
  };
  add_cache("L1", better.facts.l1d, worse.facts.l1d);
  add_cache("L2", better.facts.l2, worse.facts.l2);
  const double reads = ratio(better.facts.dram_reads, worse.facts.dram_reads);
  if (worse.facts.dram_reads > 0 && std::abs(1 - reads) >= kReadsWorthTelling) {
    parts.push_back(fmt::format("DRAM is read {} {}", whole_percent(std::abs(1 - reads)),
                                reads < 1 ? "less" : "more"));
  } else if (worse.facts.dram_reads > 0 &&
             std::abs(better.facts.row_hit_rate() - worse.facts.row_hit_rate()) >=
                 kRowsWorthTelling) {
    parts.push_back(fmt::format("DRAM rows hit {} of the time ({} under {})",
                                percent(better.facts.row_hit_rate()),
                                percent(worse.facts.row_hit_rate()), worse.scheduler));
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0                 ? ""
             : i + 1 < parts.size() ? ", "
             : parts.size() > 2     ? ", and "
                                    : " and ") +
            parts[i];
  return text.empty() ? text : "; under " + better.scheduler + " " + text;
}

// Why the choice does not matter.
std::string level_reason(const Facts& facts) {
  const double moving = ratio(facts.dram_data_cycles, facts.dram_active_cycles),
               issuing = facts.share_of("issued");
  if (issuing >= kIssueBound)
    return fmt::format("an instruction leaves in {} of all issue slots whoever chooses it",
                       whole_percent(issuing));
  if (moving >= kDramBound) {
    const bool no_reuse = facts.l1d.accesses > 0 && facts.l1d.hit_rate() < kReadsWorthTelling;
    return fmt::format(
               "DRAM bandwidth sets the pace (its pins move data in {} of its active cycles)",
               whole_percent(moving)) +
           (no_reuse
                ? fmt::format(", and there is no reuse that an order could protect (L1 hits {})",
                              percent(facts.l1d.hit_rate()))
                : "");
  }
  const auto lost = stalls(facts);
  return lost.empty() ? "there is nothing to choose"
                      : fmt::format("each loses about {} of its issue slots to {}",
                                    whole_percent(facts.share_of(lost[0].first)),
                                    use_phrase(lost[0].first, facts));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

}  // namespace

bool is_level(const Facts& fewer, const Facts& more) {
  return ratio(fewer.cycles, more.cycles) > 1 - kLevel;
}

std::string explain(const Named& better, const Named& worse,
                    const std::vector<std::string>& level) {
  const double gain = 1 - ratio(better.facts.cycles, worse.facts.cycles);
  if (better.facts.cycles == worse.facts.cycles)
    return "All take the same number of cycles: no scheduler matters here, because " +
           level_reason(better.facts) + ".";
  if (is_level(better.facts, worse.facts))
    return fmt::format("No scheduler matters here: all are within {} of each other, because {}.",
                       percent(gain, 2), level_reason(better.facts));
  std::string text = fmt::format("{} takes {} fewer cycles than {}", better.scheduler,
                                 percent(gain), worse.scheduler) +
                     slot_clause(better, worse) + memory_clause(better, worse);
  if (!level.empty())
    text += fmt::format("; {} {} within 1 % of {}", joined(level), level.size() == 1 ? "is" : "are",
                        better.scheduler);
  text += ".";
  for (const std::string& sentence : arguments(better, worse)) text += " " + sentence;
  return text;
}

}  // namespace heddle::lab
