// A reproduced paper as a document: published beside measured values, a verdict per claim.
#pragma once

#include <vector>

#include "report/document.h"
#include "report/reproduction_words.h"

namespace heddle::report {

Document reproduction_document(const lab::Paper& paper,
                               const std::vector<lab::FigureResult>& figures,
                               const Provenance& origin);

// A row for each claim with readings, a column for each reading: "1.14, holds in direction".
DocumentTable readings_table(const lab::FigureResult& result);

}  // namespace heddle::report
