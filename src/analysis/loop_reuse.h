// Reuse within loops, and the group size of the programmable warp scheduler (EPiC 2019,
// equations 7 and 8).
#pragma once

#include <vector>

#include "analysis/line_runs.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

class AccessRelations;

std::vector<LoopReuse> find_loop_reuse(SymbolicKernel& kernel, const ptx::Kernel& source,
                                       const LaunchShape& launch, LineRuns& runs,
                                       const CacheShape& cache, const CtaReuse& ctas,
                                       AccessRelations& relations);

}  // namespace heddle::analysis
