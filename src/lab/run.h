// One simulated run of one program: check the request, start the program, wait for it, gather its
// results.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/source_files.h"
#include "config/run_spec.h"
#include "gpu/cta/cta_policy.h"
#include "lab/figures.h"
#include "lab/process.h"
#include "lab/program.h"
#include "sched/framework/policy.h"

namespace heddle::lab {

class StandardInput;
class SamplePlan;

// In the folder of a run: what its process writes.
inline constexpr const char* kResultFile = "results.json";

// A warp of a CTA, by its number in the grid.
struct WarpPlace {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;
};

// What a user asks for. A timeline is recorded when its path is not empty, or with warp_logs.
struct RunRequest : config::RunChoices {
  RunRequest() { scheduler.clear(); }  // the GPU's default

  std::string gpu = "gtx480";          // preset or file
  std::vector<std::string> overrides;  // "key=value"
  std::vector<std::string> registers;  // "kernel=N"
  // Of the program in the run that profiles its loads for daws-profiled; empty: its own.
  std::vector<std::string> profile_arguments;
  std::vector<WarpPlace> warp_logs;          // warps whose intervals are wanted as text
  std::shared_ptr<StandardInput> input;      // of each of several runs; null: inherited
  bool keep_launches = true;                 // in the results; false: only their figures
  std::vector<std::string> source_folders;   // whose source files may be shown, too
  std::shared_ptr<const SamplePlan> sample;  // the timed launches stand for all; null: they do not
};

// A request that passed every check that is possible before the run. Throws UserError otherwise.
class PreparedRun {
 public:
  explicit PreparedRun(const RunRequest& request);

  const config::RunSpec& spec() const { return spec_; }
  const Program& program() const { return program_; }
  SourceFiles source_files() const;
  bool keeps_launches() const { return keep_launches_; }
  const std::shared_ptr<const SamplePlan>& sample() const { return sample_; }
  // How to start the program. Files for this run go into `folder`, which must outlive the process.
  ChildCommand command(const TemporaryFolder& folder) const;

 private:
  config::RunSpec spec_;
  std::shared_ptr<const sched::Policy> policy_;
  std::shared_ptr<const gpu::CtaPolicy> cta_policy_;
  Program program_;
  std::shared_ptr<StandardInput> input_;
  std::vector<std::string> source_folders_;
  bool keep_launches_ = true;
  std::shared_ptr<const SamplePlan> sample_;
};

struct RunOutcome {
  Ending ending;
  bool idle = false;      // the program ended well without a launch: it only queried the device
  std::string problem;    // why there are no results, in one line; empty: there are results
  bool fault = false;     // a kernel faulted, whatever the program's exit code is
  bool reported = false;  // the process printed the problem on its standard error
  // The content of run.json, with an empty list of kernels if the request keeps no launches; null
  // when there is a problem.
  nlohmann::ordered_json results;
  // The same of the complete launches of a program that was killed; null unless it was. `problem`
  // says how.
  nlohmann::ordered_json partial_results;
  RunFigures figures;  // of either of them
  // The analysed launches, also of a run that failed; null unless they were analysed.
  nlohmann::ordered_json analysis;
  // The content of check.json, also when a fault ended the program; null unless it was checked.
  nlohmann::ordered_json check;
  std::string timeline;  // as recorded; empty unless requested
  // What may be shown of the program's sources; reading notes which files were.
  std::shared_ptr<SourceFiles> sources = std::make_shared<SourceFiles>();
  std::string lost_output;  // why the program's output was not written whole; empty: it was
  std::string interrupted;  // where a signal ended the run; the results are of earlier launches
  std::uint32_t launching_users = 0;  // processes of the program that launched kernels
  int interrupting_signal = 0;

  bool usable() const { return problem.empty(); }
  // 128 and the signal after an interruption, Heddle's own code after a fault or without results;
  // otherwise the program's.
  int exit_code() const;
};

// Reads what the process wrote into `folder` and adds program, configuration and version.
RunOutcome gather(const PreparedRun& run, const TemporaryFolder& folder,
                  const ProcessGroup::Ended& ended);
// Why the results are not those of the whole program; empty: they are.
std::string missing_processes(const RunOutcome& outcome);
// Starts the program, waits for its end and gathers its results. Writes run.json when there are
// results; run_json: its path, empty: nowhere.
RunOutcome run_program(const PreparedRun& run, const std::string& run_json = {});

// Reads a text of --warp-log, "CTA:WARP". Throws UserError for other texts.
WarpPlace parse_warp_place(const std::string& text);
// Reads texts of --registers, "KERNEL=N". Throws UserError for other texts.
std::map<std::string, std::uint32_t> parse_registers(const std::vector<std::string>& texts);

}  // namespace heddle::lab
