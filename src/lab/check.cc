#include "lab/check.h"

#include <map>
#include <sstream>

#include "base/diagnostics.h"

namespace heddle::lab {

int CheckOutcome::exit_code() const {
  return findings ? static_cast<int>(ExitCode::simulation) : run.exit_code();
}

void choose_tools(const std::string& names, config::CheckSpec& spec) {
  const std::map<std::string, bool config::CheckSpec::*> tools{
      {"memory", &config::CheckSpec::memory},
      {"races", &config::CheckSpec::races},
      {"init", &config::CheckSpec::init},
      {"barriers", &config::CheckSpec::barriers}};
  for (const auto& [name, member] : tools) spec.*member = false;
  std::istringstream words(names);
  for (std::string name; std::getline(words, name, ',');) {
    const auto tool = tools.find(name);
    if (tool == tools.end())
      throw UserError(
          "--tool " + name +
          ": must be memory, races, init or barriers, or several with commas between them");
    spec.*(tool->second) = true;
  }
}

CheckOutcome check(const RunRequest& request) {
  RunRequest checked = request;
  checked.functional = true;
  checked.keep_launches = false;
  checked.check.enabled = true;
  CheckOutcome outcome;
  outcome.run = run_program(PreparedRun(checked));
  if (!outcome.run.check.is_null()) outcome.findings = outcome.run.check["findings"].size();
  return outcome;
}

}  // namespace heddle::lab
