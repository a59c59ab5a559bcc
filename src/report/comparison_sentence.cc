#include "report/comparison_sentence.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "report/policy_sentences.h"
#include "report/slot_words.h"
#include "report/text_table.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using lab::KernelFigures;
using sm::SlotUse;
using stats::ratio;

constexpr double kLevel = 0.01;  // of cycles, or of issue slots
// Smaller differences are not mentioned.
constexpr double kMinHitRateDifference = 0.005, kMinReadsDifference = 0.02,
                 kMinRowHitDifference = 0.02;
constexpr double kDramBound = 0.75;    // of its bandwidth
constexpr double kIssueBound = 0.6;    // of all issue slots
constexpr double kHardlyReuse = 0.02;  // L1 hit rate

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// Both runs issue the same instructions. So the slots that the better one saves are slots that the
// worse one lost: the cause is the use that differs most.
std::optional<SlotUse> cause_of(const KernelFigures& better, const KernelFigures& worse) {
  std::optional<SlotUse> cause;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < worse.slots.size(); ++i) {
    const auto use = static_cast<SlotUse>(i);
    const std::int64_t difference = static_cast<std::int64_t>(worse.slots_of(use)) -
                                    static_cast<std::int64_t>(better.slots_of(use));
    if (use != SlotUse::issued && difference > largest) {
      largest = difference;
      cause = use;
    }
  }
  return cause;
}

std::string slot_clause(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const auto cause = cause_of(better.figures, worse.figures);
  if (!cause) return {};
  const double more = worse.figures.share_of(*cause), less = better.figures.share_of(*cause);
  const std::string use = slot_use_text(*cause, worse.figures);
  if (more - less < kLevel) {
    const double saved = 1 - ratio(better.figures.slots_of(*cause), worse.figures.slots_of(*cause));
    return fmt::format(": it loses {} fewer issue slots to {}", whole_percent(saved), use);
  }
  return fmt::format(": {} loses {} of its issue slots to {}, {} {}", worse.scheduler,
                     whole_percent(more), use, better.scheduler,
                     better.figures.slots_of(*cause) ? whole_percent(less) : "none");
}

// "a", "a and b", "a, b, and c"
std::string enumerated(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0                 ? ""
             : i + 1 < parts.size() ? ", "
             : parts.size() > 2     ? ", and "
                                    : " and ") +
            parts[i];
  return text;
}

// "under gto L1 hits 12.8 % of accesses (11.5 % under lrr), L2 73.1 % (1.8 %), and DRAM is read 75
// % less"
std::string memory_clause(const SchedulerFigures& better, const SchedulerFigures& worse) {
  const KernelFigures &ours = better.figures, &theirs = worse.figures;
  std::vector<std::string> parts;
  const auto add_cache = [&](const char* cache, const lab::CacheFigures& of_better,
                             const lab::CacheFigures& of_worse) {
    if (of_better.accesses == 0 ||
        std::abs(of_better.hit_rate() - of_worse.hit_rate()) < kMinHitRateDifference)
      return;
    const std::string first = percent(of_better.hit_rate()), second = percent(of_worse.hit_rate());
    parts.push_back(parts.empty() ? fmt::format("{} hits {} of accesses ({} under {})", cache,
                                                first, second, worse.scheduler)
                                  : fmt::format("{} {} ({})", cache, first, second));
  };
  add_cache("L1", ours.l1d, theirs.l1d);
  add_cache("L2", ours.l2, theirs.l2);
  const double reads = ratio(ours.dram.reads, theirs.dram.reads);
  if (theirs.dram.reads > 0 && std::abs(1 - reads) >= kMinReadsDifference)
    parts.push_back(fmt::format("DRAM is read {} {}", whole_percent(std::abs(1 - reads)),
                                reads < 1 ? "less" : "more"));
  else if (theirs.dram.reads > 0 &&
           std::abs(ours.dram.row_hit_rate() - theirs.dram.row_hit_rate()) >= kMinRowHitDifference)
    parts.push_back(fmt::format("DRAM rows hit {} of the time ({} under {})",
                                percent(ours.dram.row_hit_rate()),
                                percent(theirs.dram.row_hit_rate()), worse.scheduler));
  return parts.empty() ? "" : "; under " + better.scheduler + " " + enumerated(parts);
}

// Why the choice of the scheduler does not matter.
std::string level_reason(const KernelFigures& figures) {
  const double bandwidth = figures.dram.bandwidth.value(),
               issued = figures.share_of(SlotUse::issued);
  if (issued >= kIssueBound)
    return fmt::format("an instruction issues in {} of all issue slots under every scheduler",
                       whole_percent(issued));
  if (bandwidth >= kDramBound) {
    const bool no_reuse = figures.l1d.accesses > 0 && figures.l1d.hit_rate() < kHardlyReuse;
    return fmt::format("DRAM bandwidth is the limit ({} of it is used)", whole_percent(bandwidth)) +
           (no_reuse ? fmt::format(", and there is no reuse that an order could protect (L1 hits "
                                   "{})",
                                   percent(figures.l1d.hit_rate()))
                     : "");
  }
  const auto lost = lab::lost_slots(figures);
  return lost.empty() ? "no issue slot is lost"
                      : fmt::format("each loses about {} of its issue slots to {}",
                                    whole_percent(figures.share_of(lost[0].first)),
                                    slot_use_text(lost[0].first, figures));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

}  // namespace

bool is_level(const KernelFigures& fewer, const KernelFigures& more) {
  return ratio(fewer.cycles, more.cycles) > 1 - kLevel;
}

std::string comparison_sentence(const SchedulerFigures& better, const SchedulerFigures& worse,
                                const std::vector<std::string>& level) {
  const double gain = 1 - ratio(better.figures.cycles, worse.figures.cycles);
  if (better.figures.cycles == worse.figures.cycles)
    return "All take the same number of cycles: no scheduler matters here, because " +
           level_reason(better.figures) + ".";
  if (is_level(better.figures, worse.figures))
    return fmt::format("No scheduler matters here: all are within {} of each other, because {}.",
                       percent(gain, 2), level_reason(better.figures));
  std::string text = fmt::format("{} takes {} fewer cycles than {}", better.scheduler,
                                 percent(gain), worse.scheduler) +
                     slot_clause(better, worse) + memory_clause(better, worse);
  if (!level.empty())
    text += fmt::format("; {} {} within 1 % of {}", joined(level), level.size() == 1 ? "is" : "are",
                        better.scheduler);
  text += ".";
  for (const std::string& sentence : policy_sentences(better, worse)) text += " " + sentence;
  return text;
}

}  // namespace heddle::report
