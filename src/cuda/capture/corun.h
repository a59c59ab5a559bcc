// Captured programs that share a GPU: plays them and writes what each did.
#pragma once

#include <string>

#include "config/run_spec.h"
#include "exec/state/launch.h"

namespace heddle::cuda {

// Plays spec.corun and returns JSON: {"status": "completed", "cycles": .., "programs": [{
// "repetitions", "cycles", "totals", "kernels"}, ...], "host": {"kernel_seconds"}}. totals: of all
// complete repetitions; kernels: of the first one. Throws what run_together() throws.
std::string corun_results(const config::RunSpec& spec, const exec::StopRequest* stop);

}  // namespace heddle::cuda
