// How programs ran together: tables, sentences and a picture.
#pragma once

#include <string>

#include "lab/corun.h"

namespace heddle::report {

// A table of the share policies, and one of the programs under the policy with the highest STP.
std::string corun_report(const lab::Corun& corun, int width);
// What limits each program beside the others: its share of issue slots and resident warps, its
// caches, DRAM.
std::string explain_corun(const lab::Corun& corun, int width);
// Progress of each program under each share policy.
std::string svg_of_corun(const lab::Corun& corun);

}  // namespace heddle::report
