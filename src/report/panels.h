// Panels of charts over time.
#pragma once

#include <string>
#include <vector>

#include "lab/run_series.h"
#include "report/chart.h"

namespace heddle::report {

std::vector<Panel> panels_of(const lab::RunSeries& series);

// Of several runs: a panel for each series, a line for each run that has it.
struct NamedSeries {
  std::string name;  // of a policy
  lab::RunSeries series;
};
std::vector<Panel> panels_of(const std::vector<NamedSeries>& runs);

}  // namespace heddle::report
