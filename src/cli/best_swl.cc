// heddle best-swl
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/progress.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/best_limits.h"
#include "report/limits_report.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

struct BestSwlOptions : RunOptions {
  std::string scheduler = "swl", limits;
  int jobs = 0;
};

int find_best_limits(const lab::RunRequest& request, const BestSwlOptions& options) {
  const auto limits = options.limits.empty() ? lab::all_limits(request)
                                             : lab::parse_limits(options.limits, request);
  const lab::LimitSearch search = [&] {
    const ProgressLine progress(!options.quiet);
    return lab::search_limits(request, options.scheduler, limits, options.jobs,
                              [&](const std::string& text) { progress.show(text); });
  }();
  if (search.interrupted) {
    std::cerr << "heddle: error: interrupted; no results\n";
    return kKilledBySignal + search.interrupted;
  }
  std::cout << report::limits_report(search.limits, terminal_width(1, kWidePlainWidth))
            << std::flush;
  if (!options.out.empty()) {
    lab::write_file_atomically(options.out, search.limits.to_toml());
    if (!options.quiet)
      std::cerr << "heddle: limits in " << options.out
                << ", for --scheduler swl:best=" << options.out << "\n";
  }
  return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_best_swl(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("best-swl", "find the best static limit of running warps");
  auto options = std::make_shared<BestSwlOptions>();
  add_run_options(*verb, *options);
  verb->get_option("--out")
      ->description("write the limits there, for swl:best=FILE and swl:best_per_kernel=FILE")
      ->type_name("FILE");
  verb->add_option("-s,--scheduler", options->scheduler, "policy whose limiter swl is varied")
      ->type_name("POLICY")
      ->capture_default_str();
  add_cta_scheduler_option(*verb, *options);
  verb->add_option("--limits", options->limits, "limits to try, such as 1-8,16,32; all by default")
      ->type_name("LIST");
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->footer(
      "Runs the program once per limit and picks the limit with the fewest cycles, for the program "
      "and\n"
      "for each kernel and grid.\n"
      "A limit that was found with one input can be used with another.");
  verb->callback([verb, options, &action] {
    action = [verb, options] { return find_best_limits(request_of(*verb, *options), *options); };
  });
}

}  // namespace heddle::cli
