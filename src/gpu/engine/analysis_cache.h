// The analyses of launches. Equal launches (kernel, grid, block, parameters) share one.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "analysis/launch_analysis.h"
#include "exec/state/launch.h"

namespace heddle::gpu {

class AnalysisCache {
 public:
  explicit AnalysisCache(const analysis::CacheShape& l1d) : l1d_(l1d) {}
  // Analysed when it is first asked, which must be before the launch's end.
  std::shared_ptr<analysis::LaunchAnalysis> of(const exec::Launch& launch);

 private:
  struct Entry {
    const isa::Kernel* kernel;
    // A kernel that was loaded later may have the address of one that was unloaded.
    std::string name;
    std::size_t instructions;
    Dim3 grid, block;
    std::vector<std::uint8_t> parameters;
    std::shared_ptr<analysis::LaunchAnalysis> analysis;
  };
  static bool matches(const Entry& entry, const exec::Launch& launch);

  analysis::CacheShape l1d_;
  std::deque<Entry> entries_;  // the oldest first
};

}  // namespace heddle::gpu
