#include "lab/sweep/task_queue.h"
#include "config/json_text.h"

namespace heddle::lab {

using nlohmann::ordered_json;

void TaskQueue::clear_waiting() {
  database_.execute("DELETE FROM queue WHERE submission IS NULL OR submission = 'local'");
}

void TaskQueue::add(const SweepTask& task, std::optional<double> expected_seconds) {
  Statement(database_, "INSERT OR IGNORE INTO queue VALUES(?, ?, 0, NULL, ?)")
      .bind(task.key, expected_seconds, config::kept_json_text(ordered_json(task)))
      .run();
}

std::optional<QueuedTask> TaskQueue::take_longest(const std::string& submission) {
  Statement longest(database_,
                    "SELECT request, expected_seconds FROM queue WHERE submission IS NULL "
                    "ORDER BY IFNULL(expected_seconds, 1e9) DESC LIMIT 1");
  if (!longest.step()) return {};
  QueuedTask taken{config::read_kept_json<ordered_json>(longest.text(0)).get<SweepTask>(), {}};
  if (!longest.is_null(1)) taken.expected_seconds = longest.real(1);
  Statement(database_, "UPDATE queue SET submission = ? WHERE run_key = ?")
      .bind(submission, taken.task.key)
      .run();
  return taken;
}

int TaskQueue::put_back(const std::string& key, bool killed) {
  Statement update(database_,
                   "UPDATE queue SET submission = NULL, attempts = attempts + ? "
                   "WHERE run_key = ? RETURNING attempts");
  update.bind(killed ? 1 : 0, key);
  int attempts = 0;
  while (update.step()) attempts = static_cast<int>(update.integer(0));
  return attempts;
}

std::size_t TaskQueue::size() {
  Statement count(database_, "SELECT COUNT(*) FROM queue");
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

std::size_t TaskQueue::waiting() {
  Statement count(database_, "SELECT COUNT(*) FROM queue WHERE submission IS NULL");
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

}  // namespace heddle::lab
