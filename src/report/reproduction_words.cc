#include "report/reproduction_words.h"

#include <fmt/format.h>

#include <cmath>

#include "report/store_report.h"
#include "report/text_table.h"

namespace heddle::report {

using lab::FigureResult;
using lab::ShownAs;

std::string measured_text(std::optional<double> value) {
  if (!value) return "-";
  return *value != 0 && std::abs(*value) < 0.1 ? fmt::format("{:.4f}", *value)
                                               : fmt::format("{:.2f}", *value);
}

std::string measured_text(std::optional<double> measured, std::optional<double> published) {
  return measured_text(measured) + (published ? " (" + measured_text(published) + ")" : "");
}

namespace {

// "(a + b) / (c + d)" for "a + b / c + d", a quotient of sums.
std::string with_parentheses(const std::string& statistic) {
  const auto slash = statistic.find(" / ");
  if (slash == std::string::npos) return statistic;
  const auto part = [](const std::string& sum) {
    return sum.find(" + ") == std::string::npos ? sum : "(" + sum + ")";
  };
  return part(statistic.substr(0, slash)) + " / " + part(statistic.substr(slash + 3));
}

}  // namespace

std::string axis_text(const lab::Paper& paper, const lab::Figure& figure) {
  const lab::Measure& measure = figure.measure;
  const std::string statistic =
      figure.axis.empty() ? with_parentheses(measure.statistic) : figure.axis;
  const std::string& over = paper.label_of(measure.over);
  switch (measure.shown_as) {
    case ShownAs::speed_up:
      return measure.statistic == "cycles" ? "speed-up over " + over
                                           : statistic + " of " + over + " over that of the row";
    case ShownAs::ratio:
      if (!measure.over_statistic.empty())
        return figure.axis.empty()
                   ? statistic + " over " + with_parentheses(measure.over_statistic) + " of " + over
                   : figure.axis;
      return statistic + (figure.axis.empty() ? " over that of " : " over ") + over;
    case ShownAs::difference: return statistic + " less that of " + over;
    case ShownAs::value: break;
  }
  return statistic;
}

const char* mean_name(lab::Mean mean) {
  switch (mean) {
    case lab::Mean::geometric: return "geometric mean";
    case lab::Mean::arithmetic: return "arithmetic mean";
    case lab::Mean::harmonic: return "harmonic mean";
    case lab::Mean::maximum: return "maximum";
    case lab::Mean::minimum: return "minimum";
    case lab::Mean::median: return "median";
    case lab::Mean::farthest: return "farthest from 1";
  }
  return "";
}

std::string verdict_rule() {
  return fmt::format(
      "A claim *holds* when its direction holds (a comparison with 1 needs more than {:.0f} %) and "
      "the measured value is near the published one, if one is printed and the claim is not that "
      "two are alike: the effect, which is the distance of a speed-up or ratio from 1, differs by "
      "at "
      "most {:.0f} % or by {:.0f} points; another value differs by at most {:.0f} %. A program "
      "favours a scheduler by more than {:.0f} % and is neutral within {:.0f} %. A number of warps "
      "holds in direction when it is nearer to the published one than to all warps. A value in "
      "parentheses and a black mark in a picture are published.",
      100 * lab::ClaimDirection::kMargin, 100 * lab::kEffectMargin, 100 * lab::kLeastEffectMargin,
      100 * lab::kValueMargin, 100 * lab::ClaimDirection::kThreshold,
      100 * lab::ClaimDirection::kThreshold);
}

namespace {

std::string compared_text(const lab::ComparedStatistic& one) {
  return one.share ? fmt::format("{} {:.0f} % ({:.0f} %)", one.name, 100 * one.own, 100 * one.other)
                   : fmt::format("{} {:.0f} ({:.0f})", one.name, one.own, one.other);
}

// "Measured: SC 0.53, LIB 1.00. On SC LFWS takes 1,200 cycles, LRR 800: L1 hits 3 % (5 %), ..."
std::string evidence_text(const lab::Paper& paper, const lab::ClaimResult& result) {
  const lab::Evidence& evidence = result.evidence;
  std::string text;
  for (const auto& [workload, value] : evidence.cases)
    text +=
        fmt::format("{}{} {}", text.empty() ? "Measured: " : ", ", workload, measured_text(value));
  if (!text.empty()) text += ". ";
  if (evidence.own_cycles == 0) return text.empty() ? text : text.substr(0, text.size() - 1);
  const lab::Measure& measure = result.claim.measure;
  const std::string& other_case = measure.other_case(evidence.workload);
  text += fmt::format(
      "{}{} takes {} cycles, {}{} {}",
      evidence.cases.empty() ? "" : "On " + evidence.workload + " ", paper.label_of(measure.row),
      grouped(static_cast<std::uint64_t>(evidence.own_cycles)), paper.label_of(evidence.other),
      other_case == evidence.workload ? "" : " on " + other_case,
      grouped(static_cast<std::uint64_t>(evidence.other_cycles)));
  std::string statistics;
  for (const lab::ComparedStatistic& one : evidence.statistics)
    statistics += (statistics.empty() ? ": " : ", ") + compared_text(one);
  return text + (statistics.empty() ? "; hits, latencies and issue slots are alike" : statistics) +
         ".";
}

std::string options_of(const lab::PaperRuns& how) {
  return (how.size == "small" ? "" : " --size " + how.size) + (how.sample ? " --sample" : "");
}

}  // namespace

std::string reason_text(const lab::Paper& paper, const lab::ClaimResult& result) {
  if (result.verdict == lab::ClaimVerdict::holds_in_direction) return result.claim.reason;
  if (result.verdict != lab::ClaimVerdict::does_not_hold) return {};
  const std::string evidence = evidence_text(paper, result);
  std::string reason = result.claim.reason;
  if (reason.empty()) reason = evidence.empty() ? "The reason was not found." : "";
  if (!evidence.empty()) reason += (reason.empty() ? "" : " ") + evidence;
  return reason;
}

std::string direction_text(const lab::ClaimDirection& direction) {
  using lab::Relation;
  switch (direction.relation) {
    case Relation::above: return fmt::format("> {}", direction.than);
    case Relation::below: return fmt::format("< {}", direction.than);
    case Relation::favours: return "favours";
    case Relation::neutral: return "neutral";
    case Relation::nearer:
      return fmt::format("nearer {} than {}", direction.than, direction.rather);
    case Relation::near: break;
  }
  return fmt::format("~ {} within {}", direction.than, direction.within);
}

const char* verdict_words(lab::ClaimVerdict verdict) {
  switch (verdict) {
    case lab::ClaimVerdict::holds: return "holds";
    case lab::ClaimVerdict::holds_in_direction: return "holds in direction";
    case lab::ClaimVerdict::does_not_hold: return "does not hold";
    case lab::ClaimVerdict::not_measured: return "not measured";
  }
  return "";
}

std::string claims_sentence(const lab::ClaimCounts& counts) {
  std::string text =
      fmt::format("{} claims: {} hold, {} hold in direction, {} do not hold", counts.all(),
                  counts.holds, counts.holds_in_direction, counts.does_not_hold);
  if (counts.hold_in_a_reading)
    text += fmt::format(" ({} of these hold in another reading of the paper)",
                        counts.hold_in_a_reading);
  if (counts.not_measured) text += fmt::format(", {} were not measured", counts.not_measured);
  return text;
}

std::string sentences_sentence(const lab::SentenceCounts& counts) {
  return fmt::format(
      "{} sentences and tables of the paper: {} hold in all their claims, {} in some, {} in none",
      counts.all(), counts.whole, counts.in_part, counts.none);
}

std::string threshold_sentence(const std::vector<lab::FigureResult>& figures) {
  std::size_t all = 0;
  for (const FigureResult& figure : figures)
    for (const lab::ClaimResult& one : figure.claims) all += one.claim.direction.has_threshold();
  if (all == 0) return {};
  std::string text;
  for (const auto& [threshold, held] : lab::count_by_threshold(figures))
    text += fmt::format("{}{} by {:.0f} %", text.empty() ? "" : ", ", held, 100 * threshold);
  return fmt::format("Of the {} claims that a program favours a scheduler or neither: {} hold", all,
                     text);
}

std::string claims_text(const std::vector<lab::FigureResult>& figures, int width) {
  using enum Align;
  TextTable table({{"figure", left},
                   {"claim", left},
                   {"published", right},
                   {"measured", right},
                   {"verdict", left}});
  for (const FigureResult& figure : figures)
    for (const lab::ClaimResult& one : figure.claims)
      table.add_row({figure.figure.number, one.claim.text, measured_text(one.claim.published),
                     measured_text(one.measured), verdict_words(one.verdict)});
  return table.text("  ", width);
}

std::vector<std::string> provenance(const lab::Paper& paper, const Provenance& origin) {
  std::vector<std::string> paragraphs = {
      fmt::format(
          "Made by `heddle reproduce {0}{1}{5}` with Heddle {2} on {3}. One figure: `heddle "
          "reproduce {0} --figure {4}`. `experiments/{0}/paper.toml` has the claims, the studies "
          "beside it have the runs.",
          paper.name, options_of(origin.how), HEDDLE_VERSION, origin.date, origin.a_figure,
          origin.reading.empty() ? "" : " --reading " + origin.reading),
      fmt::format("The {} runs took {} of processor time.", origin.runs,
                  duration_text(origin.user_seconds))};
  if (origin.how.sample)
    paragraphs.push_back(
        "Values are estimates of sampled runs, without their error bars; the store has them.");
  if (!origin.without_runs.empty())
    paragraphs.push_back(
        fmt::format("Figures that were not run: {}.", fmt::join(origin.without_runs, ", ")));
  if (origin.programs.empty()) return paragraphs;
  std::string used, ours;
  for (const lab::Substitution& one : origin.programs)
    if (one.original.empty())
      ours += (ours.empty() ? "" : ", ") + one.workload;
    else
      used += (used.empty() ? "" : ", ") + fmt::format("{} is {}", one.workload, one.original);
  paragraphs.push_back(fmt::format("Original programs: {}. Programs of Heddle: {}.",
                                   used.empty() ? "none" : used, ours.empty() ? "none" : ours));
  return paragraphs;
}

}  // namespace heddle::report
