// Runs tasks as child processes, several at once, within their limits of time and memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "lab/process.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

class TaskRunner {
 public:
  struct Callbacks {
    std::function<std::optional<SweepTask>()> next;  // nothing: there is no further task
    std::function<void(const SweepTask& task, RunRecord record)> finished;
    // Called at least once a second; `running`: seconds since the start of each running task.
    std::function<void(const std::vector<std::pair<std::string, double>>& running)> tick;
  };
  // Where the earlier runs happen that some schedulers need (preparation.h), and co-runs: before
  // the task in this process, which waits for them, or in a child process.
  enum class Preparations { in_this_process, in_a_child };

  TaskRunner(int jobs, Preparations preparations);
  ~TaskRunner();
  // Runs until no task is left. Returns the signal that interrupted it, or 0; tasks that a signal
  // to this process ended are not reported.
  int run(const Callbacks& callbacks);

 private:
  struct Running;
  // Returns the signal that interrupted the earlier runs that it needs, or 0.
  int start(SweepTask task);
  void enforce_limits();
  static RunRecord record_of(const Running& run, const ProcessGroup::Ended& ended);

  std::size_t jobs_;
  Preparations preparations_;
  ProcessGroup group_;            // folders are removed before a signal can end this process
  TemporaryFolder corun_folder_;  // what co-runs have in common
  std::map<pid_t, std::unique_ptr<Running>> running_;
};

}  // namespace heddle::lab
