// How well programs run together, from their normalised progress: the rate at which a program
// advances beside the others, divided by its rate alone (Eyerman and Eeckhout, "System-level
// performance metrics for multiprogram workloads", IEEE Micro 2008).
#pragma once

#include <algorithm>
#include <span>

namespace heddle::lab {

struct CorunMetrics {
  double stp = 0;       // system throughput, the weighted speed-up: the sum of the progresses
  double antt = 0;      // average normalised turnaround time: the mean of 1 / progress
  double fairness = 0;  // the smallest progress divided by the largest; 1: all suffer alike
};

// progress: of each program, more than 0; at least one.
inline CorunMetrics metrics_of(std::span<const double> progress) {
  CorunMetrics metrics;
  for (const double p : progress) {
    metrics.stp += p;
    metrics.antt += 1 / p;
  }
  metrics.antt /= static_cast<double>(progress.size());
  const auto [least, most] = std::minmax_element(progress.begin(), progress.end());
  metrics.fairness = *least / *most;
  return metrics;
}

}  // namespace heddle::lab
