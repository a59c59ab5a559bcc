// One simulated run of one program: checked, started, waited for, its results gathered.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/run_spec.h"
#include "lab/process.h"
#include "lab/program.h"

namespace heddle::sched {
class Policy;
}

namespace heddle::lab {

struct RunRequest {
  std::string gpu = "gtx480";
  std::string scheduler;                           // empty: the GPU's own
  std::vector<std::string> plugins;                // shared objects with policies
  std::vector<std::string> overrides;              // "key=value"
  std::map<std::string, std::uint32_t> registers;  // per kernel
  bool functional = false;
  bool progress = false;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;  // that simulate; they change no result
  bool share_always = false;  // see config::RunSpec
  config::CheckSpec check;
  config::WatchSpec watch;           // timeline_path: anything but empty asks for one
  config::TimedPart timed;           // what else is computed without timing
  std::vector<std::string> program;  // path and arguments
};

// Everything about a run that can be checked before it starts. UserError otherwise.
class PreparedRun {
 public:
  explicit PreparedRun(const RunRequest& request);

  const config::RunSpec& spec() const { return spec_; }
  const Program& program() const { return program_; }
  // How to start it; its private files lie in `folder`, which must outlive the process.
  Command command(const TemporaryFolder& folder) const;

 private:
  config::RunSpec spec_;
  std::shared_ptr<const sched::Policy> policy_;
  Program program_;
};

struct RunOutcome {
  Ending ending;
  bool idle = false;    // the program ended well without a kernel, as one that only asks about the
                        // device does
  std::string problem;  // why there are no results to use, in one line; empty when there are
  bool fault = false;   // the device failed, whatever the program made of it
  bool told = false;    // the process has said so on its standard error
  nlohmann::ordered_json results;  // what run.json holds; null when there is a problem
  nlohmann::ordered_json check;  // what the checks found, also where the program was stopped; null
                                 // unless it was checked
  std::string timeline;          // as recorded; empty unless asked for
  std::string
      interrupted;  // where it was stopped from outside; the results are of the launches before

  bool usable() const { return problem.empty(); }
  // The program's own code where it ran to its end without a fault of the device; otherwise
  // Heddle's.
  int exit_code() const;
};

// Reads what the process left in `folder` and adds what only we know: program, configuration,
// version.
RunOutcome gather(const PreparedRun& run, const TemporaryFolder& folder, const Ending& ending);

// "KERNEL=N" texts of --registers.
std::map<std::string, std::uint32_t> parse_registers(const std::vector<std::string>& texts);

}  // namespace heddle::lab
