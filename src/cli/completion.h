// Completion scripts for shells, from the description of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_description.h"

namespace heddle::cli {

// A kind of value as --help writes it, and what it is completed with.
struct ValueKind {
  std::string name;
  std::vector<std::string> words;
};

// Completes verbs, options, values of options, and files. Choices that --help lists need no kind.
std::string bash_completion(const CommandDescription& heddle, const std::vector<ValueKind>& kinds);
std::string zsh_completion(const CommandDescription& heddle, const std::vector<ValueKind>& kinds);

}  // namespace heddle::cli
