// A reproduced paper as a document: what does not hold first, published beside measured values, a
// verdict per claim.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/reproduction/protocol.h"
#include "report/document.h"
#include "report/reproduction_words.h"

namespace heddle::report {

Document reproduction_document(const lab::Paper& paper,
                               const std::vector<lab::FigureResult>& figures,
                               const Provenance& origin,
                               const std::optional<lab::ProtocolResult>& protocol = {});

// A row for each reading of each claim.
DocumentTable readings_table(const lab::FigureResult& result);
// The registered readings of the whole list, and the chosen one.
DocumentSection readings_section(const lab::Paper& paper, const lab::ProtocolResult& protocol);
// A line per claim: its rule, its verdict, and what was measured in each reading.
std::string claims_csv(const lab::Paper& paper, const std::vector<lab::FigureResult>& figures,
                       const lab::ProtocolResult& protocol);

}  // namespace heddle::report
