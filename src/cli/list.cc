// heddle list
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "report/listing.h"

namespace heddle::cli {
namespace {

constexpr const char* kPapers = "ipaws, daws, kaws, ctamap, lfws";

}  // namespace

void add_list(CLI::App& app, Action& action) {
  struct Options {
    std::string gpu = "gtx480", pattern, paper;
    std::vector<std::string> plugins;
  };
  CLI::App* verb = app.add_subcommand(
      "list",
      "list schedulers, cta-schedulers, share-policies, replacement-policies, dram-schedulers, "
      "gpus, workloads, stats, parameters or ptx");
  verb->allow_extras();  // for a suggestion
  verb->callback([verb] {
    if (!verb->get_subcommands().empty()) return;
    if (verb->remaining_size() == 0) throw UserError("list what? (heddle list --help)");
    const std::string word = verb->remaining().front();
    std::vector<std::string> nouns;
    for (const CLI::App* noun : verb->get_subcommands({})) nouns.push_back(noun->get_name());
    throw UserError("cannot list '" + word + "'" + did_you_mean(word, nouns) +
                    " (heddle list --help)");
  });
  auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* kind, const char* meaning, auto text) {
    CLI::App* noun = verb->add_subcommand(name, meaning)->allow_extras(false);
    noun->add_option("PATTERN", options->pattern, "list only rows that contain this text")
        ->type_name(kind);
    if (std::string(name) == "parameters")
      noun->add_option("-g,--gpu", options->gpu, "GPU whose values are listed")
          ->type_name("GPU")
          ->capture_default_str();
    if (std::string(name) == "workloads")
      noun->add_option(
              "--paper", options->paper,
              std::string("list only the programs that this paper measures, and why: ") + kPapers)
          ->type_name("PAPER");
    if (std::string(name) == "schedulers" || std::string(name) == "cta-schedulers" ||
        std::string(name) == "share-policies" || std::string(name) == "stats")
      add_plugin_option(*noun, options->plugins,
                        "shared object with your own policies; may be repeated");
    noun->callback([options, text, name, &action] {
      action = [options, text, name] {
        // No row contains a line break, so this pattern gives the table without rows.
        Options nothing = *options;
        nothing.pattern = "\n";
        const std::string rows = text(*options);
        if (rows == text(nothing) && !options->paper.empty())
          throw UserError("no workload of paper \"" + options->paper + "\" contains \"" +
                          options->pattern + "\"; the papers are " + kPapers);
        if (rows == text(nothing))
          throw UserError("no row contains \"" + options->pattern + "\"; 'heddle list " + name +
                          "' prints all rows");
        std::cout << rows;
        return 0;
      };
    });
  };
  add("schedulers", "POLICY", "warp schedulers and their parameters",
      [](const Options& o) { return report::schedulers_text(o.pattern, o.plugins); });
  add("cta-schedulers", "CTA_POLICY", "CTA schedulers and their parameters",
      [](const Options& o) { return report::cta_schedulers_text(o.pattern, o.plugins); });
  add("share-policies", "SHARE_POLICY",
      "policies that divide SMs between kernels, and their parameters",
      [](const Options& o) { return report::share_policies_text(o.pattern, o.plugins); });
  add("replacement-policies", "REPLACEMENT_POLICY",
      "policies that choose the line of a set that a cache replaces",
      [](const Options& o) { return report::replacement_policies_text(o.pattern); });
  add("dram-schedulers", "DRAM_SCHEDULER", "policies that choose the next request of a DRAM bank",
      [](const Options& o) { return report::dram_schedulers_text(o.pattern); });
  add("gpus", "GPU", "simulated GPUs",
      [](const Options& o) { return report::gpus_text(o.pattern); });
  add("workloads", "WORKLOAD", "CUDA programs that are part of Heddle",
      [](const Options& o) { return report::workloads_text(o.pattern, o.paper); });
  add("stats", "STATISTIC", "statistics of run.json",
      [](const Options& o) { return report::stats_text(o.pattern, o.plugins); });
  add("ptx", "TEXT", "supported PTX instructions",
      [](const Options& o) { return report::forms_text(o.pattern); });
  add("parameters", "KEY", "parameters of a GPU",
      [](const Options& o) { return report::parameters_text(o.gpu, o.pattern); });
}

}  // namespace heddle::cli
