// Programs that share one simulated GPU, beside the same programs alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "config/run_spec.h"
#include "lab/compare.h"
#include "lab/corun_metrics.h"
#include "lab/figures.h"

namespace heddle::lab {

struct CorunRequest {
  // Without programs and share policy. Timed as a whole, or in waves of CTAs that stand for others
  // (timed.samples_waves).
  RunRequest run;
  // Files of captured programs (heddle capture), each alone in its list; or programs with their
  // arguments, which are captured first.
  std::vector<std::vector<std::string>> programs;
  // Of each program's kernels, when it is captured; empty: those of `run`, which must be of all.
  std::vector<std::vector<std::string>> registers;
  std::vector<std::string> shares{"leftover"};
  bool once = false;  // false: a program that ends begins anew until each has ended once
  // A folder that keeps captures and results of programs alone for other co-runs; empty: none. The
  // programs' files must not change while it is in use.
  std::string kept;
};

// A program in one run, alone or beside others.
struct CorunProgram {
  std::uint64_t repetitions = 0;
  double cycles = 0;    // of one repetition: from its first launch's start to its last one's end
  double ipc = 0;       // thread instructions per core cycle, over all repetitions
  double progress = 1;  // its IPC divided by its IPC alone
  // Of estimates: half the width of the interval of 95 %; 0: measured.
  double cycles_bar = 0, ipc_bar = 0, progress_bar = 0;
  double omitted_cycles = 0;              // of all repetitions: estimated
  RunFigures figures;                     // total: of all repetitions; kernels: of the first one
  nlohmann::ordered_json results;         // what the process wrote of it
  bool idle() const { return ipc == 0; }  // it launches nothing
};

struct CorunUnderPolicy {
  std::string share;
  std::vector<CorunProgram> programs;
  CorunMetrics metrics;  // of the programs that are not idle
  CorunMetrics bars;     // of estimates, as those of programs
  std::uint64_t cycles = 0;
  double cycles_bar = 0;    // as those of programs
  double host_seconds = 0;  // of the simulation
};

struct Corun {
  CorunRequest request;
  config::RunSpec spec;            // of the first run that is shared
  std::vector<std::string> names;  // "P0 kmeans"
  std::vector<CorunProgram> alone;
  double alone_host_seconds = 0;         // of the simulation of each program once
  std::uint64_t peak_memory_bytes = 0;   // of one process
  std::vector<CorunUnderPolicy> shared;  // in the order of request.shares
  int interrupted = 0;                   // the signal that ended it early; then there is no result

  bool guesses() const;                 // some figures are estimates
  nlohmann::ordered_json json() const;  // of run.json
};

// A run failed. what(): in one line; errors: what its process wrote to its standard error.
class CorunFailure : public UserError {
 public:
  CorunFailure(const std::string& message, std::string its_errors, int code)
      : UserError(message), errors(std::move(its_errors)), exit_code(code) {}
  std::string errors;
  int exit_code;
};

// Throws UserError for a request that cannot run. Programs need not be captures.
void check_corun(const CorunRequest& request);

// Runs each program alone, then all together under each share policy, at most `jobs` runs at once;
// 0: as many as there are cores. A program's scheduler alone is its part of "K0=gto,K1=lrr". Throws
// UserError for a request that cannot run, CorunFailure when a run fails.
Corun corun(const CorunRequest& request, int jobs, const ReportProgress& report_progress);

// From what the processes wrote: programs alone by place in the request, and under each policy.
struct CorunResults {
  std::vector<nlohmann::ordered_json> alone, shared;
};
// Fills in everything but request, spec and names.
void read_corun(const CorunResults& results, Corun& corun);

}  // namespace heddle::lab
