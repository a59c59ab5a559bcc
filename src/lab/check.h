// A functional run in which accesses and barriers are checked.
#pragma once

#include <string>

#include "lab/run.h"

namespace heddle::lab {

struct CheckOutcome {
  RunOutcome run;
  std::size_t findings = 0;
  // ExitCode::simulation when there are findings; otherwise the run's.
  int exit_code() const;
};

// Reads --tool: memory, races, init, barriers, separated by commas. Throws UserError otherwise.
void choose_tools(const std::string& names, config::CheckSpec& spec);

CheckOutcome check(const RunRequest& request);

}  // namespace heddle::lab
