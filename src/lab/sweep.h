// Runs a study on the local cores. Results are kept in a folder: an interrupted sweep resumes, and
// a changed study measures only what is new.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/compare.h"
#include "lab/study.h"

namespace heddle::lab {

struct SweepOptions {
  std::string programs;  // folder of the study's programs
  std::string out;       // folder of the measurements
  std::vector<std::string> plugins;
  int jobs = 0;  // at once; 0: as many as there are cores
};

// Of one case, by name of the pair of schedulers (scheduler_pair.h). A scheduler under which the
// program failed has a problem, not cycles.
struct CaseResult {
  std::map<std::string, std::uint64_t> cycles;
  std::map<std::string, std::string> problems;
};

struct SweepResult {
  std::vector<CaseResult> cases;   // in the study's order
  std::size_t runs = 0, kept = 0;  // measured now; measured by an earlier sweep
  int interrupted = 0;             // the signal that ended it early

  bool failed() const;
  // The fewest cycles among the schedulers of a row; nothing when none was measured.
  std::optional<std::uint64_t> cycles(const Study& study, std::size_t which,
                                      const std::string& row) const;
};

// Programs, GPUs and schedulers of all cases are checked before the first run.
SweepResult run_sweep(const Study& study, const SweepOptions& options,
                      const ReportProgress& report_progress);

enum class Verdict { holds, fails, unknown };  // unknown: something was not measured
Verdict judge(const Study& study, const SweepResult& result, std::size_t which,
              const Expectation& expectation);

}  // namespace heddle::lab
