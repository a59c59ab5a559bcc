#include "lab/sweep/submissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/marked_folder.h"
#include "base/text_bytes.h"
#include "config/json_text.h"
#include "lab/preparation.h"
#include "lab/store/clock.h"
#include "lab/sweep/local_executor.h"
#include "lab/sweep/worker.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Results that are brought into the store before they are made durable.
constexpr std::size_t kBatch = 500;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

// The end of the names of a store's submissions. Folders of submissions that the store does not
// know are found by it, also when a sweep was killed while it made or removed one.
std::string owner_suffix(const Database& database) {
  return "-" + content_hash(absolute(database.path())).substr(0, 8);
}

// What the mark of a submission's folder says (base/marked_folder.h).
std::string purpose_of(const std::string& submission, const std::string& store) {
  return "submission " + submission + " of " + encode_bytes(absolute(store));
}

constexpr const char* kConfirmed = "/submitted";  // in the folder of a submission

// Of the folder that holds the folders of submissions, when a sweep has made it.
constexpr const char* kFolderPurpose = "folder of submissions";

std::string first_log_line(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder + "/log", ignored)) {
    const std::string text = read_file(entry.path().string());
    if (!text.empty()) return text.substr(0, text.find('\n'));
  }
  return {};
}

}  // namespace

Submissions::Submissions(StoreWriter& store, int attempts)
    : store_(store), queue_(store.database()), attempts_(attempts) {}

std::vector<Submission> read_submissions(Database& database) {
  std::vector<Submission> all;
  Statement rows(database, "SELECT name, folder FROM submissions ORDER BY submitted, name");
  while (rows.step()) {
    Submission one{rows.text(0), rows.text(1), false};
    one.own = is_marked_folder(one.folder, purpose_of(one.name, database.path()));
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Submission> forget_foreign_submissions(StoreWriter& store) {
  std::vector<Submission> foreign = read_submissions(store.database());
  std::erase_if(foreign, [](const Submission& one) { return one.own; });
  Transaction transaction(store.database());
  for (const Submission& one : foreign)
    Statement(store.database(), "DELETE FROM submissions WHERE name = ?").bind(one.name).run();
  // The plan queues their runs again, as this study has them.
  store.database().execute(
      "DELETE FROM queue WHERE submission IS NOT NULL AND submission <> 'local' AND "
      "submission NOT IN (SELECT name FROM submissions)");
  transaction.commit();
  return foreign;
}

std::vector<Submission> Submissions::list() {
  std::vector<Submission> own = read_submissions(store_.database());
  std::erase_if(own, [](const Submission& one) { return !one.own; });
  return own;
}

std::vector<std::string> Submissions::names() {
  std::vector<std::string> names;
  for (const Submission& one : list()) names.push_back(one.name);
  return names;
}

void Submissions::confirm(const Submission& one) {
  if (!is_confirmed(one)) write_file_atomically(one.folder + kConfirmed, "");
}

bool Submissions::is_confirmed(const Submission& one) {
  return fs::exists(one.folder + kConfirmed);
}

bool Submissions::cancelled() {
  for (const Submission& one : list())
    cancelled_ = cancelled_ || fs::exists(one.folder + "/" + kCancelledFile);
  return cancelled_;
}

Submission Submissions::add(const std::string& study, const std::string& parent,
                            std::size_t tasks) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Submission one;
  Database& database = store_.database();
  one.own = true;
  one.name = fmt::format("heddle-{}-{:x}{}", file_name_of(study),
                         std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
                         owner_suffix(database));
  one.folder = parent + "/" + one.name;
  std::error_code failed;
  const bool is_new = fs::create_directories(parent, failed);
  if (!failed) fs::create_directories(one.folder + "/log", failed);
  if (failed) throw UserError("cannot create the folder " + one.folder + ": " + failed.message());
  if (is_new) mark_folder(parent, kFolderPurpose);
  mark_folder(one.folder, purpose_of(one.name, database.path()));
  Transaction transaction(database);
  {
    std::ofstream file(one.folder + "/" + kTaskFile);
    Statement rows(database,
                   "SELECT request FROM queue WHERE submission IS NULL "
                   "ORDER BY IFNULL(expected_seconds, 1e9) DESC");
    while (rows.step()) file << rows.text(0) << "\n";
    file.close();
    if (!file)
      throw UserError("cannot write " + one.folder + "/" + kTaskFile + "; is the disk full?");
  }
  Statement(database,
            "INSERT INTO submissions(name, study_id, folder, tasks, submitted) "
            "SELECT ?, id, ?, ?, ? FROM studies WHERE name = ?")
      .bind(one.name, one.folder, tasks, utc_now(), study)
      .run();
  Statement(database, "UPDATE queue SET submission = ? WHERE submission IS NULL")
      .bind(one.name)
      .run();
  transaction.commit();
  return one;
}

ImportedRuns Submissions::import(const Submission& one) {
  ImportedRuns imported;
  std::vector<fs::path> batch;
  const auto mark_done = [&] {
    if (batch.empty()) return;
    store_.synchronize();
    for (const fs::path& path : batch) {
      std::error_code failed;
      fs::rename(path, fs::path(path).replace_extension(".done"), failed);
      if (failed) throw UserError("cannot rename " + path.string() + ": " + failed.message());
    }
    batch.clear();
  };
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(one.folder, missing)) {
    if (entry.path().extension() != ".json") continue;
    const std::optional<WrittenResult> result = read_result_file(entry.path().string());
    if (!result) {
      // A failing disk can damage a file; its run is missing and is submitted again.
      fs::remove(entry.path());
      continue;
    }
    store_.put_run(result->task, result->record);
    ++imported.runs;
    if (result->record.status != RunStatus::completed) ++imported.failed;
    batch.push_back(entry.path());
    if (batch.size() == kBatch) mark_done();
  }
  mark_done();
  return imported;
}

EndedSubmission Submissions::finish(const Submission& one) {
  cancelled_ = cancelled_ || fs::exists(one.folder + "/" + kCancelledFile);
  EndedSubmission ended{import(one), 0, false, {}};
  bool started = false;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(one.folder, missing))
    started = started || entry.path().extension() == ".started";
  ended.never_started = !started && !cancelled_ && is_confirmed(one);
  if (ended.never_started) ended.log = first_log_line(one.folder);
  std::vector<SweepTask> unfinished;
  {
    Statement rows(store_.database(), "SELECT request FROM queue WHERE submission = ?");
    rows.bind(one.name);
    while (rows.step())
      unfinished.push_back(config::read_kept_json<ordered_json>(rows.text(0)).get<SweepTask>());
  }
  for (const SweepTask& task : unfinished) {
    const bool killed = fs::exists(one.folder + "/" + task.key + ".started") && !cancelled_;
    ended.lost += killed;
    const int attempts = queue_.put_back(task.key, killed);
    if (attempts < attempts_) continue;
    RunRecord record;
    record.exit_code = kKilledBySignal + SIGKILL;
    record.started = utc_now();
    store_.put_run(task, killed_too_often(record, attempts));
    ++ended.imported.runs;
    ++ended.imported.failed;
  }
  Statement(store_.database(), "DELETE FROM submissions WHERE name = ?").bind(one.name).run();
  remove_marked_folder(one.folder, purpose_of(one.name, store_.database().path()));
  return ended;
}

void Submissions::remove_strays(const std::string& parent) {
  const std::vector<std::string> known = names();
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(parent, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("heddle-") && name.ends_with(owner_suffix(store_.database())) &&
        std::find(known.begin(), known.end(), name) == known.end())
      remove_marked_folder(entry.path(), purpose_of(name, store_.database().path()));
  }
}

void Submissions::remove_empty_folder(const std::string& parent) {
  std::error_code failed;
  const auto entries = std::distance(fs::directory_iterator(parent, failed), {});
  if (!failed && entries == 1) remove_marked_folder(parent, kFolderPurpose);  // the mark itself
}

}  // namespace heddle::lab
