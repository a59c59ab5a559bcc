// heddle profile
#include <CLI/CLI.hpp>

#include <memory>

#include "base/diagnostics.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/load_profile.h"

namespace heddle::cli {

void add_profile(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "profile", "classify the loads of a program's loops, for the scheduler daws-profiled");
  auto options = std::make_shared<RunOptions>();
  add_run_options(*verb, *options);
  verb->get_option("--out")->description("the file to write")->type_name("FILE");
  verb->add_option("-s,--scheduler", options->request.scheduler,
                   "warp scheduler of the profiling run")
      ->type_name("POLICY");
  verb->footer(
      "What is profiled with one input may be measured with another; the program must be the "
      "same.\n\n"
      "  heddle profile -o kmeans.toml ./kmeans 20\n"
      "  heddle compare --schedulers ccws,daws-profiled:profile=kmeans.toml,daws ./kmeans 34");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      const lab::RunRequest request = request_of(*verb, *options);
      if (options->out.empty())
        throw UserError("which file? heddle profile -o FILE PROGRAM [ARGUMENTS...]");
      return lab::write_profile(request, options->out, options->quiet);
    };
  });
}

}  // namespace heddle::cli
