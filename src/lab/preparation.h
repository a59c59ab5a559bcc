// Inputs of policies that need earlier runs of the program: swl:best uses the best limit of the
// program, swl:best_per_kernel that of each kernel, daws-profiled a classification of loads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lab/compare.h"

namespace heddle::lab {

// Does the request's scheduler need an earlier run, because it names no file? Throws UserError when
// the scheduler is unknown.
bool needs_earlier_run(const RunRequest& request);

class Preparation {
 public:
  // Runs the request's program as often as needed. Throws ProgramFailure when a run fails.
  Preparation(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
              const ReportProgress& report_progress);

  // The schedulers in their order, with the missing files filled in.
  const std::vector<std::string>& policies() const { return policies_; }
  const std::vector<PreparedFile>& files() const { return files_; }
  int interrupted() const { return interrupted_; }  // the signal that ended it early

 private:
  std::string with_inputs(const std::string& scheduler);
  std::string keep_file(const std::string& stem, const std::string& text);

  bool lacks_input(const std::string& policy) const;

  const RunRequest& request_;
  int jobs_;
  const ReportProgress& report_progress_;
  TemporaryFolder folder_;
  std::vector<std::string> policies_;
  std::vector<PreparedFile> files_;
  std::string profile_;  // path; empty until it is made
  // Paths of limits, by the policy with limit 1.
  std::map<std::string, std::string> limits_;
  int interrupted_ = 0;
};

// The preparations of pairs of warp and CTA schedulers (scheduler_pair.h), one for each CTA
// scheduler.
class Preparations {
 public:
  Preparations(const RunRequest& request, const std::vector<std::string>& pairs, int jobs,
               const ReportProgress& report_progress);

  // The names of the pairs in their order, with the missing files filled in.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<PreparedFile>& files() const { return files_; }
  int interrupted() const { return interrupted_; }

 private:
  std::map<std::string, RunRequest> requests_;  // by CTA scheduler
  std::map<std::string, std::unique_ptr<Preparation>> preparations_;
  std::vector<std::string> names_;
  std::vector<PreparedFile> files_;
  int interrupted_ = 0;
};

// A policy or a run's name as the name of a file: other characters than letters, digits and -.=+
// become underscores.
std::string file_name_of(std::string name);

}  // namespace heddle::lab
