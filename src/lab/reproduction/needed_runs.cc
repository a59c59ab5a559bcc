#include "lab/reproduction/needed_runs.h"

#include <algorithm>

#include "lab/sweep/corun_task.h"

namespace heddle::lab {
namespace {

using Texts = std::vector<std::string>;

// The case that a measure names: with "CASE: PROGRAM" that of the co-run.
std::string workload_of(const Study& study, const std::string& named) {
  const auto is_case = [&](const StudyCase& one) { return one.workload == named; };
  if (std::any_of(study.cases.begin(), study.cases.end(), is_case)) return named;
  return named.substr(0, named.rfind(kProgramSeparator));
}

}  // namespace

NeededRuns::NeededRuns(const Study& study, const std::string& name,
                       const std::vector<Figure>& figures)
    : study_(study) {
  for (const Figure& figure : figures) {
    if (figure.study == name) add(figure.measure, figure.rows);
    for (const Claim& claim : figure.claims) {
      if (figure.study == name) add(claim.measure, {claim.measure.row});
      for (const Reading& reading : claim.readings)
        if ((reading.study.empty() ? figure.study : reading.study) == name)
          add(reading.measure, {reading.measure.row});
    }
  }
}

void NeededRuns::add(const Measure& measure, const Texts& of_measure) {
  Texts rows = of_measure, workloads = measure.cases;
  rows.insert(rows.end(), measure.over_each.begin(), measure.over_each.end());
  for (const std::string& row : {measure.over, measure.against})
    if (!row.empty()) rows.push_back(row);
  if (workloads.empty())
    for (const StudyCase& one : study_.cases) workloads.push_back(one.workload);
  for (const std::string& named : workloads)
    for (const std::string& workload : {named, measure.other_case(named)})
      for (const std::string& row : rows)
        for (const std::string& scheduler : study_.schedulers_of(row))
          runs_.emplace(workload_of(study_, workload), scheduler);
}

}  // namespace heddle::lab
