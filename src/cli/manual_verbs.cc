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
#include "lab/reproduction/paper.h"
#include "lab/statistics_list.h"
#include "lab/workloads.h"
#include "mem/catalogue.h"
#include "sched/catalogue.h"

namespace heddle::cli {
namespace {

using Words = std::vector<std::string>;

template <class All, class Member>
Words names_of(const All& all, Member name) {
  Words names;
  for (const auto& one : all) names.push_back(one.*name);
  return names;
}

// "..." names a list of values; some lists may be "all".
std::vector<ValueKind> value_kinds() {
  using policies::PolicyInfo;
  const auto with_all = [](Words words) {
    words.emplace_back("all");
    return words;
  };
  const Words schedulers = names_of(sched::list_policies(), &PolicyInfo::name),
              cta_schedulers = names_of(gpu::list_cta_policies(), &PolicyInfo::name),
              shares = names_of(gpu::list_share_policies(), &PolicyInfo::name),
              keys = names_of(config::list_parameters({}), &config::GpuParameterInfo::key);
  Words statistics;
  for (const stats::FieldInfo& field : lab::list_statistics()) {
    statistics.push_back(field.key);
    for (const std::string& bucket : field.buckets) statistics.push_back(field.key + "." + bucket);
  }
  return {{"GPU", config::preset_names()},
          {"POLICY", schedulers},
          {"POLICY,...", with_all(schedulers)},
          {"CTA_POLICY", cta_schedulers},
          {"CTA_POLICY,...", with_all(cta_schedulers)},
          {"SHARE_POLICY", shares},
          {"SHARE_POLICY,...", shares},
          {"PAPER", with_all(lab::list_papers(lab::experiments_folder()))},
          {"REPLACEMENT_POLICY",
           names_of(policies::list_policies<mem::ReplacementEntry>(), &PolicyInfo::name)},
          {"DRAM_SCHEDULER",
           names_of(policies::list_policies<mem::DramSchedulerEntry>(), &PolicyInfo::name)},
          {"WORKLOAD", names_of(lab::list_workloads(), &lab::Workload::name)},
          {"SUITE", lab::list_suites(lab::recipes_folder())},
          {"STATISTIC", statistics},
          {"STATISTIC,...", statistics},
          {"TOOL,...", {"memory", "races", "init", "barriers"}},
          {"KEY", keys},
          {"KEY=VALUE", keys},
          {"SHELL", {"bash", "zsh"}}};
}

int print_completion(const CLI::App& app, const std::string& shell) {
  const CommandDescription heddle = describe_command(app);
  if (shell == "bash")
    std::cout << bash_completion(heddle, value_kinds());
  else if (shell == "zsh")
    std::cout << zsh_completion(heddle, value_kinds());
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
    if (verb != one.verb() && verb != "heddle-" + one.verb()) continue;  // as man calls the page
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
  verb->footer("An installed Heddle has both scripts in place. For this shell only:");
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
  verb->callback([&app, options, &action] {
    action = [&app, options] { return print_manual(app, options->verb, options->folder); };
  });
}

}  // namespace heddle::cli
