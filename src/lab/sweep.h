// Runs a study: plans its runs, executes those that its results store lacks, and judges its
// expectations. An interrupted sweep resumes, and a changed study measures only what is new.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/compare.h"
#include "lab/study.h"

namespace heddle::lab {

struct SlurmOptions {
  std::string account, partition, time;  // passed to sbatch; empty: Slurm's defaults
  std::vector<std::string> sbatch;       // further options of sbatch
  std::string folder;             // on the shared file system; empty: the store's name with -slurm
  std::size_t runs_per_task = 0;  // 0: about five minutes of work, or 20 runs
  bool wait = true;               // until all jobs have ended
  double poll_seconds = 5;        // between two looks at the jobs

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("account", self.account)("partition", self.partition)("time", self.time);
    archive("sbatch", self.sbatch)("folder", self.folder)("runs_per_task", self.runs_per_task);
    archive("poll_seconds", self.poll_seconds);
  }
};

struct SweepOptions {
  std::string programs;  // folder of the study's programs
  std::string store;     // file of the results
  std::vector<std::string> plugins;
  int jobs = 0;          // runs at once; 0: as many as there are cores
  int attempts = 3;      // of a run that is killed from outside
  bool details = false;  // keep every run's run.json with details
  bool slurm = false;    // instead of this machine
  SlurmOptions slurm_options;
  // Which runs are executed if the store lacks them; empty: all.
  std::function<bool(const StudyCase&, const std::string& row)> wanted;

  // What a store keeps of them.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("programs", self.programs)("plugins", self.plugins)("jobs", self.jobs);
    archive("attempts", self.attempts)("details", self.details)("slurm", self.slurm);
    SlurmOptions::fields(self.slurm_options, archive);
  }
};

// Of a co-run: system throughput, and the progress of each program in the case's order.
struct CorunScore {
  double stp = 0;
  double stp_bar = 0;  // of an estimate: half the interval of 95 %
  std::vector<double> progress;
};

// Of one case, by name of the row (study_row.h). A row under which the program failed has a
// problem, not cycles.
struct CaseResult {
  std::map<std::string, std::uint64_t> cycles;
  std::map<std::string, double> bars;  // of cycles that are estimates: half the interval of 95 %
  std::map<std::string, std::string> problems;
  std::map<std::string, CorunScore> coruns;
};

struct SweepResult {
  std::vector<CaseResult> cases;   // in the study's order
  std::size_t runs = 0, kept = 0;  // measured now; in the store before
  int interrupted = 0;             // the signal that ended it early
  bool submitted = false;          // jobs are at work; the results are not complete
  bool unconfirmed = false;        // Slurm did not say whether it has the jobs

  bool failed() const;
  // The fewest cycles among the schedulers of a row; nothing when none was measured.
  std::optional<std::uint64_t> cycles(const Study& study, std::size_t which,
                                      const std::string& row) const;
  // Of the same scheduler: its error bar; 0 unless its cycles are an estimate.
  double bar(const Study& study, std::size_t which, const std::string& row) const;
  // Of the same scheduler; nothing unless the case is a co-run.
  std::optional<CorunScore> corun(const Study& study, std::size_t which,
                                  const std::string& row) const;
};

struct SweepProgress {
  std::size_t total = 0, done = 0, failed = 0;  // of the runs to do now
  std::size_t running = 0;
  std::optional<double> remaining_seconds;  // nothing while too little is known
};

struct SweepListener {
  std::function<void(const SweepProgress&)> progress;  // about once a second; may be empty
  std::function<void(const std::string&)> note;        // may be empty
};

// Everything is checked before the first run. Throws UserError, and keeps finished runs, when the
// store cannot be written.
SweepResult run_sweep(const Study& study, const SweepOptions& options,
                      const SweepListener& listener);

enum class ExpectationVerdict { holds, fails, unknown };  // unknown: something was not measured
ExpectationVerdict judge(const Study& study, const SweepResult& result, std::size_t which,
                         const Expectation& expectation);

}  // namespace heddle::lab
