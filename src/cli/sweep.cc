// heddle sweep
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/run_once.h"
#include "cli/verbs.h"
#include "lab/installation.h"
#include "lab/process.h"
#include "lab/sweep.h"
#include "report/study_table.h"

namespace heddle::cli {
namespace {

struct SweepVerbOptions : lab::SweepOptions {
  std::string study, page;
  bool quiet = false;
};

int sweep(SweepVerbOptions options) {
  const lab::Study study = lab::read_study(options.study);
  const std::string page = lab::read_file(options.page);
  if (!options.page.empty())
    report::put_into_page(page, study.name, "");  // refused before anything runs
  if (options.out.empty()) options.out = study.name + "-results";
  if (options.programs.empty()) options.programs = lab::programs_folder();
  const lab::SweepResult result = lab::run_sweep(study, options, [&](const std::string& text) {
    if (!options.quiet) std::cerr << "heddle: " << text << "\n";
  });
  if (result.interrupted) {
    std::cerr << "heddle: error: interrupted; the same command resumes\n";
    return kKilledBySignal + result.interrupted;
  }
  const std::string table = report::study_table(study, result);
  if (options.page.empty())
    std::cout << "# " << study.title << "\n\n" << table;
  else
    lab::write_file_atomically(options.page, report::put_into_page(page, study.name, table));
  if (!options.quiet)
    std::cerr << "heddle: " << result.runs << " runs, " << result.kept << " kept in " << options.out
              << "\n";
  for (std::size_t i = 0; i < study.cases.size(); ++i)
    for (const auto& [scheduler, problem] : result.cases[i].problems)
      std::cerr << "heddle: " << study.cases[i].name << " under " << scheduler << ": " << problem
                << "\n";
  return static_cast<int>(result.failed() ? ExitCode::failure : ExitCode::success);
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "sweep", "run a study: workloads under many schedulers, with expected results");
  auto options = std::make_shared<SweepVerbOptions>();
  verb->add_option("STUDY", options->study, "a .toml file (docs/schedulers.md)")
      ->type_name("FILE")
      ->required();
  verb->add_option("-o,--out", options->out,
                   "folder of the measurements; by default the study's name with -results")
      ->type_name("DIR");
  verb->add_option("--programs", options->programs,
                   "folder of the study's programs; by default those that were built with Heddle")
      ->type_name("DIR");
  verb->add_option("--into", options->page,
                   "write the table into this Markdown page, between its sweep marks, instead of "
                   "printing it")
      ->type_name("PAGE");
  verb->add_option("--plugin", options->plugins,
                   "shared object with your own schedulers; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->add_flag("-q,--quiet", options->quiet, "no progress");
  verb->footer(
      "Results are kept in --out: an interrupted sweep resumes, and a changed study measures only "
      "what is new.\n"
      "The exit code is 1 when a program fails under a scheduler; expectations that do not hold "
      "are listed.\n\n"
      "  heddle sweep experiments/patterns.toml\n"
      "  heddle sweep experiments/patterns.toml --into docs/schedulers.md");
  verb->callback([options, &action] { action = [options] { return sweep(*options); }; });
}

}  // namespace heddle::cli
