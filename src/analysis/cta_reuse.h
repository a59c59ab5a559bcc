// Algorithm 1 of Liu, Liu and Wang (EPiC 2019): the largest distance along x and y of CTAs that
// share lines, and the direction of CTA mapping.
#pragma once

#include <string>

#include "analysis/line_runs.h"

namespace heddle::analysis {

struct CtaReuseResult {
  CtaReuse without_uniform, with_uniform;
  std::string not_analysed;
};
CtaReuseResult find_cta_reuse(SymbolicKernel& kernel, const ptx::Kernel& source,
                              const LaunchShape& launch, LineRuns& runs, const CacheShape& cache,
                              const Options& options);

// Does the address of an access not depend on the CTA?
bool is_uniform(const SymbolicKernel& kernel, const SymbolicAccess& access);

}  // namespace heddle::analysis
