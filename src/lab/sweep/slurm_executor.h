// Executes the queued runs of a sweep as job arrays of Slurm.
//
// The runs of a submission stand in a folder on the shared file system (worker.h). Workers write
// each result into a file there; only the sweep writes into the store. A submission has a row in
// the table `submissions` before its job exists, and the job has the name of the row, so that a
// killed sweep finds it again. A run is submitted again when its job ended without a result: node
// failures, cancelled tasks and lost jobs need no other rule. A requeued task skips finished runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/store/store_writer.h"
#include "lab/sweep.h"
#include "lab/sweep/local_executor.h"
#include "lab/sweep/slurm.h"

namespace heddle::lab {

// Gathers results of earlier jobs, submits the runs that wait, and unless options say otherwise
// waits for all of them.
ExecutionResult execute_on_slurm(const Study& study, const SweepOptions& options,
                                 const SweepListener& listener, StoreWriter& store);

struct SweepStatus {
  struct StudyStatus {
    std::string name, title, swept;
    std::size_t cases = 0, runs = 0, completed = 0, failed = 0;  // distinct runs
  };
  struct Submission {
    std::string name, submitted;
    std::size_t tasks = 0, runs = 0;      // runs: without a result in the store
    std::optional<Slurm::States> states;  // of its tasks; nothing when Slurm does not answer
  };
  std::vector<StudyStatus> studies;
  std::vector<Submission> submissions;
};
// Writes nothing.
SweepStatus read_sweep_status(const std::string& store);

// Cancels the jobs of a store and gathers the results that they have written. A sweep that waits
// for them ends.
// plugins: those of the sweep, whose statistics get their units.
void cancel_sweep(const std::string& store, const std::vector<std::string>& plugins,
                  const SweepListener& listener);

// The study that was swept last, or the named one, and its options, from the store. Throws
// UserError unless this user has swept it (own_sweeps.h).
std::pair<Study, SweepOptions> read_kept_study(const std::string& store, const std::string& name);

}  // namespace heddle::lab
