// `heddle check`: a program runs functionally while its accesses and barriers are watched; what was
// found, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "lab/run.h"

namespace heddle::lab {

struct CheckOutcome {
  RunOutcome run;
  std::size_t findings = 0;
  std::string text;     // a paragraph per finding
  std::string summary;  // one line
  // ExitCode::simulation when there are findings; otherwise as the run's.
  int exit_code() const;
};

// Names of --tool, apart by commas: memory, races, init, barriers. UserError otherwise.
void choose_tools(const std::string& names, config::CheckSpec& spec);

CheckOutcome check(const RunRequest& request);

}  // namespace heddle::lab
