// Student's distribution: the two-sided quantile of 95 %, for error bars of few observations.
#pragma once

#include <array>
#include <utility>

namespace heddle::stats {

// degrees: of freedom, at least 1. Between the rows of the table: that of the row before, which is
// larger.
inline double student_quantile(double degrees) {
  constexpr std::array<std::pair<double, double>, 12> kTable{{{1, 12.706},
                                                              {2, 4.303},
                                                              {3, 3.182},
                                                              {4, 2.776},
                                                              {5, 2.571},
                                                              {6, 2.447},
                                                              {8, 2.306},
                                                              {12, 2.179},
                                                              {16, 2.120},
                                                              {24, 2.064},
                                                              {60, 2.000},
                                                              {120, 1.980}}};
  double quantile = kTable[0].second;
  for (const auto& [from, value] : kTable)
    if (degrees >= from) quantile = value;
  return quantile;
}

}  // namespace heddle::stats
