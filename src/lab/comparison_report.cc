#include "lab/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/facts.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

constexpr int kWidestBar = 24;
constexpr int kNarrowTerminal = 100;
constexpr double kWorthTelling = 0.005;  // shares that differ by less are called equal

double ratio(std::uint64_t a, std::uint64_t b) { return b ? static_cast<double>(a) / static_cast<double>(b) : 0; }

std::string millions(std::uint64_t count) {
  return count < 1'000'000 ? grouped(count) : fmt::format("{:.1f} million", static_cast<double>(count) / 1e6);
}

std::string failure_text(const Contestant& contestant) {
  return contestant.outcome.usable() ? "FAILED, " + describe(contestant.outcome.ending) : "FAILED: " + contestant.outcome.problem;
}

std::string main_table(const Comparison& comparison, int width) {
  using enum Align;
  const bool narrow = width < kNarrowTerminal;
  const int bar_width = std::clamp(width - 92, 8, kWidestBar);
  TextTable table({{"", left}, {"scheduler", left}, {"cycles", right}, {"IPC", right}, {"speed-up", right}, {"", left}, {"L1 hits", right}, {"row hits", right},
                   {"issue slots lost to", left}});
  const auto& contestants = comparison.contestants;
  const auto first = std::find_if(contestants.begin(), contestants.end(), [](const Contestant& c) { return !c.failed(); });
  if (first == contestants.end()) return {};
  const std::uint64_t base = total_facts(first->outcome.results).cycles;
  const std::uint64_t fewest = total_facts(comparison.best()->outcome.results).cycles;
  const std::uint64_t most = total_facts(comparison.worst()->outcome.results).cycles;
  for (const Contestant& contestant : contestants) {
    if (contestant.failed()) {
      table.add_row({"", contestant.scheduler, "failed"});
      continue;
    }
    const Facts facts = total_facts(contestant.outcome.results);
    const bool winner = facts.cycles == fewest && fewest != most;
    table.add_row({winner ? "*" : "", contestant.scheduler, grouped(facts.cycles), fmt::format("{:.1f}", facts.ipc()), fmt::format("{:.3f}", ratio(base, facts.cycles)),
                   bar(ratio(base, facts.cycles), ratio(base, fewest), bar_width), facts.l1d.accesses ? percent(facts.l1d.hit_rate()) : "-",
                   facts.dram_reads + facts.dram_writes ? percent(facts.row_hit_rate()) : "-", stall_text(facts, narrow ? 1 : 3)});
  }
  return table.text(" ", width);
}

// Cycles of each kernel under each scheduler; empty unless different schedulers win different kernels.
std::string kernel_table(const Comparison& comparison) {
  std::vector<const Contestant*> finished;
  std::vector<std::vector<Facts>> facts;
  for (const Contestant& contestant : comparison.contestants) {
    if (contestant.failed()) continue;
    finished.push_back(&contestant);
    facts.push_back(kernel_facts(contestant.outcome.results));
  }
  if (finished.size() < 2 || facts[0].size() < 2) return {};
  if (std::any_of(facts.begin(), facts.end(), [&](const auto& list) { return list.size() != facts[0].size(); })) return {};
  std::vector<TextTable::Column> columns{{"cycles by kernel", Align::left}};
  for (const Contestant* contestant : finished) columns.push_back({contestant->scheduler, Align::right});
  TextTable table(std::move(columns));
  std::set<std::size_t> winners;
  for (std::size_t k = 0; k < facts[0].size(); ++k) {
    std::uint64_t fewest = ~std::uint64_t{0}, most = 0;
    std::size_t winner = 0;
    for (std::size_t s = 0; s < finished.size(); ++s) {
      if (facts[s][k].cycles < fewest) winner = s;
      fewest = std::min(fewest, facts[s][k].cycles);
      most = std::max(most, facts[s][k].cycles);
    }
    if (fewest != most) winners.insert(winner);
    std::vector<std::string> row{facts[0][k].name};
    for (std::size_t s = 0; s < finished.size(); ++s) row.push_back((fewest != most && facts[s][k].cycles == fewest ? "* " : "") + grouped(facts[s][k].cycles));
    table.add_row(std::move(row));
  }
  return winners.size() > 1 ? "\n" + table.text("   ") : std::string{};
}

std::string closing_sentence(const Comparison& comparison) {
  const Contestant *best = comparison.best(), *worst = comparison.worst();
  if (!best || comparison.contestants.size() < 2) return {};
  return explain(best->scheduler, total_facts(best->outcome.results), worst->scheduler, total_facts(worst->outcome.results));
}

std::string folded(const std::string& text, int width) {
  TextTable one({{"", Align::left}});
  one.add_row({text});
  return one.text("", width);
}

std::string cache_clause(const Facts& better, const Facts& worse) {
  const double gained = better.l1d.hit_rate() - worse.l1d.hit_rate();
  if (better.l1d.accesses == 0 || std::abs(gained) < kWorthTelling) return {};
  std::string text = fmt::format("; its L1 hits {} of accesses against {}", percent(better.l1d.hit_rate()), percent(worse.l1d.hit_rate()));
  const double reads = ratio(better.dram_reads, worse.dram_reads);
  if (worse.dram_reads > 0 && std::abs(1 - reads) >= 0.01) text += fmt::format(", and it reads {:.0f} % {} from DRAM", 100 * std::abs(1 - reads), reads < 1 ? "less" : "more");
  return text;
}

std::string row_clause(const Facts& better, const Facts& worse) {
  if (worse.dram_reads + worse.dram_writes == 0 || std::abs(better.row_hit_rate() - worse.row_hit_rate()) < 2 * kWorthTelling) return {};
  return fmt::format("; DRAM row hits are {} against {}", percent(better.row_hit_rate()), percent(worse.row_hit_rate()));
}

}  // namespace

std::string explain(const std::string& better_name, const Facts& better, const std::string& worse_name, const Facts& worse) {
  if (better.cycles == worse.cycles) return "All take the same number of cycles: this program leaves the scheduler nothing to decide.";
  std::string text = fmt::format("{} takes {:.1f} % fewer cycles than {}", better_name, 100 * (1 - ratio(better.cycles, worse.cycles)), worse_name);
  // Both issue the same instructions, so the slots that one saves are slots that the other lost to something.
  std::string cause;
  std::int64_t largest = 0;
  for (const auto& [use, count] : worse.slots) {
    const std::int64_t difference = static_cast<std::int64_t>(count) - static_cast<std::int64_t>(better.slots_of(use));
    if (use != "issued" && difference > largest) {
      largest = difference;
      cause = use;
    }
  }
  if (!cause.empty()) {
    const std::uint64_t more = worse.slots_of(cause), fewer = better.slots_of(cause);
    const std::string share = fewer ? fmt::format("{:.0f} % fewer", 100 * (1 - ratio(fewer, more))) : "no";
    text += fmt::format(", mainly because it loses {} issue slots {} ({} against {})", share, slot_phrase(cause), millions(fewer), millions(more));
  }
  return text + cache_clause(better, worse) + row_clause(better, worse) + ".";
}

std::string comparison_report(const Comparison& comparison, int width) {
  std::string text = main_table(comparison, width) + kernel_table(comparison);
  if (const std::string sentence = closing_sentence(comparison); !sentence.empty()) text += "\n" + folded(sentence, std::min(width, 120));
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed()) text += fmt::format("{}: {}\n", contestant.scheduler, failure_text(contestant));
  return text;
}

}  // namespace heddle::lab
