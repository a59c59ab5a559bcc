// What a figure or a claim measures: a statistic of a row of a study, over another row.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::lab {

// maximum, minimum and median: of the programs, for "up to", "all" and "most"; farthest: the one
// that is farthest from 1, for "none".
enum class Mean : std::uint8_t {
  geometric,
  arithmetic,
  harmonic,
  maximum,
  minimum,
  median,
  farthest
};
enum class ShownAs : std::uint8_t {
  speed_up,    // value of `over` by value of the row: of cycles, more is better
  ratio,       // value of the row by value of `over`
  value,       // of the row alone
  difference,  // value of the row less value of `over`
};

// A value of every case, and their mean.
struct Measure {
  std::string statistic =
      "cycles";  // of the results store, or sums and a quotient of them: "a + b / c";
                 // scheduler.OPTION is an option of the run's warp scheduler
  // Empty: of the whole run. Otherwise of the launch with the most cycles, among all ("longest"; a
  // comparison takes the one of `over`) or among those of the kernel with this name. Further
  // statistics: occupancy.warps_per_sm, .ctas_per_sm.
  std::string kernel;
  std::string row, over;                          // over: empty for ShownAs::value
  std::string over_case;                          // the value of `over` is that of this case,
  std::map<std::string, std::string> over_cases;  // or of this one, by case; otherwise of the same
  std::string over_statistic;  // of `over`; empty: the same, so that equal runs have 1
  std::string against;         // the mean is over that of this row; empty: it is not compared
  // Instead of `over`, which is the first of them: the mean takes every case over each of these
  // rows.
  std::vector<std::string> over_each;
  ShownAs shown_as = ShownAs::speed_up;
  Mean mean = Mean::geometric;
  std::string gpu;
  // Workloads, or "CASE: PROGRAM" for a program of a co-run; empty: all cases of the study.
  std::vector<std::string> cases;

  // The case whose value of `over` a value of this case is compared with.
  const std::string& other_case(const std::string& workload) const;
  bool operator==(const Measure&) const = default;
};

}  // namespace heddle::lab
