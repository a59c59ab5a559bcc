// The options of verbs whose runs are executed on several cores or on a cluster.
#pragma once

#include <string>

#include "lab/sweep.h"

namespace CLI {
class App;
}

namespace heddle::cli {

inline constexpr const char* kLocalExecutor = "local";
inline constexpr const char* kSlurmExecutor = "slurm";

// group: the heading of the options in the help of the verb; empty: that of all.
void add_executor_options(CLI::App& verb, lab::SweepOptions& options, std::string& executor,
                          const std::string& group = {});

}  // namespace heddle::cli
