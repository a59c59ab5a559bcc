// A worker runs tasks that a file lists and writes each result into a file. Slurm starts workers;
// so does a local sweep for a run that needs earlier runs.
//
// A folder of tasks:  tasks.jsonl         one SweepTask a line
//                     KEY.started         a worker has started the run
//                     KEY.json            the result: {"task": ..., "record": ...}
//                     KEY.done            a result that is in the store
//                     log/                what the workers print
#pragma once

#include <optional>
#include <string>

#include "lab/process.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

inline constexpr const char* kTaskFile = "tasks.jsonl";

// Runs the tasks in line `part`, `part` + `parts`, ... of the folder, `jobs` at once; those that
// have a result are skipped. Returns the signal that interrupted it, or 0. A folder that is gone is
// no error: its runs were done, or cancelled.
int run_worker(const std::string& folder, std::size_t part, std::size_t parts, int jobs);

// Starts a worker for one task, whose result is then in `folder`.
ChildCommand worker_command(const SweepTask& task, const TemporaryFolder& folder);

std::string result_path(const std::string& folder, const std::string& key);
void write_result(const std::string& folder, const SweepTask& task, const RunRecord& record);
struct WrittenResult {
  SweepTask task;
  RunRecord record;
};
// Nothing when there is no result, or a damaged one.
std::optional<WrittenResult> read_result_file(const std::string& path);
std::optional<RunRecord> read_result(const std::string& folder, const std::string& key);

}  // namespace heddle::lab
