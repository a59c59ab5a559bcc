// heddle profile
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/load_profile.h"
#include "report/load_profile_table.h"

namespace heddle::cli {
namespace {

int write_profile(const lab::RunRequest& request, const std::string& file, bool quiet) {
  if (request.functional) throw UserError("profile needs timing");
  return run_once(lab::with_details(request), "", true, [&](const lab::RunOutcome& outcome) {
    if (outcome.exit_code() != 0) {
      std::cerr << "heddle: error: the program ended with exit code " << outcome.exit_code()
                << "; no profile is written\n";
      return;
    }
    const sched::LoadProfile profile = lab::load_profile_of(outcome.results);
    lab::write_file_atomically(file, profile.to_toml());
    if (!quiet)
      std::cerr << report::load_profile_table(profile, terminal_width(2, kWidePlainWidth))
                << "heddle: profile in " << file
                << ", for --scheduler daws-profiled:profile=" << file << "\n";
  });
}

}  // namespace

void add_profile(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "profile", "classify the loads of a program's loops, for the scheduler daws-profiled");
  auto options = std::make_shared<RunOptions>();
  add_run_options(*verb, *options);
  verb->get_option("--out")->description("the file to write")->type_name("FILE");
  verb->add_option("-s,--scheduler", options->request.scheduler,
                   "warp scheduler of the profiling run")
      ->type_name("POLICY");
  add_cta_scheduler_option(*verb, *options);
  verb->footer("A profile of one input can be used with another input of the same program.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      const lab::RunRequest request = request_of(*verb, *options);
      if (options->out.empty())
        throw UserError("which file? heddle profile -o FILE PROGRAM [ARGUMENTS...]");
      return write_profile(request, options->out, options->quiet);
    };
  });
}

}  // namespace heddle::cli
