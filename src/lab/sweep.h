// Runs a study on the local cores. What has been measured is kept, so that an interrupted sweep
// goes on where it stopped and a changed study measures only what is new.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/study.h"

namespace heddle::lab {

struct SweepOptions {
  std::string programs;  // folder that the study's program paths start from
  std::string out;       // folder of the measurements
  std::vector<std::string> plugins;
  int jobs = 0;  // at once; 0: as many as there are cores
};

// Of one case: cycles by scheduler; a scheduler that failed has a problem instead.
struct CaseResult {
  std::map<std::string, std::uint64_t> cycles;
  std::map<std::string, std::string> problems;
};

struct SweepResult {
  std::vector<CaseResult> cases;   // in the study's order
  std::size_t runs = 0, kept = 0;  // measured now; taken over from earlier
  int interrupted = 0;             // the signal that ended it early

  bool failed() const;
  // Of a row of the table in a case: the fewest cycles of what it stands for; nothing when none was
  // measured.
  std::optional<std::uint64_t> cycles(const Study& study, std::size_t which,
                                      const std::string& row) const;
};

// Everything is checked before anything runs: programs, GPUs, schedulers.
SweepResult run_sweep(const Study& study, const SweepOptions& options,
                      const std::function<void(const std::string&)>& say);

enum class Verdict { holds, fails, unknown };  // unknown: something was not measured
Verdict judge(const Study& study, const SweepResult& result, std::size_t which,
              const Expectation& expectation);

}  // namespace heddle::lab
