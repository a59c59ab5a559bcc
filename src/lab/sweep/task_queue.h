// The runs that a sweep still has to do: the table `queue` of its store, so that a study's size
// does not cost memory.
#pragma once

#include <optional>
#include <string>

#include "lab/store/database.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

struct QueuedTask {
  SweepTask task;
  std::optional<double> expected_seconds;
};

class TaskQueue {
 public:
  static constexpr const char* kLocal = "local";

  explicit TaskQueue(Database& database) : database_(database) {}

  // Forgets the runs that wait, and those of a local sweep that was killed.
  void clear_waiting();
  void add(const SweepTask& task, std::optional<double> expected_seconds);
  // The waiting run with the longest expected time, unknown ones first. It then belongs to
  // `submission`.
  std::optional<QueuedTask> take_longest(const std::string& submission);
  // It waits again; returns how often it was killed, including this time when `killed`.
  int put_back(const std::string& key, bool killed);
  std::size_t size();
  std::size_t waiting();

 private:
  Database& database_;
};

}  // namespace heddle::lab
