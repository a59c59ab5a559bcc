#include "lab/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lab/explanation.h"
#include "lab/facts.h"
#include "lab/text_table.h"
#include "stats/ratio.h"

namespace heddle::lab {
namespace {

using stats::ratio;

constexpr int kWidestBar = 24, kNarrowestBar = 6;
constexpr std::size_t kReasons = 2;  // columns for stalls, where there is room

std::string failure_text(const Contestant& contestant) {
  return contestant.outcome.usable() ? "FAILED, " + describe(contestant.outcome.ending)
                                     : "FAILED: " + contestant.outcome.problem;
}

std::vector<std::string> table_row(const Facts& facts, const std::string& scheduler, bool winner,
                                   double speed_up, const std::string& drawn, std::size_t reasons) {
  return {winner ? "*" : "",
          scheduler,
          grouped(facts.cycles),
          fmt::format("{:.1f}", facts.ipc()),
          fmt::format("{:.3f}", speed_up),
          drawn,
          facts.l1d.accesses ? percent(facts.l1d.hit_rate()) : "-",
          facts.dram_reads + facts.dram_writes ? percent(facts.row_hit_rate()) : "-",
          reasons ? stall_text(facts, reasons) : ""};
}

std::string main_table(const std::vector<Contestant>& contestants, std::uint64_t base,
                       std::uint64_t fewest, std::uint64_t most, int bar_width,
                       std::size_t reasons) {
  using enum Align;
  TextTable table({{"", left},
                   {"scheduler", left},
                   {"cycles", right},
                   {"IPC", right},
                   {"speed-up", right},
                   {"", left},
                   {"L1 hits", right},
                   {"row hits", right},
                   {reasons ? "issue slots lost to" : "", left}});
  for (const Contestant& contestant : contestants) {
    if (contestant.failed()) {
      table.add_row({"", contestant.scheduler, "failed"});
      continue;
    }
    const Facts facts = total_facts(contestant.outcome.results);
    table.add_row(table_row(facts, contestant.scheduler, facts.cycles == fewest && fewest != most,
                            ratio(base, facts.cycles),
                            bar(ratio(base, facts.cycles), ratio(base, fewest), bar_width),
                            reasons));
  }
  return table.text(" ");
}

int widest_line(const std::string& text) {
  int widest = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    widest = std::max(widest, display_width(text.substr(start, end - start)));
    start = end + 1;
  }
  return widest;
}

// A row is one line: where the terminal is narrow, the bars get shorter first, then fewer reasons
// are given.
std::string fitting_table(const Comparison& comparison, int width) {
  const auto& contestants = comparison.contestants;
  const auto first = std::find_if(contestants.begin(), contestants.end(),
                                  [](const Contestant& c) { return !c.failed(); });
  if (first == contestants.end()) return {};
  const auto cycles = [](const Contestant& c) { return total_facts(c.outcome.results).cycles; };
  const std::uint64_t base = cycles(*first), fewest = cycles(*comparison.best()),
                      most = cycles(*comparison.worst());
  std::string text;
  for (std::size_t reasons = kReasons + 1; reasons-- > 0;) {
    for (int bar_width = kWidestBar; bar_width >= kNarrowestBar; --bar_width) {
      text = main_table(contestants, base, fewest, most, bar_width, reasons);
      if (widest_line(text) <= width) break;
    }
    if (widest_line(text) <= width) break;
  }
  if (contestants.size() == 1) return text;
  return text +
         fmt::format(" {}speed-up is over {}; IPC counts thread instructions of the whole GPU\n",
                     fewest != most ? "* fewest cycles; " : "", first->scheduler);
}

// Who wins each kernel, where there is no room for a column per scheduler.
std::string winner_table(const std::vector<const Contestant*>& finished,
                         const std::vector<std::vector<Facts>>& facts) {
  using enum Align;
  TextTable table({{"kernel", left},
                   {"fewest cycles", right},
                   {"under", left},
                   {"under " + finished[0]->scheduler, right},
                   {"most", right},
                   {"under", left}});
  for (std::size_t k = 0; k < facts[0].size(); ++k) {
    std::size_t fewest = 0, most = 0;
    for (std::size_t s = 1; s < finished.size(); ++s) {
      if (facts[s][k].cycles < facts[fewest][k].cycles) fewest = s;
      if (facts[s][k].cycles > facts[most][k].cycles) most = s;
    }
    table.add_row({facts[0][k].name, grouped(facts[fewest][k].cycles), finished[fewest]->scheduler,
                   grouped(facts[0][k].cycles), grouped(facts[most][k].cycles),
                   finished[most]->scheduler});
  }
  return table.text("   ");
}

// Cycles of each kernel under each scheduler; empty unless different schedulers win different
// kernels.
std::string kernel_table(const Comparison& comparison, int width) {
  std::vector<const Contestant*> finished;
  std::vector<std::vector<Facts>> facts;
  for (const Contestant& contestant : comparison.contestants) {
    if (contestant.failed()) continue;
    finished.push_back(&contestant);
    facts.push_back(kernel_facts(contestant.outcome.results));
  }
  if (finished.size() < 2 || facts[0].size() < 2) return {};
  if (std::any_of(facts.begin(), facts.end(),
                  [&](const auto& list) { return list.size() != facts[0].size(); }))
    return {};
  std::vector<TextTable::Column> columns{{"cycles by kernel", Align::left}};
  for (const Contestant* contestant : finished)
    columns.push_back({contestant->scheduler, Align::right});
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
    for (std::size_t s = 0; s < finished.size(); ++s)
      row.push_back((fewest != most && facts[s][k].cycles == fewest ? "* " : "") +
                    grouped(facts[s][k].cycles));
    table.add_row(std::move(row));
  }
  if (winners.size() < 2) return {};
  const std::string text = table.text("   ");
  return "\n" + (widest_line(text) <= width ? text : winner_table(finished, facts));
}

std::string closing_sentence(const Comparison& comparison) {
  const Contestant *best = comparison.best(), *worst = comparison.worst();
  if (!best || comparison.contestants.size() < 2) return {};
  const Facts fastest = total_facts(best->outcome.results);
  std::vector<std::string> level;
  for (const Contestant& contestant : comparison.contestants)
    if (!contestant.failed() && &contestant != best &&
        is_level(fastest, total_facts(contestant.outcome.results)))
      level.push_back(contestant.scheduler);
  return explain({best->scheduler, fastest},
                 {worst->scheduler, total_facts(worst->outcome.results)}, level);
}

std::string folded(const std::string& text, int width) {
  TextTable one({{"", Align::left}});
  one.add_row({text});
  return one.text("", width);
}

}  // namespace

std::string comparison_report(const Comparison& comparison, int width) {
  std::string text = fitting_table(comparison, width) + kernel_table(comparison, width);
  if (const std::string sentence = closing_sentence(comparison); !sentence.empty())
    text += "\n" + folded(sentence, std::min(width, 120));
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed())
      text += fmt::format("{}: {}\n", contestant.scheduler, failure_text(contestant));
  return text;
}

}  // namespace heddle::lab
