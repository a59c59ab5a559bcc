// The results of the parts of a run, put together again.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "gpu/launch_totals.h"
#include "lab/sample/plan.h"

namespace heddle::lab {

// Writes results as one process would have (measured_run.h).
class JoinedParts {
 public:
  JoinedParts(std::string result_file, const config::GpuSpec& gpu);

  // The next part, as part_record() returned it (measured_run.h), with all launches that it timed.
  // The first ones are not counted: they warm the caches. The launches of a part follow those of
  // the part before. Throws UserError when it has timed others.
  void add(const std::string& record, const std::vector<LaunchFacts>& launches,
           std::size_t uncounted);
  // After the last part. parts: what results say of them.
  void finish(nlohmann::ordered_json parts);

 private:
  std::string result_file_;
  const config::GpuSpec& gpu_;
  std::ofstream lines_;
  gpu::LaunchTotals totals_;
  std::uint64_t end_ = 0;        // cycle
  nlohmann::ordered_json head_;  // of the last part; times on the host are of all
};

}  // namespace heddle::lab
