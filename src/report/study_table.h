// The table of a study, as Markdown.
#pragma once

#include <string>

#include "lab/study.h"
#include "lab/sweep.h"

namespace heddle::report {

// Schedulers by cases, speed-ups over the first scheduler; below it every expectation and, where
// one does not hold, why.
std::string study_table(const lab::Study& study, const lab::SweepResult& result);

// `page` with `table` between the lines "<!-- sweep NAME -->" and "<!-- end of sweep NAME -->".
// UserError when they are not there.
std::string put_into_page(const std::string& page, const std::string& name,
                          const std::string& table);

}  // namespace heddle::report
