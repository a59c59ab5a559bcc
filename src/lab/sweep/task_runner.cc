#include "lab/sweep/task_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "lab/measured_run.h"
#include "lab/preparation.h"
#include "lab/sample/pass.h"
#include "lab/standard_input.h"
#include "lab/store/clock.h"
#include "lab/sweep/corun_task.h"
#include "lab/sweep/worker.h"

namespace heddle::lab {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

constexpr std::chrono::milliseconds kTick{1000};
constexpr std::chrono::milliseconds kLimitTick{50};  // while a limit must be enforced

// Of the process and its children, which do the work of a run with earlier runs.
std::uint64_t resident_bytes(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::uint64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  std::uint64_t bytes = resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; children >> child;) bytes += resident_bytes(child);
  return bytes;
}

// What a run's end means. `killed` is not the program's own end.
RunStatus status_of(const RunOutcome& outcome) {
  const int signal = outcome.ending.signal;
  if (!outcome.interrupted.empty() || signal == SIGKILL || signal == SIGTERM || signal == SIGINT ||
      signal == SIGHUP)
    return RunStatus::killed;
  if (outcome.fault) return RunStatus::fault;
  return outcome.usable() && outcome.exit_code() == 0 ? RunStatus::completed : RunStatus::failed;
}

// A file of a GPU may have changed since the sweep was planned.
void check_configuration(const RunIdentity& id, const ordered_json& results) {
  if (results.at("configuration").at("hash") != id.configuration_hash)
    throw UserError(fmt::format("the GPU {} has changed since the sweep began; repeat the command",
                                id.run.gpu));
}

}  // namespace

struct TaskRunner::Running {
  SweepTask task;
  TemporaryFolder folder;
  std::unique_ptr<Preparation> preparation;  // its files are inputs of the run
  std::unique_ptr<PreparedRun> run;          // empty: a child process prepares and runs it
  Clock::time_point since = Clock::now();
  std::string started = utc_now();
  std::optional<RunStatus> exceeded;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - since).count(); }
};

TaskRunner::TaskRunner(int jobs, Preparations preparations)
    : jobs_(static_cast<std::size_t>(jobs)), preparations_(preparations) {}
TaskRunner::~TaskRunner() = default;

int TaskRunner::run(const Callbacks& callbacks) {
  Clock::time_point last_tick{};
  for (bool more = true; more || !running_.empty();) {
    while (more && running_.size() < jobs_ && !group_.interrupted()) {
      auto task = callbacks.next();
      if (!(more = task.has_value())) break;
      if (task->corun_folder.empty()) task->corun_folder = corun_folder_.path().string();
      const SweepTask kept = *task;
      if (task->is_corun() && preparations_ == Preparations::in_this_process) {
        CorunEnd end = run_corun(*task);
        if (end.interrupted) return end.interrupted;
        callbacks.finished(kept, std::move(end.record));
        continue;
      }
      try {
        if (const int signal = start(std::move(*task))) return signal;
      } catch (const ProgramFailure& failure) {  // of an earlier run that the scheduler needs
        RunRecord record{
            RunStatus::failed, failure.what(), 1, host_name(), utc_now(), 0, 0, 0, {}, {}};
        callbacks.finished(kept, std::move(record));
      }
    }
    if (group_.interrupted()) more = false;
    if (running_.empty()) continue;
    const bool limited = std::any_of(running_.begin(), running_.end(), [](const auto& one) {
      const HostLimits& limits = one.second->task.limits;
      return limits.seconds > 0 || limits.memory_bytes > 0;
    });
    if (const auto ended = group_.wait_any_for(limited ? kLimitTick : kTick)) {
      const std::unique_ptr<Running> run = std::move(running_.at(ended->pid));
      running_.erase(ended->pid);
      if (!group_.interrupted()) callbacks.finished(run->task, record_of(*run, *ended));
    }
    enforce_limits();
    if (callbacks.tick && Clock::now() - last_tick >= kTick) {
      last_tick = Clock::now();
      std::vector<std::pair<std::string, double>> now;
      for (const auto& [pid, run] : running_) now.emplace_back(run->task.key, run->seconds());
      callbacks.tick(now);
    }
  }
  return group_.interrupted();
}

int TaskRunner::start(SweepTask task) {
  auto running = std::make_unique<Running>();
  running->task = std::move(task);
  RunRequest request = running->task.request();
  const bool corun = running->task.is_corun();
  ChildCommand command;
  const bool sample = running->task.identity.sample;
  if ((corun || sample || needs_earlier_run(request)) &&
      preparations_ == Preparations::in_a_child) {
    command = worker_command(running->task, running->folder);
  } else {
    if (needs_earlier_run(request)) {
      running->preparation = std::make_unique<Preparation>(request, std::vector{request.scheduler},
                                                           1, ReportProgress());
      if (running->preparation->interrupted()) return running->preparation->interrupted();
      request.scheduler = running->preparation->policies()[0];
    }
    if (sample)
      if (const int interrupted = plan_sample(request).interrupted) return interrupted;
    running->run = std::make_unique<PreparedRun>(request);
    command = running->run->command(running->folder);
  }
  command.input = StandardInput::open_empty();  // an input is no part of a run's identity
  command.stdout_path = running->folder.file("stdout");
  command.stderr_path = running->folder.file("stderr");
  const pid_t pid = group_.start(command);
  running_.emplace(pid, std::move(running));
  return 0;
}

void TaskRunner::enforce_limits() {
  for (const auto& [pid, run] : running_) {
    const HostLimits& limits = run->task.limits;
    if (limits.seconds > 0 && run->seconds() > limits.seconds)
      run->exceeded = RunStatus::time_limit;
    else if (limits.memory_bytes > 0 && resident_bytes(pid) > limits.memory_bytes)
      run->exceeded = RunStatus::memory_limit;
    if (run->exceeded) group_.kill_child(pid);
  }
}

RunRecord TaskRunner::record_of(const Running& run, const ProcessGroup::Ended& ended) {
  RunRecord record;
  if (!run.run && !run.exceeded) {
    if (auto result = read_result(run.folder.file("."), run.task.key)) return std::move(*result);
    record.status = RunStatus::killed;
    record.problem = "the process that prepares it ended with " + describe(ended.ending);
  }
  record.host = host_name();
  record.started = run.started;
  record.wall_seconds = run.seconds();
  record.user_seconds = ended.use.user_seconds;
  record.peak_memory_bytes = ended.use.peak_memory_bytes;
  record.exit_code =
      ended.ending.signal ? kKilledBySignal + ended.ending.signal : ended.ending.exit_code;
  if (run.exceeded) {
    record.status = *run.exceeded;
    const HostLimits& limits = run.task.limits;
    record.problem = record.status == RunStatus::time_limit
                         ? fmt::format("it ran longer than its limit of {:g} s", limits.seconds)
                         : fmt::format("it used more memory than its limit of {} MiB",
                                       limits.memory_bytes >> 20);
    return record;
  }
  if (!run.run) return record;
  RunOutcome outcome = gather(*run.run, run.folder, ended);
  if (outcome.usable()) outcome.problem = missing_processes(outcome);
  record.status = status_of(outcome);
  if (record.status == RunStatus::completed) {
    check_configuration(run.task.identity, outcome.results);
    record.results = kept_results(outcome.results);
    const RunRequest& request = run.task.identity.run;
    if (request.watch.details) record.run_json = config::json_text(outcome.results);
    if (request.timed.range != config::LaunchRange())
      record.run_json = part_record(run.folder.file(kResultFile), run.run->spec().gpu);
  } else {
    record.problem =
        outcome.usable() ? "the program ended with " + describe(ended.ending) : outcome.problem;
    record.exit_code = outcome.exit_code();
  }
  return record;
}

}  // namespace heddle::lab
