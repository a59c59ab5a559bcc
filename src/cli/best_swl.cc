// heddle best-swl
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/best_limits.h"

namespace heddle::cli {

void add_best_swl(CLI::App& app, Action& action) {
  struct Options : RunOptions {
    std::string scheduler = "swl", limits;
    int jobs = 0;
  };
  CLI::App* verb =
      app.add_subcommand("best-swl", "find the best static limit of running warps for each kernel");
  auto options = std::make_shared<Options>();
  add_run_options(*verb, *options);
  verb->get_option("--out")
      ->description("write the limits there, for --scheduler swl:best=FILE")
      ->type_name("FILE");
  verb->add_option("-s,--scheduler", options->scheduler, "policy whose limiter swl is tried")
      ->type_name("POLICY")
      ->capture_default_str();
  verb->add_option("--limits", options->limits, "limits to try, such as 1-8,16,32; all by default")
      ->type_name("LIST");
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->footer(
      "Runs the program once per limit and picks the limit with the fewest cycles for each kernel "
      "and grid.\n"
      "What is searched with one input may be measured with another.\n\n"
      "  heddle best-swl -o kmeans.toml ./kmeans 20\n"
      "  heddle run --scheduler swl:best=kmeans.toml ./kmeans 34\n"
      "  heddle compare --schedulers gto,swl:best,daws ./kmeans 34   searches by itself");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      const lab::RunRequest request = request_of(*verb, *options);
      const auto limits = options->limits.empty() ? lab::all_limits(request)
                                                  : lab::parse_limits(options->limits, request);
      return lab::find_best_limits(request, options->scheduler, limits, options->jobs, options->out,
                                   options->quiet);
    };
  });
}

}  // namespace heddle::cli
