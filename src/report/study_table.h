// The table of a study, as Markdown.
#pragma once

#include <string>

#include "lab/study.h"
#include "lab/sweep.h"

namespace heddle::report {

// Rows are schedulers, columns are cases, entries are speed-ups over the first scheduler; with more
// than 40 cases, rows are cases, and geometric means follow. Then all expectations; for one that
// does not hold, with the reason.
std::string study_table(const lab::Study& study, const lab::SweepResult& result);

// `page` with `table` between the lines "<!-- sweep NAME -->" and "<!-- end of sweep NAME -->".
// Throws UserError when they are missing.
std::string put_into_page(const std::string& page, const std::string& name,
                          const std::string& table);

}  // namespace heddle::report
