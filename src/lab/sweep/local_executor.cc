#include "lab/sweep/local_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/diagnostics.h"
#include "lab/installation.h"
#include "lab/sweep/forecast.h"
#include "lab/sweep/task_queue.h"
#include "lab/sweep/task_runner.h"
#include "lab/sweep/unchanged_files.h"

namespace heddle::lab {

RunRecord killed_too_often(const RunRecord& last, int attempts) {
  RunRecord record = last;
  record.status = RunStatus::killed;
  record.problem = fmt::format("it was killed from outside {} times{}{}", attempts,
                               last.problem.empty() ? "" : "; the last time: ", last.problem);
  return record;
}

ExecutionResult execute_locally(const SweepOptions& options, const SweepListener& listener,
                                StoreWriter& store) {
  TaskQueue queue(store.database());
  if (queue.waiting() < queue.size())
    throw UserError("store " + options.store +
                    ": jobs of Slurm are at work for it; `heddle sweep status`, `resume` and "
                    "`cancel` show, gather and end them");
  RemainingTime remaining;
  SweepProgress progress;
  progress.total = queue.size();
  {
    Statement expected(store.database(), "SELECT expected_seconds FROM queue");
    while (expected.step())
      remaining.add(expected.is_null(0) ? RemainingTime::Seconds() : expected.real(0));
  }
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : cores;
  TaskRunner runner(jobs, TaskRunner::Preparations::in_a_child);
  UnchangedFiles files(runtime_library());
  ExecutionResult result;
  const auto next = [&]() -> std::optional<SweepTask> {
    const auto taken = queue.take_longest(TaskQueue::kLocal);
    if (!taken) return {};
    files.check(taken->task);
    remaining.start(taken->task.key, taken->expected_seconds);
    return taken->task;
  };
  const auto finished = [&](const SweepTask& task, RunRecord record) {
    if (record.status == RunStatus::killed) {
      const int attempts = queue.put_back(task.key, true);
      remaining.put_back(task.key);
      if (attempts < options.attempts) return;
      record = killed_too_often(record, attempts);
    }
    files.check(task);
    remaining.finish(task.key, record.wall_seconds);
    store.put_run(task, record);
    ++result.runs;
    ++progress.done;
    if (record.status != RunStatus::completed) ++progress.failed;
  };
  const auto tick = [&](const std::vector<std::pair<std::string, double>>& running) {
    progress.running = running.size();
    progress.remaining_seconds = remaining.estimate(static_cast<std::size_t>(jobs), running);
    if (listener.progress) listener.progress(progress);
  };
  // A run that was killed waits again, after the runner has seen an empty queue.
  do result.interrupted = runner.run({next, finished, tick});
  while (!result.interrupted && queue.waiting() > 0);
  return result;
}

}  // namespace heddle::lab
