#include "lab/sweep/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/executable.h"
#include "base/library_errors.h"
#include "config/json_text.h"
#include "lab/installation.h"
#include "lab/sweep/task_runner.h"
#include "lab/sweep/unchanged_files.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// The tasks of one worker, read line by line.
class TaskLines {
 public:
  TaskLines(const std::string& folder, std::size_t part, std::size_t parts)
      : folder_(folder), file_(folder + "/" + kTaskFile), part_(part), parts_(parts) {}

  std::optional<SweepTask> next() {
    for (std::string line; std::getline(file_, line); ++line_) {
      if (line_ % parts_ != part_) continue;
      auto task = config::read_kept_json<ordered_json>(line).get<SweepTask>();
      if (fs::exists(result_path(folder_, task.key)) ||
          fs::exists(folder_ + "/" + task.key + ".done"))
        continue;
      ++line_;
      return task;
    }
    return {};
  }

 private:
  std::string folder_;
  std::ifstream file_;
  std::size_t part_, parts_, line_ = 0;
};

}  // namespace

int run_worker(const std::string& folder, std::size_t part, std::size_t parts, int jobs) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // a worker whose sweep or job step was killed ends too
  TaskLines lines(folder, part, parts);
  TaskRunner runner(jobs, TaskRunner::Preparations::in_this_process);
  UnchangedFiles files(runtime_library());
  const auto next = [&] {
    auto task = lines.next();
    if (!task) return task;
    files.check(*task);
    write_file_atomically(folder + "/" + task->key + ".started", "");
    return task;
  };
  const auto finished = [&](const SweepTask& task, const RunRecord& record) {
    files.check(task);
    if (record.status != RunStatus::killed) write_result(folder, task, record);
  };
  return runner.run({next, finished, {}});
}

ChildCommand worker_command(const SweepTask& task, const TemporaryFolder& folder) {
  write_file_atomically(folder.file(kTaskFile), config::kept_json_text(ordered_json(task)) + "\n");
  return {{executable_path().string(), "sweep", "worker", folder.file(".")}, {}, {}, {}};
}

std::string result_path(const std::string& folder, const std::string& key) {
  return folder + "/" + key + ".json";
}

void write_result(const std::string& folder, const SweepTask& task, const RunRecord& record) {
  write_file_atomically(result_path(folder, task.key),
                        config::kept_json_text(ordered_json{{"task", task}, {"record", record}}));
}

std::optional<WrittenResult> read_result_file(const std::string& path) {
  const ordered_json json = ordered_json::parse(read_file(path), nullptr, false);
  if (!json.is_object() || !json.contains("task") || !json.contains("record")) return {};
  const InputScope scope(path);
  const ordered_json result = config::with_texts(json, decode_bytes);
  return WrittenResult{result["task"].get<SweepTask>(), result["record"].get<RunRecord>()};
}

std::optional<RunRecord> read_result(const std::string& folder, const std::string& key) {
  const std::optional<WrittenResult> result = read_result_file(result_path(folder, key));
  if (!result) return {};
  return result->record;
}

}  // namespace heddle::lab
