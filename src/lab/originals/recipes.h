// How the original programs of a benchmark suite are compiled, as data. The format of
// workloads/originals/SUITE.toml:
//
//   title = "Rodinia 3.1"
//   marks = ["cuda/backprop/backprop_cuda.cu"]   # files that every checkout has
//   options = ["-w"]                             # of heddle cc, for every program
//   [[program]]
//   name = "pathfinder"
//   folder = "cuda/pathfinder"         # of the sources, in the checkout; the compiler runs there
//   sources = ["pathfinder.cu"]
//   options = ["-I../util"]            # {from}: the checkout
//   ours = "rodinia/pathfinder"        # the program of Heddle's catalogue with this algorithm
//   small = ["1000", "100", "20"]      # arguments; {from}: the checkout. tiny and paper likewise
//   note = "..."                       # what a reader must know
//   unsupported = "..."                # why it is not built; then nothing else is required
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::lab {

struct OriginalRecipe {
  std::string name, folder, ours, note, unsupported;
  std::vector<std::string> sources, options;
  std::map<std::string, std::vector<std::string>> arguments;  // by size
};

struct SuiteRecipe {
  std::string name, title;  // name: of the file
  std::vector<std::string> marks, options;
  std::vector<OriginalRecipe> programs;
};

// The folder of Heddle's recipes.
std::string recipes_folder();
// The names of the suites in a folder of recipes. Sorted.
std::vector<std::string> list_suites(const std::string& recipes);
// Throws UserError, with file and line, for a file that is not as above.
SuiteRecipe read_suite(const std::string& recipes, const std::string& name);

// The text with the checkout's path in place of {from}.
std::string with_checkout(std::string text, const std::string& from);

}  // namespace heddle::lab
