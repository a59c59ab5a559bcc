// The text of `heddle compare`.
#pragma once

#include <string>

#include "lab/compare.h"

namespace heddle::report {

// "./kmeans 34 on gtx480: 15 SMs, each with ..."
std::string comparison_headline(const lab::Comparison& comparison);

// The sentences that say why the best scheduler wins; empty when there is nothing to compare.
std::string comparison_finding(const lab::Comparison& comparison);

// A table; a second one when different schedulers win different kernels; the sentence that says why
// the best one wins. Rows fit into `width` unless the names of the schedulers are too long.
std::string comparison_report(const lab::Comparison& comparison, int width);

}  // namespace heddle::report
