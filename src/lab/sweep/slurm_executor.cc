#include "lab/sweep/slurm_executor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/executable.h"
#include "base/library_errors.h"
#include "config/json_text.h"
#include "lab/statistics_list.h"
#include "lab/store/results_store.h"
#include "lab/sweep/own_sweeps.h"
#include "lab/sweep/submissions.h"
#include "lab/sweep/task_queue.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kRunsPerTask = 20;  // when nothing is known about their time
constexpr double kSecondsPerTask = 300;
constexpr std::size_t kRunsForRate = 10;  // results before their rate is used

std::string quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

class SlurmExecutor {
 public:
  SlurmExecutor(const Study& study, const SweepOptions& options, const SweepListener& listener,
                StoreWriter& store)
      : study_(study),
        options_(options),
        listener_(listener),
        store_(store),
        queue_(store.database()),
        submissions_(store, options.attempts) {
    folder_ = options.slurm_options.folder.empty() ? options.store + "-slurm"
                                                   : options.slurm_options.folder;
    folder_ = fs::absolute(folder_).lexically_normal().string();
  }

  ~SlurmExecutor() { Submissions::remove_empty_folder(folder_); }
  SlurmExecutor(const SlurmExecutor&) = delete;
  SlurmExecutor& operator=(const SlurmExecutor&) = delete;

  ExecutionResult run() {
    progress_.total = queue_.size();
    submissions_.remove_strays(folder_);
    while (queue_.size() > 0 && !result_.interrupted) {
      look();
      const bool cancelled = submissions_.cancelled();
      if (cancelled && submissions_.list().empty()) {
        note("the jobs were cancelled; `heddle sweep resume` submits the missing runs again");
        break;
      }
      if (queue_.waiting() > 0 && !cancelled && !slurm_is_silent_) submit();
      if (!options_.slurm_options.wait || queue_.size() == 0) break;
      group_.wait_any_for(std::chrono::milliseconds(
          static_cast<std::int64_t>(1000 * options_.slurm_options.poll_seconds)));
      result_.interrupted = group_.interrupted();
    }
    gather_ended();
    for (const Submission& one : submissions_.list())
      (Submissions::is_confirmed(one) ? result_.submitted : result_.unconfirmed) = true;
    return result_;
  }

 private:
  void note(const std::string& text) const {
    if (listener_.note) listener_.note(text);
  }

  // Brings new results into the store and forgets jobs that have ended.
  void look() {
    // First the jobs, then their results: a job that ends in between is noticed the next time.
    const auto jobs = slurm_.jobs(submissions_.names());
    if (slurm_is_silent_ != !jobs)
      note(jobs ? "Slurm answers again" : "Slurm does not answer; waiting for it");
    slurm_is_silent_ = !jobs;
    import();
    if (!jobs) return;
    for (const Submission& one : submissions_.list()) {
      if (jobs->contains(one.name)) {
        Submissions::confirm(one);
        continue;
      }
      const EndedSubmission ended = submissions_.finish(one);
      count(ended.imported);
      if (ended.lost > 0)
        note(fmt::format("{}: {} runs ended without a result", one.name, ended.lost));
      if (ended.never_started) {
        if (++fruitless_ == options_.attempts)
          throw UserError(fmt::format(
              "the jobs of Slurm end before they start a run; the last one was {}{}", one.name,
              ended.log.empty() ? ", without output" : ", with the output: " + ended.log));
      } else {
        fruitless_ = 0;
      }
    }
    std::size_t running = 0;
    for (const auto& [name, states] : *jobs)
      if (const auto found = states.find("RUNNING"); found != states.end())
        running += found->second;
    progress_.running = running;
    progress_.remaining_seconds = remaining_seconds();
    if (listener_.progress) listener_.progress(progress_);
  }

  // By the rate at which results arrived since the first one: queues cannot be foreseen.
  std::optional<double> remaining_seconds() {
    const auto now = std::chrono::steady_clock::now();
    if (progress_.done == 0) first_look_ = now;
    if (progress_.done < kRunsForRate) return {};
    const double seconds = std::chrono::duration<double>(now - first_look_).count();
    return seconds * static_cast<double>(progress_.total - progress_.done) /
           static_cast<double>(progress_.done);
  }

  void import() {
    for (const Submission& one : submissions_.list()) count(submissions_.import(one));
  }
  void gather_ended() {
    if (queue_.size() > 0) return;
    for (const Submission& one : submissions_.list()) count(submissions_.finish(one).imported);
  }

  void count(const ImportedRuns& imported) {
    if (imported.runs > 0) fruitless_ = 0;
    result_.runs += imported.runs;
    progress_.done += imported.runs;
    progress_.failed += imported.failed;
  }

  std::size_t runs_per_task() {
    if (options_.slurm_options.runs_per_task > 0) return options_.slurm_options.runs_per_task;
    Statement mean(store_.database(),
                   "SELECT AVG(expected_seconds) FROM queue WHERE submission IS NULL");
    mean.step();
    if (mean.is_null(0) || mean.real(0) <= 0) return kRunsPerTask;
    return static_cast<std::size_t>(std::clamp(kSecondsPerTask / mean.real(0), 1.0, 1000.0));
  }

  // All waiting runs as one job array. Task i does the runs i, i + tasks, ... of the list, which
  // begins with the longest.
  void submit() {
    const std::size_t waiting = queue_.waiting(), per_task = runs_per_task();
    const std::size_t tasks =
        std::min((waiting + per_task - 1) / per_task, slurm_.max_array_size());
    if (group_.interrupted()) return;
    const Submission one = submissions_.add(study_.name, folder_, tasks);
    const std::string heddle = executable_path().string();
    write_file_atomically(one.folder + "/job.sh",
                          fmt::format("#!/bin/bash\nexec {} sweep worker {} --part "
                                      "\"$SLURM_ARRAY_TASK_ID\" --parts {}\n",
                                      quoted(heddle), quoted(one.folder), tasks));
    const std::string refused = slurm_.submit(one.name, one.folder + "/job.sh", tasks,
                                              one.folder + "/log", options_.slurm_options);
    if (refused.empty()) {
      Submissions::confirm(one);
      note(fmt::format("submitted {} runs in {} tasks as {}", waiting, tasks, one.name));
    } else if (group_.interrupted()) {
      return;  // sbatch was ended, too
    } else if (slurm_.jobs({one.name})) {
      // Slurm answers, so it refused this job for a reason.
      submissions_.finish(one);
      throw UserError("sbatch refuses the jobs: " + refused);
    } else {
      // The next look finds out whether the job exists.
      slurm_is_silent_ = true;
      note("Slurm does not answer: " + refused);
    }
  }

  const Study& study_;
  const SweepOptions& options_;
  const SweepListener& listener_;
  StoreWriter& store_;
  TaskQueue queue_;
  Submissions submissions_;
  ProcessGroup group_;
  Slurm slurm_{group_, [this](const std::string& text) { note(text); }};
  std::string folder_;
  SweepProgress progress_;
  ExecutionResult result_;
  bool slurm_is_silent_ = false;
  int fruitless_ = 0;  // submissions in a row whose jobs started no run
  std::chrono::steady_clock::time_point first_look_ = std::chrono::steady_clock::now();
};

}  // namespace

ExecutionResult execute_on_slurm(const Study& study, const SweepOptions& options,
                                 const SweepListener& listener, StoreWriter& store) {
  return SlurmExecutor(study, options, listener, store).run();
}

SweepStatus read_sweep_status(const std::string& store) {
  ResultsStore check(store);
  Database database(store, Database::Access::read);
  SweepStatus status;
  Statement studies(database,
                    "SELECT s.name, s.title, s.swept, "
                    "(SELECT COUNT(*) FROM cases WHERE study_id = s.id), COUNT(x.run_key), "
                    "SUM(x.status = 'completed'), SUM(x.status <> 'completed') FROM studies s "
                    "LEFT JOIN (SELECT DISTINCT study_id, run_key, status FROM study_runs) x "
                    "ON x.study_id = s.id GROUP BY s.id ORDER BY s.swept, s.name");
  while (studies.step()) {
    const auto count = [&](int column) {
      return static_cast<std::size_t>(studies.integer(column));
    };
    status.studies.push_back({studies.text(0), studies.text(1), studies.text(2), count(3), count(4),
                              count(5), count(6)});
  }
  Statement rows(database,
                 "SELECT s.name, s.submitted, s.tasks, COUNT(q.run_key) FROM submissions s "
                 "LEFT JOIN queue q ON q.submission = s.name GROUP BY s.name ORDER BY s.submitted");
  while (rows.step())
    status.submissions.push_back({rows.text(0),
                                  rows.text(1),
                                  static_cast<std::size_t>(rows.integer(2)),
                                  static_cast<std::size_t>(rows.integer(3)),
                                  {}});
  std::vector<std::string> names;
  for (const auto& one : status.submissions) names.push_back(one.name);
  ProcessGroup group;
  if (const auto jobs = Slurm(group).jobs(names))
    for (auto& one : status.submissions)
      one.states = jobs->contains(one.name) ? jobs->at(one.name) : Slurm::States{};
  return status;
}

void cancel_sweep(const std::string& store, const std::vector<std::string>& plugins,
                  const SweepListener& listener) {
  static_cast<void>(list_statistics(plugins));  // a faulty plug-in is found before jobs end
  const auto note = [&](const std::string& text) {
    if (listener.note) listener.note(text);
  };
  std::vector<std::string> names;
  {
    ResultsStore check(store);
    Database database(store, Database::Access::read);
    for (const Submission& one : read_submissions(database)) {
      if (!one.own) {
        note(
            fmt::format("{} is left alone: the folder {} carries no mark of this store; if the "
                        "job is yours, cancel it with scancel --name={}",
                        one.name, one.folder, one.name));
        continue;
      }
      names.push_back(one.name);
      // A sweep that waits for the jobs sees this file and submits nothing more.
      write_file_atomically(one.folder + "/" + kCancelledFile, "");
    }
  }
  if (names.empty()) {
    note("no jobs are at work for this store");
    return;
  }
  ProcessGroup group;
  Slurm slurm(group);
  for (const std::string& name : names) slurm.cancel(name);
  while (true) {
    const auto jobs = slurm.jobs(names);
    if (!jobs)
      throw UserError(
          "Slurm does not answer; the jobs are not known to be cancelled. Repeat "
          "`heddle sweep cancel` when it does");
    if (jobs->empty()) break;
    group.wait_any_for(std::chrono::milliseconds(200));
    if (group.interrupted()) return;
  }
  std::optional<StoreWriter> writer;
  try {
    writer.emplace(store, plugins);
  } catch (const UserError&) {
    note(fmt::format("cancelled {} jobs; the sweep that waits for them gathers their results",
                     names.size()));
    return;
  }
  Submissions submissions(*writer, 1 << 30);
  std::size_t gathered = 0;
  for (const Submission& one : submissions.list())
    gathered += submissions.finish(one).imported.runs;
  note(fmt::format("cancelled {} jobs, gathered {} results", names.size(), gathered));
}

std::pair<Study, SweepOptions> read_kept_study(const std::string& store, const std::string& name) {
  ResultsStore check(store);
  Database database(store, Database::Access::read);
  Statement rows(database,
                 "SELECT file, document, options, name FROM studies WHERE ?1 = '' OR name = ?1 "
                 "ORDER BY swept DESC, id DESC LIMIT 1");
  if (!rows.bind(name).step()) {
    check.study(name);  // throws with the known names
    throw UserError("store " + store + ": it has no study");
  }
  if (!is_own_sweep(database, rows.text(3)))
    throw UserError(fmt::format(
        "store {0}: you did not sweep its study {1} here with this content, and a store does not "
        "say which programs are run; give the study's file: heddle sweep {1}.toml --out {0}",
        store, rows.text(3)));
  const InputScope scope("store " + store);
  std::pair<Study, SweepOptions> kept{
      read_study(rows.text(0), rows.text(1)),
      config::read_kept_json<ordered_json>(rows.text(2)).get<SweepOptions>()};
  kept.second.store = store;
  return kept;
}

}  // namespace heddle::lab
