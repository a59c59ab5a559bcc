// What `heddle run` and `heddle compare` do, from request to exit code: the program's output on standard output, Heddle's words on
// standard error, results in a folder.
#pragma once

#include <string>
#include <vector>

#include "lab/run.h"

namespace heddle::lab {

int simulate(const RunRequest& request, const std::string& out_folder, bool quiet);
int simulate_all(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs, const std::string& out_folder, bool quiet);

}  // namespace heddle::lab
