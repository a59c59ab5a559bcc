// Knows nothing of any kernel. To be deleted with the first implementation of launch_analysis.h.
#include "analysis/launch_analysis.h"

namespace heddle::analysis {

struct LaunchAnalysis::Impl {
  KernelAnalysis result;
};

LaunchAnalysis::LaunchAnalysis(const ptx::Kernel&, LaunchShape, const CacheShape&, const Options&)
    : impl_(std::make_unique<Impl>()) {}
LaunchAnalysis::~LaunchAnalysis() = default;
LaunchAnalysis::LaunchAnalysis(LaunchAnalysis&&) noexcept = default;
LaunchAnalysis& LaunchAnalysis::operator=(LaunchAnalysis&&) noexcept = default;
const KernelAnalysis& LaunchAnalysis::result() { return impl_->result; }
std::vector<std::uint64_t> LaunchAnalysis::lines_of_cta(std::uint64_t) { return {}; }

}  // namespace heddle::analysis
