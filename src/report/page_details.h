// What a report shows of one run beyond its statistics:
//   kernels {columns [{key, unit, meaning}], rows}: one row per kernel, its launches added up; or
//     only the rows, with name, launches, cycles and IPC
//   lines [{kernel, place, text, share, slots, lanes, accesses, l1d_hits}]: the hottest source
//     lines. share: of the kernel's issue slots; slots: the same by use, in the order of
//     kStackOrder; lanes and accesses per memory instruction. Needs details in the results.
//   chart (chart.h): over time, when the results have series; issue patterns and bars of policies
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/source_files.h"
#include "lab/figures.h"
#include "report/page.h"

namespace heddle::report {

// results: the content of run.json; figures: of `results`.
nlohmann::ordered_json page_details(const nlohmann::ordered_json& results,
                                    const lab::RunFigures& figures, SourceFiles& files);

// Every number of `totals` by its path: "l1d.hits", "slots.issued". Lists are left out.
std::map<std::string, double> numbers_of(const nlohmann::ordered_json& totals);

// Declares the statistics of this Heddle, with one per part of a breakdown.
void declare_statistics(ReportPage& page, const std::vector<std::string>& plugins = {});

}  // namespace heddle::report
