// heddle list
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/verbs.h"
#include "lab/listing.h"
#include "ptx/forms/forms.h"

namespace heddle::cli {

void add_list(CLI::App& app, Action& action) {
  struct Options {
    std::string gpu = "gtx480", pattern;
    std::vector<std::string> plugins;
  };
  CLI::App* verb = app.add_subcommand(
      "list", "list what there is: schedulers, gpus, workloads, stats, parameters, ptx");
  verb->callback([verb] {
    if (verb->get_subcommands().empty())
      throw UserError("list what? schedulers, gpus, workloads, stats, parameters or ptx");
  });
  verb->footer("  heddle list schedulers\n  heddle list parameters --gpu ipaws l1d");
  auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* meaning, auto text) {
    CLI::App* noun = verb->add_subcommand(name, meaning);
    noun->add_option("PATTERN", options->pattern, "only rows that hold this text");
    if (std::string(name) == "parameters")
      noun->add_option("-g,--gpu", options->gpu, "whose values")
          ->type_name("NAME")
          ->capture_default_str();
    if (std::string(name) == "schedulers")
      noun->add_option("--plugin", options->plugins,
                       "shared object with schedulers of your own; may be repeated")
          ->type_name("FILE")
          ->allow_extra_args(false);
    noun->callback([options, text, &action] {
      action = [options, text] {
        std::cout << text(*options);
        return 0;
      };
    });
  };
  add("schedulers", "warp schedulers and their parameters",
      [](const Options& o) { return lab::schedulers_text(o.pattern, o.plugins); });
  add("gpus", "simulated GPUs", [](const Options& o) { return lab::gpus_text(o.pattern); });
  add("workloads", "CUDA programs that come with Heddle",
      [](const Options& o) { return lab::workloads_text(o.pattern); });
  add("stats", "statistics of run.json",
      [](const Options& o) { return lab::stats_text(o.pattern); });
  add("ptx", "PTX instructions that are accepted",
      [](const Options& o) { return ptx::forms_text(o.pattern); });
  add("parameters", "parameters of a GPU",
      [](const Options& o) { return lab::parameters_text(o.gpu, o.pattern); });
}

}  // namespace heddle::cli
