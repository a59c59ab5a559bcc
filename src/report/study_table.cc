#include "report/study_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "report/text_table.h"
#include "stats/geometric_mean.h"
#include "stats/quotient_bar.h"

namespace heddle::report {
namespace {

using lab::Study;
using lab::SweepResult;

constexpr int kMaxColumns = 100;
constexpr std::size_t kMaxCaseColumns = 40;  // of a table; a larger study has its cases as rows

class Table {
 public:
  Table(const Study& study, const SweepResult& result) : study_(study), result_(result) {
    for (std::size_t i = 0; i < study.cases.size(); ++i) {
      std::optional<std::uint64_t> fewest;
      for (const std::string& row : study.rows)
        if (const auto cycles = result.cycles(study, i, row);
            cycles && (!fewest || *cycles < *fewest))
          fewest = cycles;
      fewest_.push_back(fewest);
    }
  }

  std::string text() const {
    const bool wide = study_.cases.size() <= kMaxCaseColumns;
    return (wide ? schedulers_by_cases() : cases_by_schedulers()) +
           folded(fmt::format(
                      "Speed-ups over `{}`, on the GPU {}. **Bold**: the fastest of the {}, "
                      "and all within 0.5 % of it. ←: expected to win.",
                      study_.rows.front(), wide ? "below the name of the case" : "beside the case",
                      wide ? "column" : "row") +
                      (any_bar() ? " ±: error bar of estimates (95 %); ?: it overlaps that of the "
                                   "fastest, so the sample does not decide which is faster."
                                 : ""),
                  kMaxColumns) +
           coruns() + expectations();
  }

 private:
  std::string schedulers_by_cases() const {
    std::string text = "| scheduler |", rule = "|---|", gpus = "| *on* |";
    for (const lab::StudyCase& one : study_.cases) {
      text += " " + one.name + " |";
      gpus += " *" + one.run.gpu + "* |";
      rule += "---|";
    }
    text += "\n" + rule + "\n" + gpus + "\n";
    for (const std::string& row : study_.rows) {
      text += "| `" + row + "` |";
      for (std::size_t i = 0; i < study_.cases.size(); ++i) text += " " + cell(i, row) + " |";
      text += "\n";
    }
    return text + "\n";
  }

  std::string cases_by_schedulers() const {
    std::string text = "| case | on |", rule = "|---|---|", means = "| geometric mean | |";
    for (const std::string& row : study_.rows) {
      text += " `" + row + "` |";
      rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      text += "| " + study_.cases[i].name + " | *" + study_.cases[i].run.gpu + "* |";
      for (const std::string& row : study_.rows) text += " " + cell(i, row) + " |";
      text += "\n";
    }
    for (const std::string& row : study_.rows) means += " " + geometric_mean(row) + " |";
    return text + means + "\n\n";
  }

  // System throughput of the co-runs, and progress of their programs.
  std::string coruns() const {
    std::string text = "\n| scheduler |", rule = "|---|";
    std::vector<std::size_t> cases;
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      if (study_.cases[i].corun.empty()) continue;
      cases.push_back(i);
      text += " " + study_.cases[i].name + " |";
      rule += "---|";
    }
    if (cases.empty()) return {};
    text += "\n" + rule + "\n";
    for (const std::string& row : study_.rows) {
      std::string cells;
      bool any = false;
      for (const std::size_t i : cases) {
        const auto score = result_.corun(study_, i, row);
        any |= score.has_value();
        cells +=
            score ? fmt::format(" {:.2f}{} ({:.2f}) |", score->stp,
                                score->stp_bar > 0 ? fmt::format(" ±{:.2f}", score->stp_bar) : "",
                                fmt::join(score->progress, " "))
                  : " |";
      }
      if (any) text += "| `" + row + "` |" + cells + "\n";
    }
    return text + "\n" +
           folded(
               "Co-runs: system throughput (STP), the sum of the programs' progress, and in "
               "parentheses the progress of each program: its IPC beside the others over its "
               "IPC alone. Their cycles are those until every program has ended once.",
               kMaxColumns);
  }

  // Over the cases that measured the row.
  std::string geometric_mean(const std::string& row) const {
    stats::GeometricMean mean;
    for (std::size_t i = 0; i < study_.cases.size(); ++i)
      if (const auto value = speed_up(i, row)) mean.add(*value);
    return mean.empty() ? "" : fmt::format("{:.3f}", mean.value());
  }

  std::optional<double> speed_up(std::size_t which, const std::string& row) const {
    const auto base = result_.cycles(study_, which, study_.rows.front()),
               own = result_.cycles(study_, which, row);
    if (!base || !own) return std::nullopt;
    return static_cast<double>(*base) / static_cast<double>(*own);
  }

  // " ±0.02": of a speed-up of estimates; "?" behind it when the bar of the fastest row overlaps
  // that of the row.
  std::string bar_text(std::size_t which, const std::string& row, double speed_up) const {
    const double of_base =
                     row == study_.rows.front() ? 0 : relative_bar(which, study_.rows.front()),
                 of_row = relative_bar(which, row);
    if (of_base == 0 && (of_row == 0 || row == study_.rows.front())) return {};
    return fmt::format(" ±{:.2f}{}", stats::quotient_bar(speed_up, of_base, of_row),
                       overlaps_fastest(which, row) ? "?" : "");
  }
  double cycles(std::size_t which, const std::string& row) const {
    return static_cast<double>(result_.cycles(study_, which, row).value_or(0));
  }
  double relative_bar(std::size_t which, const std::string& row) const {
    const double all = cycles(which, row);
    return all > 0 ? result_.bar(study_, which, row) / all : 0;
  }
  bool overlaps_fastest(std::size_t which, const std::string& row) const {
    const auto fastest = std::find_if(
        study_.rows.begin(), study_.rows.end(),
        [&](const auto& name) { return result_.cycles(study_, which, name) == fewest_[which]; });
    return fastest != study_.rows.end() && *fastest != row &&
           cycles(which, row) - result_.bar(study_, which, row) <=
               cycles(which, *fastest) + result_.bar(study_, which, *fastest);
  }
  bool any_bar() const {
    return std::any_of(result_.cases.begin(), result_.cases.end(),
                       [](const lab::CaseResult& one) { return !one.bars.empty(); });
  }

  std::string cell(std::size_t which, const std::string& row) const {
    const auto value = speed_up(which, row);
    const auto& winners = study_.cases[which].winners;
    const std::string mark =
        std::find(winners.begin(), winners.end(), row) != winners.end() ? " ←" : "";
    for (const std::string& scheduler : study_.schedulers_of(row))
      if (result_.cases[which].problems.contains(scheduler)) return "failed" + mark;
    if (!value) return "" + mark;
    const bool fastest = static_cast<double>(*result_.cycles(study_, which, row)) <=
                         1.005 * static_cast<double>(*fewest_[which]);
    return (fastest ? fmt::format("**{:.2f}**", *value) : fmt::format("{:.2f}", *value)) +
           bar_text(which, row, *value) + mark;
  }

  std::string figures(std::size_t which, const lab::Expectation& expectation) const {
    std::string text;
    for (const std::string& name : expectation.names) {
      const auto value = speed_up(which, name);
      text += (text.empty() ? "" : ", ") + (value ? fmt::format("{:.3f}", *value) : "?");
    }
    return text;
  }

  std::string expectations() const {
    std::string holding, failing;
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      for (const lab::Expectation& expectation : study_.cases[i].expectations) {
        const lab::ExpectationVerdict verdict = judge(study_, result_, i, expectation);
        const std::string line = fmt::format("- {}: `{}` ({})", study_.cases[i].name,
                                             expectation.text, figures(i, expectation));
        if (verdict == lab::ExpectationVerdict::holds)
          holding += folded(
              line + (expectation.reason.empty()
                          ? ""
                          : ". The study gives a reason why it does not hold, which is out of "
                            "date."),
              kMaxColumns, "  ");
        else
          failing +=
              folded(line + ". " +
                         (expectation.reason.empty() ? "No reason is known." : expectation.reason),
                     kMaxColumns, "  ");
      }
    }
    if (!holding.empty())
      holding =
          fmt::format(
              "\nExpectations that hold (`>`: faster by more than {:g} %, `~`: within {:g} %):\n\n",
              100 * study_.margin, 100 * study_.near) +
          holding;
    if (!failing.empty()) failing = "\nExpectations that do not hold, and why:\n\n" + failing;
    return holding + failing;
  }

  const Study& study_;
  const SweepResult& result_;
  std::vector<std::optional<std::uint64_t>> fewest_;  // cycles, by case
};

}  // namespace

std::string study_table(const Study& study, const SweepResult& result) {
  return Table(study, result).text();
}

std::string put_into_page(const std::string& page, const std::string& name,
                          const std::string& table) {
  const std::string first = "<!-- sweep " + name + " -->\n",
                    last = "<!-- end of sweep " + name + " -->";
  const auto from = page.find(first), to = page.find(last);
  if (from == std::string::npos || to == std::string::npos || to < from)
    throw UserError("the page has no lines \"" + first.substr(0, first.size() - 1) + "\" and \"" +
                    last + "\" to put the table between");
  return page.substr(0, from + first.size()) + "\n" + table + "\n" + page.substr(to);
}

}  // namespace heddle::report
