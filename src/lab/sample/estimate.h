// The figures of a whole program, estimated from its timed launches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "gpu/launch_totals.h"
#include "lab/sample/plan.h"

namespace heddle::lab {

class SampleEstimate {
 public:
  explicit SampleEstimate(std::shared_ptr<const SamplePlan> plan) : plan_(std::move(plan)) {}

  // Takes the launches in their order. Returns the launch with its counters multiplied by its
  // weight, as if it were all that it stands for; null for one that is not counted.
  nlohmann::ordered_json add(const nlohmann::ordered_json& launch);
  // After the last launch: why the estimate is none; empty: it is one.
  std::string problem() const;

  // Something is estimated; otherwise all launches are timed whole.
  bool guesses() const;
  // What the program would have in run.json under "totals", and what is known of the estimates
  // under "sample".
  nlohmann::ordered_json totals(const config::GpuSpec& gpu) const;
  nlohmann::ordered_json sample() const;

 private:
  struct Estimated {
    double value = 0, bar = 0;
  };
  // Of the waves of a launch that were not timed.
  struct Inside {
    double guessed = 0, variance = 0, degrees = 1, irregular = 0;
  };
  nlohmann::ordered_json with_all_waves(const nlohmann::ordered_json& launch, std::size_t number);
  // Of a counter of the launches, with half the width of its interval of 95 %.
  Estimated estimate(std::size_t which) const;

  std::shared_ptr<const SamplePlan> plan_;
  std::vector<double> weights_;  // of launches; 0: not counted
  std::size_t next_ = 0;
  std::vector<std::vector<double>> counters_;  // by launch
  std::vector<std::vector<Inside>> inside_;    // the same
  gpu::LaunchTotals sum_;
  std::uint64_t weighted_cycles_ = 0, end_ = 0;
  bool overlaps_ = false, differs_ = false;
};

}  // namespace heddle::lab
