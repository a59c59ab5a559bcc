#include "gpu/engine/analysis_cache.h"

#include <algorithm>

namespace heddle::gpu {
namespace {
// Programs with more different launches repeat few of them.
constexpr std::size_t kMaxAnalyses = 32;
}  // namespace

bool AnalysisCache::matches(const Entry& entry, const exec::Launch& launch) {
  return entry.kernel == launch.kernel && entry.grid == launch.grid &&
         entry.block == launch.block && entry.parameters == launch.parameters &&
         entry.instructions == launch.kernel->instructions.size() &&
         entry.name == launch.kernel->name;
}

std::shared_ptr<analysis::LaunchAnalysis> AnalysisCache::of(const exec::Launch& launch) {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [&](const Entry& entry) { return matches(entry, launch); });
  if (found != entries_.rend()) return found->analysis;
  if (entries_.size() == kMaxAnalyses) entries_.pop_front();
  entries_.push_back(
      {launch.kernel, launch.kernel->name, launch.kernel->instructions.size(), launch.grid,
       launch.block, launch.parameters,
       std::make_shared<analysis::LaunchAnalysis>(
           *launch.kernel, analysis::LaunchShape{launch.grid, launch.block, launch.parameters},
           l1d_)});
  return entries_.back().analysis;
}

}  // namespace heddle::gpu
