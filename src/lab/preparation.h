// Policies that go by what earlier runs of the program found out: swl:best by the best limit of
// each kernel, daws-profiled by a classification of loads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/compare.h"

namespace heddle::lab {

// Whether the request's scheduler goes by an earlier run and names no file. UserError when the
// scheduler is unknown.
bool needs_earlier_run(const RunRequest& request);

using Say = std::function<void(const std::string&)>;

class Preparation {
 public:
  // Makes the runs that are needed, with the request's program. UserError when one of them fails.
  Preparation(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
              const Say& say);

  // As the schedulers, in their order, with files in place of what was asked for.
  const std::vector<std::string>& policies() const { return policies_; }
  const std::vector<PreparedFile>& files() const { return files_; }
  int interrupted() const { return interrupted_; }  // the signal that ended it early

 private:
  std::string prepared(const std::string& scheduler);
  std::string keep(const std::string& stem, const std::string& text);

  bool lacks_something(const std::string& policy) const;

  const RunRequest& request_;
  int jobs_;
  const Say& say_;
  TemporaryFolder folder_;
  std::vector<std::string> policies_;
  std::vector<PreparedFile> files_;
  std::string profile_;  // path, once made
  int interrupted_ = 0;
};

}  // namespace heddle::lab
