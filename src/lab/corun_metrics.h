// How well programs run together, from their normalised progress: the rate at which a program
// advances beside the others, divided by its rate alone (Eyerman and Eeckhout, "System-level
// performance metrics for multiprogram workloads", IEEE Micro 2008).
#pragma once

#include <algorithm>
#include <cstddef>
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

// Half the widths of their intervals of 95 %, from those of the progresses. Programs of one run
// slow each other, so their errors are not independent: they add up.
inline CorunMetrics bars_of(std::span<const double> progress, std::span<const double> bars) {
  CorunMetrics sum;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    sum.stp += bars[i];
    sum.antt += bars[i] / (progress[i] * progress[i]);
  }
  sum.antt /= static_cast<double>(progress.size());
  const auto [least, most] = std::minmax_element(progress.begin(), progress.end());
  const auto relative = [&](auto at) {
    return bars[static_cast<std::size_t>(at - progress.begin())] / *at;
  };
  if (least != most) sum.fairness = *least / *most * (relative(least) + relative(most));
  return sum;
}

}  // namespace heddle::lab
