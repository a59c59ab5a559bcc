// heddle check
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <iostream>
#include <memory>

#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/check.h"
#include "report/check_report.h"

namespace heddle::cli {
namespace {

struct CheckOptions : RunOptions {
  std::string tools;
};

int report_outcome(const CheckOptions& options, const lab::CheckOutcome& outcome) {
  if (!outcome.run.usable() && !outcome.run.reported)
    std::cerr << "heddle: error: " << outcome.run.problem << "\n";
  const nlohmann::ordered_json& check = outcome.run.check;
  if (!check.is_null() && !options.out.empty())
    lab::write_file_atomically(options.out + "/check.json", json_text(check));
  if (!check.is_null()) std::cerr << report::findings_text(check);
  if (!options.quiet && !check.is_null()) std::cerr << report::check_summary(check);
  if (!options.quiet || !outcome.run.lost_output.empty()) std::cerr << unusual_end(outcome.run);
  return outcome.exit_code();
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "check",
      "find illegal accesses, races, uninitialized memory and misused barriers in a program");
  auto options = std::make_shared<CheckOptions>();
  add_run_options(*verb, *options);
  for (const char* timed : {"--plugin", "--registers", "--seed", "--threads", "--force-threads",
                            "--share-always", "--plot"})
    verb->remove_option(verb->get_option(timed));
  verb->get_option("--out")->description("folder for check.json");
  verb->get_option("--quiet")->description("findings only: no progress and no summary");
  verb->add_option("-t,--tool", options->tools,
                   "what to look for: memory, races, init, barriers, separated by commas; all by "
                   "default")
      ->type_name("TOOL,...");
  verb->add_option("--limit", options->request.check.limit,
                   "maximum of different findings to report")
      ->type_name("N")
      ->capture_default_str();
  verb->add_flag(
      "--strict", options->request.check.strict,
      "also report what is common or harmless in practice (docs/check.md#what-is-found)");
  verb->add_flag("--leaks", options->request.check.leaks,
                 "also report device memory that is never freed");
  verb->footer(
      "The program runs functionally. The exit code is the program's when nothing is found, and 3 "
      "otherwise.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      if (!options->tools.empty()) lab::choose_tools(options->tools, request.check);
      request.progress = !options->quiet && isatty(STDERR_FILENO);
      if (!options->out.empty()) lab::require_writable_folder(options->out);
      return report_outcome(*options, lab::check(request));
    };
  });
}

}  // namespace heddle::cli
