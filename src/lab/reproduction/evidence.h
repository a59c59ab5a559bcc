// Why a claim does not hold, as far as statistics show: the claim's value in each case, and how the
// two runs differ in the case that contradicts the claim most.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/reproduction/paper.h"

namespace heddle::lab {

class StudyValues;

// A statistic of the claim's run and of the one that it is compared with.
struct ComparedStatistic {
  std::string name;  // in words
  double own = 0, other = 0;
  bool share = true;  // of 1; otherwise a number of cycles or warps
};

struct Evidence {
  std::vector<std::pair<std::string, double>> cases;  // empty when the claim is about one case
  std::string workload;                               // the case that contradicts the claim most
  std::string other;                                  // the row that the claim's is compared with
  double own_cycles = 0, other_cycles = 0;            // there; 0: the claim compares no runs
  std::vector<ComparedStatistic> statistics;          // those that differ, at most kMostStatistics
};
inline constexpr std::size_t kMostStatistics = 6;
// Shares that differ by less, and other values that differ by less than this part, are left out.
inline constexpr double kLeastShare = 0.02, kLeastPart = 0.05;

// A claim that compares the means of two rows is about the statistic under both.
Evidence evidence_against(const Claim& claim, StudyValues& values);

}  // namespace heddle::lab
