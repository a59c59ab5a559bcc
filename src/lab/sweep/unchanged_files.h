// Files that determine results. A sweep computes their hashes when it plans its runs; a result that
// another content gave would be kept under the wrong key.
#pragma once

#include <sys/stat.h>

#include <map>
#include <string>

#include "lab/store/run_record.h"

namespace heddle::lab {

class UnchangedFiles {
 public:
  explicit UnchangedFiles(std::string runtime_library)
      : runtime_library_(std::move(runtime_library)) {}

  // Throws UserError when the simulator, the program or a plug-in has not the content for which the
  // task was planned.
  void check(const SweepTask& task);

 private:
  struct Content {
    struct stat facts;
    std::string hash;
  };
  void check(const char* what, const std::string& path, const std::string& hash);

  std::string runtime_library_;
  std::map<std::string, Content> contents_;  // by path; read again when the facts have changed
};

}  // namespace heddle::lab
