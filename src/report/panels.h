// Panels of charts over time.
#pragma once

#include <string>
#include <vector>

#include "lab/run_series.h"
#include "report/chart.h"

namespace heddle::report {

// What is drawn over time, a panel each: a column of series.csv (counters per core cycle, levels as
// they are), the quotient of two ("l2.hits/l2.accesses"), or "ipc". Empty: rates, issue slots,
// mechanisms and statistics of policies.
using SeriesNames = std::vector<std::string>;

// Both throw UserError for a name that no run has counted.
std::vector<Panel> panels_of(const lab::RunSeries& series, const SeriesNames& names);

// Of several runs: a panel for each series, a line for each run that has it.
struct NamedSeries {
  std::string name;  // of a policy
  lab::RunSeries series;
};
std::vector<Panel> panels_of(const std::vector<NamedSeries>& runs, const SeriesNames& names);

}  // namespace heddle::report
