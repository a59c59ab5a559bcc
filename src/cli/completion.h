// Completion scripts for shells, from the description of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_description.h"

namespace heddle::cli {

// What the values of options are completed with.
struct CompletionNames {
  std::vector<std::string> gpus, schedulers, cta_schedulers, shares, papers, suites, parameters;
};

// Completes verbs, options, values of options, and files.
std::string bash_completion(const CommandDescription& heddle, const CompletionNames& names);
std::string zsh_completion(const CommandDescription& heddle, const CompletionNames& names);

}  // namespace heddle::cli
