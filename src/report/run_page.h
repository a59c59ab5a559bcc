// Reports of single runs and of comparisons, as HTML pages.
#pragma once

#include <string>

#include "lab/compare.h"
#include "lab/run.h"
#include "report/page.h"

namespace heddle::report {

// results of `outcome`: usable, without launches that were not timed. With details the page has the
// explanation and the hottest source lines; with series, charts over time.
std::string page_of_run(const lab::RunRequest& request, const lab::RunOutcome& outcome);

// A contestant that failed is on the page with its problem.
std::string page_of_comparison(const lab::Comparison& comparison);

// A run of a page from the content of its run.json; the caller adds what it knows besides.
PageRun page_run(const lab::RunOutcome& outcome, const std::string& policy);

}  // namespace heddle::report
