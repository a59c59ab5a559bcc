// The figures of a whole program, estimated from its timed launches.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "gpu/launch_totals.h"
#include "lab/sample/plan.h"
#include "lab/sample/waves.h"

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
  struct Counted {
    double value = 0;
    Uncertainty omitted;        // of the waves that were not timed
    double measured_later = 0;  // after something that was not timed
  };
  // Of a counter of the launches, with half the width of its interval of 95 %.
  Estimated estimate(std::size_t which) const;

  std::shared_ptr<const SamplePlan> plan_;
  std::vector<double> weights_;  // of launches; 0: not counted
  std::size_t next_ = 0;
  std::vector<std::array<Counted, kSampledCounters.size()>> launches_;
  gpu::LaunchTotals sum_;
  std::uint64_t weighted_cycles_ = 0, end_ = 0;
  bool overlaps_ = false, differs_ = false;
  bool omits_ = false;  // something before the next launch was not timed
};

}  // namespace heddle::lab
