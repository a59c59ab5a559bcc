// Sentences about a pair of schedulers, with the figures that the papers of both policies argue
// with.
#pragma once

#include <string>
#include <vector>

#include "report/comparison_sentence.h"

namespace heddle::report {

// At most three sentences, those of the better scheduler first. A figure that hardly differs gives
// no sentence.
std::vector<std::string> policy_sentences(const SchedulerFigures& better,
                                          const SchedulerFigures& worse);

}  // namespace heddle::report
