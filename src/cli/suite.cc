// heddle suite
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <thread>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/progress.h"
#include "cli/run_once.h"
#include "cli/verbs.h"
#include "lab/originals/build.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

struct SuiteVerbOptions : lab::SuiteBuildOptions {
  std::string suite, recipes;
  bool quiet = false;
};

std::string recipes_of(const SuiteVerbOptions& options) {
  return options.recipes.empty() ? lab::recipes_folder() : options.recipes;
}

const char* state_words(lab::OriginalState state) {
  switch (state) {
    case lab::OriginalState::built: return "built";
    case lab::OriginalState::failed: return "failed";
    case lab::OriginalState::no_source: return "no source";
    case lab::OriginalState::unsupported: return "not built";
  }
  return "";
}

std::string build_table(const lab::SuiteBuild& build) {
  report::TextTable table({{"program"}, {"result"}, {"stands for"}, {"reason"}});
  for (const lab::BuiltOriginal& one : build.programs)
    table.add_row({one.recipe.name, state_words(one.state), one.recipe.ours, one.problem});
  return table.text("  ", terminal_width(STDOUT_FILENO, report::kPlainWidth));
}

int build(SuiteVerbOptions options) {
  const lab::SuiteRecipe suite = lab::read_suite(recipes_of(options), options.suite);
  if (options.jobs == 0)
    options.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  ProgressLine line(!options.quiet && isatty(STDERR_FILENO));
  std::size_t done = 0;
  const lab::SuiteBuild result =
      lab::build_suite(suite, options, [&](const lab::BuiltOriginal& one) {
        line.show(
            fmt::format("{} of {}: {}", ++done,
                        options.programs.empty() ? suite.programs.size() : options.programs.size(),
                        one.recipe.name));
      });
  line.clear();
  std::cout << suite.title << " from " << options.from << "\n\n"
            << build_table(result) << "\n"
            << fmt::format("{} built, {} failed, {} without source, {} not built; in {}\n",
                           result.count(lab::OriginalState::built),
                           result.count(lab::OriginalState::failed),
                           result.count(lab::OriginalState::no_source),
                           result.count(lab::OriginalState::unsupported), result.folder);
  for (const lab::BuiltOriginal& one : result.programs)
    if (one.state == lab::OriginalState::failed)
      std::cerr << "heddle: " << one.recipe.name << ": all messages are in " << one.log << "\n";
  if (result.interrupted) return kKilledBySignal + result.interrupted;
  const bool complete = result.count(lab::OriginalState::failed) == 0 &&
                        result.count(lab::OriginalState::no_source) == 0;
  return static_cast<int>(complete ? ExitCode::success : ExitCode::failure);
}

int list(const SuiteVerbOptions& options) {
  const std::string recipes = recipes_of(options);
  report::TextTable table({{"suite"}, {"program"}, {"stands for"}, {"note"}});
  for (const std::string& name : lab::list_suites(recipes))
    for (const lab::OriginalRecipe& program : lab::read_suite(recipes, name).programs)
      table.add_row(
          {name, program.name, program.ours,
           program.unsupported.empty() ? program.note : "not built: " + program.unsupported});
  std::cout << table.text("", terminal_width(STDOUT_FILENO, report::kPlainWidth));
  return 0;
}

void add_recipes_option(CLI::App& verb, SuiteVerbOptions& options) {
  verb.add_option("--recipes", options.recipes, "folder of the recipes; by default Heddle's own")
      ->type_name("DIR");
}

}  // namespace

void add_suite(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("suite", "build the original programs of a suite from your checkout");
  verb->require_subcommand(1);
  auto options = std::make_shared<SuiteVerbOptions>();
  CLI::App* builds = verb->add_subcommand("build", "compile a suite with heddle cc");
  builds->add_option("SUITE", options->suite, "rodinia, parboil, ispass, polybench or shoc")
      ->type_name("SUITE")
      ->required();
  builds->add_option("--from", options->from, "folder of the suite; it is only read")
      ->type_name("DIR")
      ->required();
  options->out = "originals";
  builds->add_option("-o,--out", options->out, "folder that gets a folder for the suite")
      ->type_name("DIR")
      ->capture_default_str();
  builds->add_option("--program", options->programs, "only this program; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  builds
      ->add_option("--option", options->compiler,
                   "a further option of heddle cc, --option=-I/opt/cutil/inc; may be repeated")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  options->jobs = 0;
  builds
      ->add_option("-j,--jobs", options->jobs,
                   "compilations at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  builds->add_flag("-q,--quiet", options->quiet, "no progress");
  add_recipes_option(*builds, *options);
  builds->callback([options, &action] { action = [options] { return build(*options); }; });
  CLI::App* lists = verb->add_subcommand("list", "list suites and their programs");
  add_recipes_option(*lists, *options);
  lists->callback([options, &action] { action = [options] { return list(*options); }; });
  verb->footer(
      "Recipes are data: workloads/originals/SUITE.toml. The exit code is 1 when a program could "
      "not be built.");
}

}  // namespace heddle::cli
