// The words of a reproduced paper: values, axes, verdicts, reasons, and how the values were made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/originals/manifest.h"
#include "lab/reproduction/measures.h"

namespace heddle::report {

// How the values of a reproduction were made.
struct Provenance {
  lab::PaperRuns how;
  std::string reading = {};   // empty: the default
  std::string date;           // "2026-11-24"
  std::string a_figure = {};  // its number, for the command that makes one figure
  std::size_t runs = 0;
  double user_seconds = 0;                       // of all runs
  std::vector<std::string> without_runs = {};    // figures that were not run
  std::vector<lab::Substitution> programs = {};  // empty: Heddle's programs ran
};
// Paragraphs.
std::vector<std::string> provenance(const lab::Paper& paper, const Provenance& origin);

// "12 claims: 5 hold, 3 hold in direction, 3 do not hold, 1 was not measured"
std::string claims_sentence(const lab::ClaimCounts& counts);
std::string sentences_sentence(const lab::SentenceCounts& counts);
// How many claims with "favours" and "neutral" hold by which threshold; empty without such claims.
std::string threshold_sentence(const std::vector<lab::FigureResult>& figures);
// For a terminal: a line per claim.
std::string claims_text(const std::vector<lab::FigureResult>& figures, int width);
// "> 1", "favours", "~ 0.38 within 0.1".
std::string direction_text(const lab::ClaimDirection& direction);
const char* verdict_words(lab::ClaimVerdict verdict);
std::string verdict_rule();
std::string measured_text(std::optional<double> value);  // "-": not measured
// "1.43 (1.50)": measured, and the published value where there is one.
std::string measured_text(std::optional<double> measured, std::optional<double> published);
std::string axis_text(const lab::Paper& paper, const lab::Figure& figure);
const char* mean_name(lab::Mean mean);
// Why a claim does not hold, and how the runs differ; or why it holds in direction only, where the
// paper's file says so. Empty for other verdicts.
std::string reason_text(const lab::Paper& paper, const lab::ClaimResult& result);

}  // namespace heddle::report
