// The options that run and compare share.
#pragma once

#include <string>
#include <vector>

#include "lab/run.h"

namespace CLI { class App; }

namespace heddle::cli {

struct RunOptions {
  lab::RunRequest request;
  std::vector<std::string> registers;
  std::string out;
  bool quiet = false;
};

// Adds them to a verb that takes PROGRAM ARGS... after its options.
void add_run_options(CLI::App& verb, RunOptions& options);
// The finished request. UserError on a word that is neither option nor program.
lab::RunRequest request_of(const CLI::App& verb, const RunOptions& options);

}  // namespace heddle::cli
