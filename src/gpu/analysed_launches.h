// The address analysis of every distinct launch of a program.
#pragma once

#include <deque>
#include <string>

#include <nlohmann/json.hpp>

#include "analysis/launch_analysis.h"
#include "config/run_spec.h"
#include "exec/state/launch.h"

namespace heddle::gpu {

// The L1 data cache for which reuse is computed.
analysis::CacheShape cache_shape_of(const config::GpuSpec& gpu, double usable);

class AnalysedLaunches {
 public:
  explicit AnalysedLaunches(const config::RunSpec& spec);

  // Launches that differ only in the addresses of their buffers are one.
  void add(const exec::Launch& launch);
  nlohmann::ordered_json json() const;

 private:
  struct Entry {
    std::string name;
    analysis::LaunchShape shape;
    nlohmann::ordered_json json;
    std::uint64_t launches = 1;
  };
  bool is_same(const Entry& entry, const exec::Launch& launch) const;

  config::AnalysisSpec spec_;
  std::string gpu_;
  analysis::CacheShape cache_;
  std::deque<Entry> entries_;
  std::uint64_t not_shown_ = 0;  // launches beyond the limit of different ones
};

}  // namespace heddle::gpu
