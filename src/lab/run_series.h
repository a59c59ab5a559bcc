// The rows of --interval of all launches of a run, combined into as many points as a picture has
// room for; and the issue patterns on which a policy decided.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::lab {

struct RunSeries {
  struct Point {
    std::uint64_t from = 0, cycles = 0;
  };
  // The first point of a launch.
  struct Mark {
    std::size_t point;
    std::string kernel;
  };
  std::vector<Point> points;
  std::vector<Mark> launches;
  // Over the rows of a point, counters are added up and levels are averaged.
  std::map<std::string, std::vector<double>> columns;
  std::set<std::string> levels;  // names of columns

  bool empty() const { return points.empty(); }
  bool has(const std::string& column) const { return columns.contains(column); }
  double at(const std::string& column, std::size_t point) const;
  // `part` over the sum of the columns `whole`; 0 when that sum is 0.
  std::vector<double> shares(const std::string& part, const std::vector<std::string>& whole) const;
};

// A point never combines rows of two launches.
RunSeries run_series(const nlohmann::ordered_json& results, std::size_t max_points);

// The issue pattern that decided a launch: a record of the kind that the policy names in its
// Presentation.
struct IssuePattern {
  std::string policy, kernel, choice;
  std::uint64_t sm = 0, cycle = 0, of_interest = 0;
  double threshold = 0, convexity = 0, sum = 0;
  std::vector<std::uint64_t> instructions, barrier_time, stalls;  // by age
};
// At most one per launch.
std::vector<IssuePattern> issue_patterns(const nlohmann::ordered_json& results,
                                         std::size_t max_patterns);

}  // namespace heddle::lab
