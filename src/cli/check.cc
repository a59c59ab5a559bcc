// heddle check
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <iostream>
#include <memory>

#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/check.h"

namespace heddle::cli {
namespace {

struct CheckChoice : RunOptions {
  std::string tools;
};

int report(const CheckChoice& options, const lab::CheckOutcome& outcome) {
  if (!outcome.run.usable() && !outcome.run.told)
    std::cerr << "heddle: error: " << outcome.run.problem << "\n";
  if (!outcome.run.check.is_null() && !options.out.empty())
    lab::write_file_atomically(
        options.out + "/check.json",
        outcome.run.check.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
            "\n");
  std::cerr << outcome.text;
  if (!options.quiet) {
    std::cerr << outcome.summary;
    if (outcome.run.usable() && outcome.run.exit_code() != 0)
      std::cerr << "heddle: the program itself ended with exit code " << outcome.run.exit_code()
                << "\n";
  }
  return outcome.exit_code();
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "check",
      "look for illegal accesses, races, unwritten memory and misused barriers in a CUDA program");
  auto options = std::make_shared<CheckChoice>();
  add_run_options(*verb, *options);
  for (const char* timed :
       {"--plugin", "--registers", "--seed", "--threads", "--share-always", "--plot"})
    verb->remove_option(verb->get_option(timed));
  verb->get_option("--out")->description("folder for check.json");
  verb->get_option("--quiet")->description("findings only: no progress and no summary");
  verb->add_option("-t,--tool", options->tools,
                   "what to look for: memory, races, init, barriers, with commas between them; all "
                   "by default")
      ->type_name("NAMES");
  verb->add_option("--limit", options->request.check.limit, "how many different findings are told")
      ->type_name("N")
      ->capture_default_str();
  verb->add_flag("--strict", options->request.check.strict,
                 "also what is customary or harmless in practice (docs/check.md)");
  verb->add_flag("--leaks", options->request.check.leaks,
                 "also device memory that is not freed at the end");
  verb->footer(
      "The program runs without timing. Its exit code comes back when nothing is found; otherwise "
      "it is 3.\n\n"
      "  heddle check ./kmeans 34\n"
      "  heddle check --tool races,barriers --out found ./kmeans 34");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      if (!options->tools.empty()) lab::choose_tools(options->tools, request.check);
      request.progress = !options->quiet && isatty(STDERR_FILENO);
      if (!options->out.empty()) lab::require_writable_folder(options->out);
      return report(*options, lab::check(request));
    };
  });
}

}  // namespace heddle::cli
