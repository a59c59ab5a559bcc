// The list of built originals in their folder, and their use in place of Heddle's programs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/originals/build.h"
#include "lab/study.h"

namespace heddle::lab {

// originals.json beside the executables. Programs of earlier builds stay in it.
void write_manifest(const SuiteBuild& build);

// Is the folder one of a suite that was built?
bool has_manifest(const std::string& folder);

struct Original {
  std::string suite, name, ours;                              // ours: "rodinia/pathfinder"
  std::string executable;                                     // absolute path
  std::map<std::string, std::vector<std::string>> arguments;  // by size
};

// Does the folder have suites that `heddle suite build` built?
bool has_originals(const std::string& folder);
// The originals of all suites in the folder whose executables exist. Throws UserError for a list
// that cannot be read.
std::vector<Original> read_originals(const std::string& folder);

struct Substitution {
  std::string workload, original;  // "PATH", "rodinia/pathfinder"; original: empty for ours
};
// Programs of the study run as originals where one stands for them and has arguments of the size:
// those of its recipe, or at size small those that the case gives for an original.
// Returns what each workload runs. The study gets a name of its own.
std::vector<Substitution> use_originals(Study& study, const std::vector<Original>& originals,
                                        const std::string& size);

}  // namespace heddle::lab
