// A reproduced paper in words and pictures: published beside measured values, a verdict per claim.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/reproduction/measures.h"
#include "report/document.h"
#include "report/grouped_bars.h"

namespace heddle::report {

struct ReproductionPage {
  std::string markdown;
  // Name of the file beside the page, and its SVG text; one per figure.
  std::vector<std::pair<std::string, std::string>> pictures;
};

// provenance: how the values were made (command, version, machine, time), one sentence a line.
ReproductionPage reproduction_page(const lab::Paper& paper,
                                   const std::vector<lab::FigureResult>& figures,
                                   const std::string& provenance);

// The same values as a document, for HTML.
Document reproduction_document(const lab::Paper& paper,
                               const std::vector<lab::FigureResult>& figures,
                               const std::string& provenance);

// "12 claims: 5 hold, 3 hold in direction, 3 do not hold, 1 was not measured"
std::string claims_sentence(const lab::ClaimCounts& counts);
// For a terminal: a line per claim.
std::string claims_text(const std::vector<lab::FigureResult>& figures, int width);
const char* verdict_words(lab::ClaimVerdict verdict);

// Parts of both pages.
std::string measured_text(std::optional<double> value);  // "-": not measured
// "1.43 (1.50)": measured, and the published value where there is one.
std::string measured_text(std::optional<double> measured, std::optional<double> published);
std::string axis_text(const lab::Paper& paper, const lab::Measure& measure);
const char* mean_name(lab::Mean mean);
std::string figure_heading(const lab::Figure& figure);
GroupedBars bars_of(const lab::Paper& paper, const lab::FigureResult& result);
DocumentTable values_table(const lab::Paper& paper, const lab::FigureResult& result);
DocumentTable claims_table(const lab::FigureResult& result);
// A row for each claim with readings, a column for each reading: "1.14, holds in direction".
DocumentTable readings_table(const lab::FigureResult& result);
std::string verdict_rule();
// Why a claim does not hold, and how the runs differ; or why it holds in direction only, where the
// paper's file says so. Empty for other verdicts.
std::string reason_text(const lab::Paper& paper, const lab::ClaimResult& result);

}  // namespace heddle::report
