// Job arrays that are not known to have ended: the table `submissions`, and their folders.
#pragma once

#include <string>
#include <vector>

#include "lab/store/store_writer.h"
#include "lab/sweep/task_queue.h"

namespace heddle::lab {

inline constexpr const char* kCancelledFile = "cancelled";  // in the folder of a submission

struct Submission {
  std::string name, folder;
  bool own = false;  // the folder carries the mark of this submission and this store
};

// What the store says, which is not known to be true of submissions that are not own.
std::vector<Submission> read_submissions(Database& database);
// Submissions that are not own, and their places in the queue, are removed from the store. Their
// folders and jobs are left alone.
std::vector<Submission> forget_foreign_submissions(StoreWriter& store);

struct ImportedRuns {
  std::size_t runs = 0, failed = 0;  // failed: of the runs, without results
};

struct EndedSubmission {
  ImportedRuns imported;
  std::size_t lost = 0;        // runs that a worker had started, without a result
  bool never_started = false;  // Slurm accepted the job, and no worker started a run
  std::string log;             // the first line that a worker printed, when never_started
};

class Submissions {
 public:
  // attempts: after which a run that is killed counts as failed.
  Submissions(StoreWriter& store, int attempts);

  std::vector<Submission> list();  // own ones
  std::vector<std::string> names();
  // Slurm has said that it has the job.
  static void confirm(const Submission& one);
  static bool is_confirmed(const Submission& one);
  bool cancelled();  // whether heddle sweep cancel has cancelled one, also one that has ended
  // Writes all waiting runs into a new folder below `parent`. They belong to the submission.
  Submission add(const std::string& study, const std::string& parent, std::size_t tasks);
  // Brings the results of a submission into the store. A result is marked as done after the store
  // has it on the disk.
  ImportedRuns import(const Submission& one);
  // The job has ended: imports, lets the other runs wait again, and removes the folder.
  EndedSubmission finish(const Submission& one);
  // Removes folders of submissions of this store that a killed sweep did not complete.
  void remove_strays(const std::string& parent);
  // Removes the folder of the submissions' folders if a sweep has made it and it holds none.
  static void remove_empty_folder(const std::string& parent);

 private:
  StoreWriter& store_;
  TaskQueue queue_;
  int attempts_;
  bool cancelled_ = false;
};

}  // namespace heddle::lab
