// The verbs of the command line. Each declares its options, calls the lab and prints its results.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

// What to do once the command line has been read; returns the exit code.
using Action = std::function<int()>;

#define HEDDLE_VERB(name) void add_##name(CLI::App& app, Action& action);
#include "cli/verbs.inc"
#undef HEDDLE_VERB
void add_cc(CLI::App& app);  // for --help only: run_cc() reads its arguments

int run_cc(const std::vector<std::string>& arguments);

}  // namespace heddle::cli
