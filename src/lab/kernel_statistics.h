// Statistics that a user names, of each kernel of a run and in total.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "stats/listing.h"

namespace heddle::lab {

struct KernelStatistics {
  std::string kernel;  // short name; "total"
  nlohmann::ordered_json statistics;

  // Null when the run did not count it.
  nlohmann::ordered_json value(const std::string& key) const;
};

// The statistics of `heddle list stats` with these names; the name of a breakdown stands for all
// its parts. Throws UserError for other names.
std::vector<stats::FieldInfo> select_statistics(const std::vector<std::string>& names,
                                                const std::vector<std::string>& plugins = {});

// results: with its launches. The launches of a kernel are totalled as "totals" of run.json are.
// The last row is the total when there are several kernels.
std::vector<KernelStatistics> statistics_by_kernel(const nlohmann::ordered_json& results,
                                                   const config::GpuSpec& gpu);

}  // namespace heddle::lab
