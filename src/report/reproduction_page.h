// A reproduced paper in words and pictures: published beside measured values, a verdict per claim.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/reproduction/measures.h"

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

// "12 claims: 5 hold, 3 hold in direction, 3 do not hold, 1 was not measured"
std::string claims_sentence(const lab::ClaimCounts& counts);
// For a terminal: a line per claim.
std::string claims_text(const std::vector<lab::FigureResult>& figures, int width);
const char* verdict_words(lab::ClaimVerdict verdict);

}  // namespace heddle::report
