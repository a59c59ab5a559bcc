// heddle run
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/simulate.h"

namespace heddle::cli {

void add_run(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("run", "run a CUDA program on a simulated GPU");
  auto options = std::make_shared<RunOptions>();
  add_run_options(*verb, *options);
  verb->add_option("-s,--scheduler", options->request.scheduler, "warp scheduler and its parameters (heddle list schedulers); the GPU's own by default")
      ->type_name("POLICY");
  verb->add_flag("-f,--functional", options->request.functional, "compute only, without timing");
  verb->footer(
      "The program keeps its standard output and its exit code; Heddle's summary goes to standard error.\n"
      "--out DIR writes DIR/run.json: totals, every kernel launch, the effective configuration.\n\n"
      "  heddle run ./kmeans 34\n"
      "  heddle run --gpu gtx480 --scheduler gto --set sm.l1d.size=32KiB --set sm.l1d.ways=8 ./kmeans 34\n"
      "  heddle run --functional ./kmeans 34\n"
      "  heddle run --registers sgemm=60 --out results ./sgemm 256");
  verb->callback([verb, options, &action] {
    action = [verb, options] { return lab::simulate(request_of(*verb, *options), options->out, options->quiet); };
  });
}

}  // namespace heddle::cli
