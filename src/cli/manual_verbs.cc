// heddle completion, heddle man
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/verbs.h"
#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "lab/installation.h"
#include "lab/originals/recipes.h"
#include "lab/process.h"
#include "lab/reproduction/paper.h"
#include "sched/catalogue.h"

namespace heddle::cli {
namespace {

CompletionNames completion_names() {
  CompletionNames names;
  names.gpus = config::preset_names();
  for (const auto& policy : sched::list_policies()) names.schedulers.push_back(policy.name);
  for (const auto& policy : gpu::list_cta_policies()) names.cta_schedulers.push_back(policy.name);
  for (const auto& policy : gpu::list_share_policies()) names.shares.push_back(policy.name);
  names.papers = lab::list_papers(lab::experiments_folder());
  names.papers.emplace_back("all");
  names.suites = lab::list_suites(lab::recipes_folder());
  for (const auto& parameter : config::list_parameters({}))
    names.parameters.push_back(parameter.key);
  return names;
}

int print_completion(const CLI::App& app, const std::string& shell) {
  const CommandDescription heddle = describe_command(app);
  if (shell == "bash")
    std::cout << bash_completion(heddle, completion_names());
  else if (shell == "zsh")
    std::cout << zsh_completion(heddle, completion_names());
  else
    throw UserError("completion for '" + shell + "': must be bash or zsh");
  return 0;
}

int print_manual(const CLI::App& app, const std::string& verb, const std::string& folder) {
  const CommandDescription heddle = describe_command(app);
  if (!folder.empty()) {
    lab::write_file_atomically(folder + "/" + manual_file(heddle), manual_page(heddle));
    for (const CommandDescription& one : heddle.verbs)
      lab::write_file_atomically(folder + "/" + manual_file(one), manual_page(one));
    return 0;
  }
  if (verb.empty()) {
    std::cout << manual_page(heddle);
    return 0;
  }
  std::vector<std::string> names;
  for (const CommandDescription& one : heddle.verbs) {
    names.push_back(one.verb());
    if (one.verb() != verb) continue;
    std::cout << manual_page(one);
    return 0;
  }
  throw UserError("there is no verb '" + verb + "'" + did_you_mean(verb, names));
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("completion", "print a completion script for bash or zsh");
  auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "bash or zsh")->type_name("SHELL")->required();
  verb->footer(
      "An installed Heddle has both scripts in place. For this shell only:\n\n"
      "  source <(heddle completion bash)");
  verb->callback(
      [&app, shell, &action] { action = [&app, shell] { return print_completion(app, *shell); }; });
}

void add_man(CLI::App& app, Action& action) {
  struct Options {
    std::string verb, folder;
  };
  CLI::App* verb = app.add_subcommand("man", "print a manual page in roff");
  auto options = std::make_shared<Options>();
  verb->add_option("VERB", options->verb, "the verb; without it the page of heddle itself")
      ->type_name("VERB");
  verb->add_option("-o,--out", options->folder, "write all pages into this folder instead")
      ->type_name("DIR");
  verb->footer("  heddle man run | man -l -");
  verb->callback([&app, options, &action] {
    action = [&app, options] { return print_manual(app, options->verb, options->folder); };
  });
}

}  // namespace heddle::cli
