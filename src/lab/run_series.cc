#include "lab/run_series.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "sched/catalogue.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

void add_launch(RunSeries& all, const ordered_json& kernel, std::size_t rows_per_point) {
  const ordered_json& series = kernel.at("series");
  const auto names = series.at("columns").get<std::vector<std::string>>();
  if (series.contains("levels")) all.levels.merge(series["levels"].get<std::set<std::string>>());
  const auto start = kernel.value("start_cycle", std::uint64_t{0});
  all.launches.push_back({all.points.size(), plain_name(kernel.value("name", ""))});
  const ordered_json& rows = series.at("rows");
  for (std::size_t first = 0; first < rows.size(); first += rows_per_point) {
    const std::size_t end = std::min(first + rows_per_point, rows.size()),
                      point = all.points.size();
    all.points.push_back({start + rows.at(first).at(0).get<std::uint64_t>(), 0});
    for (std::size_t r = first; r < end; ++r) {
      all.points.back().cycles += rows.at(r).at(1).get<std::uint64_t>();
      for (std::size_t c = 2; c < names.size(); ++c) {
        const double weight =
            all.levels.contains(names[c]) ? static_cast<double>(end - first) : 1.0;
        auto& column = all.columns[names[c]];
        column.resize(point + 1);
        column[point] += rows.at(r).at(c).get<double>() / weight;
      }
    }
  }
}

}  // namespace

double RunSeries::at(const std::string& column, std::size_t point) const {
  const auto found = columns.find(column);
  return found == columns.end() || point >= found->second.size() ? 0 : found->second[point];
}

std::vector<double> RunSeries::shares(const std::string& part,
                                      const std::vector<std::string>& whole) const {
  std::vector<double> values;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double sum = 0;
    for (const std::string& column : whole) sum += at(column, p);
    values.push_back(sum > 0 ? at(part, p) / sum : 0);
  }
  return values;
}

RunSeries run_series(const ordered_json& results, std::size_t max_points) {
  RunSeries all;
  std::size_t rows = 0;
  for (const ordered_json& kernel : results.at("kernels"))
    if (kernel.contains("series")) rows += kernel.at("series").at("rows").size();
  for (const ordered_json& kernel : results.at("kernels"))
    if (kernel.contains("series")) add_launch(all, kernel, (rows + max_points - 1) / max_points);
  for (auto& [name, column] : all.columns) column.resize(all.points.size());
  return all;
}

std::vector<IssuePattern> issue_patterns(const ordered_json& results, std::size_t max_patterns) {
  std::vector<IssuePattern> patterns;
  for (const ordered_json& kernel : results.at("kernels"))
    for (const sched::PolicyEntry& policy : sched::PolicyEntry::catalogue()) {
      const std::string& kind = policy.presentation.issue_patterns;
      const ordered_json::json_pointer where("/policy/" + policy.name + "/" + kind);
      if (kind.empty() || !kernel.contains(where)) continue;
      for (const ordered_json& d : kernel.at(where)) {
        if (patterns.size() == max_patterns) return patterns;
        if (d.at("decides") == 0) continue;
        patterns.push_back({policy.name, plain_name(kernel.value("name", "")), d.at("choice"),
                            d.at("sm"), d.at("cycle"), d.at("of_interest"), d.at("threshold"),
                            d.at("convexity"), d.at("sum"), d.at("instructions"),
                            d.at("barrier_time"), d.at("stalls")});
        break;  // every SM may decide; the first one is shown
      }
    }
  return patterns;
}

}  // namespace heddle::lab
