// The rows of --interval of a run's launches, one behind the other, brought to as many points as a
// picture has room for; and what iPAWS decided on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

struct RunSeries {
  struct Point {
    std::uint64_t from = 0, cycles = 0;
  };
  struct Mark {
    std::size_t point;
    std::string kernel;
  };  // a launch's first point
  std::vector<Point> points;
  std::vector<Mark> launches;
  std::map<std::string, std::vector<double>>
      columns;  // counters added up over a point's rows, levels averaged

  bool empty() const { return points.empty(); }
  bool has(const std::string& column) const { return columns.contains(column); }
  double at(const std::string& column, std::size_t point) const;
  // column over the sum of others, 0 where that is nothing.
  std::vector<double> shares(const std::string& part, const std::vector<std::string>& whole) const;
};

// Rows of one launch share points only with each other.
RunSeries run_series(const nlohmann::ordered_json& results, std::size_t most_points);

// A panel of a picture of time: curves that share an axis, or parts of a stack that fill it.
struct Panel {
  std::string title;
  bool stack = false;  // of shares
  bool percent = false;
  struct Curve {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Curve> curves;
};
std::vector<Panel> panels_of(const RunSeries& series);

// The issue pattern that decided a launch under ipaws.
struct PatternPicture {
  std::string kernel, choice;
  std::uint64_t sm = 0, cycle = 0, of_interest = 0;
  double threshold = 0, convexity = 0, sum = 0;
  std::vector<std::uint64_t> instructions, barrier_time, stalls;  // by age
};
std::vector<PatternPicture> patterns_of(const nlohmann::ordered_json& results, std::size_t most);

}  // namespace heddle::report
