// The text of `heddle ptx`.
#pragma once

#include <string>

#include "lab/ptx_survey.h"

namespace heddle::report {

// A table of kernels, their instruction mix, and what is not supported.
std::string ptx_summary(const lab::PtxSurvey& survey);

}  // namespace heddle::report
