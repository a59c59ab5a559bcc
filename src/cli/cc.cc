// heddle cc
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "base/terminal.h"
#include "cli/examples.h"
#include "cli/verbs.h"
#include "cuda/compile/compile.h"
#include "report/wrapped_text.h"

namespace heddle::cli {

void add_cc(CLI::App& app) {
  app.add_subcommand("cc", "compile CUDA C++ with clang; no CUDA toolkit, no GPU");
}

int run_cc(const std::vector<std::string>& arguments) {
  const auto asks_help = [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  };
  if (arguments.empty() || std::any_of(arguments.begin(), arguments.end(), asks_help)) {
    std::cout << report::wrapped("Usage: heddle cc [OPTIONS] FILES...\n\n" + cuda::compile_help() +
                                     "\n" + examples_of("cc") + "\n",
                                 terminal_width(STDOUT_FILENO, 0));
    return arguments.empty() ? 2 : 0;
  }
  return cuda::compile(cuda::parse_arguments(arguments));
}

}  // namespace heddle::cli
