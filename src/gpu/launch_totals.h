// "totals" of run.json: the figures of the launches of a run together. Launches are added as they
// end, so that none has to be kept.
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "gpu/observe/details_json.h"
#include "gpu/result_sum.h"

namespace heddle::gpu {

class LaunchTotals {
 public:
  void add(const KernelResult& launch);
  std::uint64_t launches() const { return timed_ + truncated_ + functional_; }
  KernelResult sum() const { return sum_.total(); }
  nlohmann::ordered_json json(const config::GpuSpec& gpu) const { return json(gpu, sum()); }
  // total: in place of the sum of these launches.
  nlohmann::ordered_json json(const config::GpuSpec& gpu, const KernelResult& total) const;

 private:
  RunSum sum_;
  DetailsTotals details_;
  std::uint64_t timed_ = 0, truncated_ = 0, functional_ = 0;        // launches
  std::uint64_t timed_instructions_ = 0, thread_instructions_ = 0;  // of all launches
};

}  // namespace heddle::gpu
