// A functional run in which every distinct launch is analysed.
#pragma once

#include <string>

#include "lab/run.h"

namespace heddle::lab {

// The run's `analysis` names parameters as the CUDA source does where it can be read. The program's
// standard output is not shown.
RunOutcome analyze(const RunRequest& request);

// The hints for `heddle cc --ps-hints` and `--cta-hints`, as TOML. Of launches of one kernel that
// differ, the first one decides.
std::string hints_toml(const nlohmann::ordered_json& analysis, bool keep_uniform);

}  // namespace heddle::lab
