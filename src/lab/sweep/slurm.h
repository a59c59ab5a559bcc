// The commands of Slurm that a sweep uses: sbatch, squeue, scancel, scontrol.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/process.h"
#include "lab/sweep.h"

namespace heddle::lab {

class Slurm {
 public:
  // group: starts the commands, and notices a signal to this process. note: gets a text when a
  // command takes long.
  explicit Slurm(ProcessGroup& group, std::function<void(const std::string&)> note = {})
      : group_(group), note_(std::move(note)) {}

  // Submits `script` as a job array of tasks 0 to tasks - 1. Returns an empty text, or why Slurm
  // refused.
  std::string submit(const std::string& name, const std::string& script, std::size_t tasks,
                     const std::string& log_folder, const SlurmOptions& options);
  // Numbers of array tasks by state ("RUNNING", "PENDING") of the jobs that have not ended, by name
  // of the job. Nothing when Slurm does not answer.
  using States = std::map<std::string, std::size_t>;
  std::optional<std::map<std::string, States>> jobs(const std::vector<std::string>& names);
  void cancel(const std::string& name);
  std::size_t max_array_size();  // tasks of one array; Slurm's default when it does not answer

 private:
  struct Output {
    int exit_code = 0;
    std::string text, errors;
  };
  Output run(std::vector<std::string> command);

  ProcessGroup& group_;
  std::function<void(const std::string&)> note_;
};

// Throws UserError when sbatch is not installed.
void require_slurm();

}  // namespace heddle::lab
