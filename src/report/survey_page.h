// A survey as a document: what ran, which policies win, and how far a single policy is from the
// best of each program.
#pragma once

#include <string>
#include <vector>

#include "lab/reproduction/survey.h"
#include "report/document.h"

namespace heddle::report {

// provenance: how the values were made (command, version, date).
Document survey_document(const lab::Survey& survey, const std::vector<lab::PartResult>& parts,
                         const std::string& provenance);
// For a terminal: a line per GPU of a part.
std::string survey_text(const lab::PartResult& part, int width);

}  // namespace heddle::report
