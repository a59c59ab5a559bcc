// Algorithm 1 of Liu, Liu and Wang (EPiC 2019): the largest distance along x and y of CTAs that
// share lines, and the direction of CTA mapping.
#pragma once

#include "analysis/line_runs.h"

namespace heddle::analysis {

// The axes of the grid.
inline constexpr AtomId kCtaAxes[] = {ctaid_x, ctaid_y, ctaid_z};

class AccessRelations;

struct CtaReuseResult {
  CtaReuse without_uniform, with_uniform;
};
CtaReuseResult find_cta_reuse(SymbolicKernel& kernel, const LaunchShape& launch, LineRuns& runs,
                              const CacheShape& cache, AccessRelations& relations);

// Does the address of an access not depend on the CTA?
bool is_uniform(const SymbolicKernel& kernel, const SymbolicAccess& access);

}  // namespace heddle::analysis
