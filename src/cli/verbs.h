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

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_capture(CLI::App& app, Action& action);
void add_analyze(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_corun(CLI::App& app, Action& action);
void add_profile(CLI::App& app, Action& action);
void add_best_swl(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_results(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_suite(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_ptx(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);
void add_cc(CLI::App& app);  // for --help only: run_cc() reads its arguments

int run_cc(const std::vector<std::string>& arguments);

}  // namespace heddle::cli
