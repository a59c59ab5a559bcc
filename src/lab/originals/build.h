// Builds the programs of a suite from a user's checkout, with `heddle cc`. The checkout is only
// read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/originals/recipes.h"

namespace heddle::lab {

enum class OriginalState { built, failed, no_source, unsupported };

struct BuiltOriginal {
  OriginalRecipe recipe;
  OriginalState state = OriginalState::built;
  std::string problem;     // why it is not built: the first error with its place
  std::string log;         // file with all messages; empty when there are none
  std::string executable;  // absolute path
};

struct SuiteBuild {
  SuiteRecipe suite;
  std::string from, folder;  // absolute: the checkout; where executables and the list of them are
  std::vector<std::string> compiler;  // as in the options
  std::vector<BuiltOriginal> programs;
  int interrupted = 0;

  std::size_t count(OriginalState state) const;
};

struct SuiteBuildOptions {
  std::string from, out;              // the checkout; the folder that gets a folder for the suite
  std::vector<std::string> programs;  // names; empty: all
  std::vector<std::string> compiler;  // further options of heddle cc
  int jobs = 1;
};

// Called for each program when it is done. Throws UserError when `from` is no checkout of the suite
// and for unknown programs.
SuiteBuild build_suite(const SuiteRecipe& suite, const SuiteBuildOptions& options,
                       const std::function<void(const BuiltOriginal&)>& report);

}  // namespace heddle::lab
