// heddle sweep
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "base/diagnostics.h"
#include "cli/executor_options.h"
#include "cli/run_options.h"
#include "cli/sweep_progress.h"
#include "cli/verbs.h"
#include "lab/installation.h"
#include "lab/process.h"
#include "lab/sweep.h"
#include "lab/sweep/plan.h"
#include "lab/sweep/slurm_executor.h"
#include "lab/sweep/worker.h"
#include "report/store_report.h"
#include "report/study_table.h"

namespace heddle::cli {
namespace {

struct SweepVerbOptions : lab::SweepOptions {
  std::string study, page, executor = kLocalExecutor, kept_study, folder;
  bool quiet = false, dry_run = false, example = false;
  std::size_t part = 0, parts = 1;
};

void print_dry_run(const lab::Study& study, const SweepVerbOptions& options) {
  lab::SweepPlan plan(study, options);
  const lab::DryRun dry = lab::dry_run(plan, options);
  const std::size_t todo = dry.counts.runs - dry.counts.kept;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : cores;
  std::cout << fmt::format("{}: {} cases, {} runs; {} are in {}, {} to do\n", study.name,
                           study.cases.size(), dry.counts.runs, dry.counts.kept, options.store,
                           todo);
  if (todo == 0) return;
  const double wall = std::max(dry.expected_seconds / jobs, dry.longest_seconds);
  if (dry.unknown < todo)
    std::cout << fmt::format(
        "expected time of {} runs, by what the store has measured: {} at {} "
        "runs at once\n",
        todo - dry.unknown, report::duration_text(wall), jobs);
  if (dry.unknown > 0)
    std::cout << fmt::format(
        "{} runs have no expected time: the store has no run of their "
        "program and arguments\n",
        dry.unknown);
  std::cout << fmt::format("the store grows by about {}\n", report::bytes_text(dry.bytes));
}

int sweep(const lab::Study& study, const SweepVerbOptions& options) {
  const std::string page = lab::read_file(options.page);
  if (!options.page.empty())
    report::put_into_page(page, study.name, "");  // refused before anything runs
  SweepProgressOutput output(options.quiet);
  const lab::SweepResult result = lab::run_sweep(study, options, output.listener());
  output.clear();
  if (result.interrupted) {
    std::cerr << "heddle: error: interrupted; "
              << (result.submitted ? "the jobs go on: `heddle sweep resume " + options.store +
                                         "` gathers their results, `cancel` ends them\n"
                  : result.unconfirmed
                      ? "Slurm did not say whether it has the jobs; the same command asks again\n"
                      : "the same command resumes\n");
    return kKilledBySignal + result.interrupted;
  }
  if (result.unconfirmed && !result.submitted)
    throw UserError(
        "Slurm did not say whether it has the jobs; the same command asks again and submits what "
        "is missing");
  if (result.submitted) {
    std::cerr << "heddle: jobs are at work; `heddle sweep status " << options.store
              << "` shows them, `resume` gathers their results\n";
    return static_cast<int>(ExitCode::success);
  }
  const std::string table = report::study_table(study, result);
  if (options.page.empty())
    std::cout << "# " << study.title << "\n\n" << table;
  else
    lab::write_file_atomically(options.page, report::put_into_page(page, study.name, table));
  if (!options.quiet)
    std::cerr << "heddle: " << result.runs << " runs, " << result.kept << " kept in "
              << options.store << "\n";
  for (std::size_t i = 0; i < study.cases.size(); ++i)
    for (const auto& [scheduler, problem] : result.cases[i].problems)
      std::cerr << "heddle: " << study.cases[i].name << " under " << scheduler << ": " << problem
                << "\n";
  return static_cast<int>(result.failed() ? ExitCode::failure : ExitCode::success);
}

int sweep_file(SweepVerbOptions options) {
  if (options.example) {
    std::cout << lab::read_file(lab::experiments_folder() + "/example.toml");
    return static_cast<int>(ExitCode::success);
  }
  if (options.study.empty())
    throw UserError(
        "no study is given: give a study file (--example prints one), or status, resume or cancel "
        "with a store");
  const lab::Study study = lab::read_study(options.study);
  if (options.store.empty()) options.store = study.name + ".sqlite";
  if (options.programs.empty()) options.programs = lab::programs_folder();
  options.programs = std::filesystem::absolute(options.programs).lexically_normal().string();
  options.slurm = options.executor == kSlurmExecutor;
  if (options.dry_run) {
    print_dry_run(study, options);
    return static_cast<int>(ExitCode::success);
  }
  return sweep(study, options);
}

int resume(const SweepVerbOptions& options) {
  auto [study, kept] = lab::read_kept_study(options.store, options.kept_study);
  // A store does not say which code is loaded.
  if (!kept.plugins.empty() && options.plugins.empty())
    throw UserError(
        fmt::format("the study {} was swept with plug-ins; name them: heddle sweep "
                    "resume {} --plugin {}",
                    study.name, options.store, fmt::join(kept.plugins, " --plugin ")));
  kept.plugins = options.plugins;
  SweepVerbOptions all = options;
  static_cast<lab::SweepOptions&>(all) = kept;
  all.slurm_options.wait = options.slurm_options.wait;
  return sweep(study, all);
}

void add_store_verbs(CLI::App& verb, const std::shared_ptr<SweepVerbOptions>& options,
                     Action& action) {
  const auto add = [&](const char* name, const char* meaning, auto act) {
    CLI::App* noun = verb.add_subcommand(name, meaning);
    noun->add_option("STORE", options->store, "a results store")->type_name("FILE")->required();
    noun->callback([options, act, &action] { action = [options, act] { return act(*options); }; });
    return noun;
  };
  add("status", "say what is done, and what jobs of Slurm do", [](const SweepVerbOptions& given) {
    std::cout << report::sweep_status_text(lab::read_sweep_status(given.store));
    return 0;
  });
  CLI::App* again = add("resume", "do the missing runs of a study, as it was swept last", resume);
  again
      ->add_option("STUDY", options->kept_study,
                   "name of the study; by default the one that was swept last")
      ->type_name("NAME");
  add_plugin_option(*again, options->plugins,
                    "shared object with your own schedulers; those of the sweep have to be named");
  again->add_flag("!--no-wait", options->slurm_options.wait,
                  "Slurm: gather results, submit missing runs and end");
  again->add_flag("-q,--quiet", options->quiet, "no progress");
  CLI::App* cancel = add("cancel", "cancel the jobs of Slurm and keep the results that they have",
                         [](const SweepVerbOptions& given) {
                           SweepProgressOutput output(given.quiet);
                           lab::cancel_sweep(given.store, given.plugins, output.listener());
                           return 0;
                         });
  add_plugin_option(*cancel, options->plugins,
                    "plug-in of the sweep, for the units of its statistics");
  CLI::App* worker = verb.add_subcommand("worker", "run the tasks of a folder");
  worker->group("");  // Slurm starts it
  worker->add_option("FOLDER", options->folder)->required();
  worker->add_option("--part", options->part);
  worker->add_option("--parts", options->parts);
  worker->callback([options, &action] {
    action = [options] {
      const int signal = lab::run_worker(options->folder, options->part, options->parts, 1);
      return signal ? kKilledBySignal + signal : 0;
    };
  });
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "sweep", "run a study: workloads under many schedulers, with expected results");
  auto options = std::make_shared<SweepVerbOptions>();
  verb->require_subcommand(0, 1);
  verb->add_option("STUDY", options->study, "a .toml file")->type_name("FILE");
  verb->add_option("-o,--out", options->store,
                   "results store, an SQLite file; by default the study's name with .sqlite")
      ->type_name("FILE");
  verb->add_option("--programs", options->programs,
                   "folder of the study's programs; by default those that were built with Heddle")
      ->type_name("DIR");
  verb->add_option("--into", options->page,
                   "write the table into this Markdown page, between its sweep marks, instead of "
                   "printing it")
      ->type_name("PAGE");
  add_plugin_option(*verb, options->plugins,
                    "shared object with your own schedulers; may be repeated");
  verb->add_flag("--details", options->details,
                 "keep run.json of every run, with details, in the store");
  verb->add_flag("--dry-run", options->dry_run,
                 "say how many runs, how long and how much disk, and run nothing");
  verb->add_flag("--example", options->example, "print a study that runs as it is");
  verb->add_flag("-q,--quiet", options->quiet, "no progress");
  add_executor_options(*verb, *options, options->executor);
  verb->add_option("--runs-per-task", options->slurm_options.runs_per_task,
                   "Slurm: runs of one task; by default about five minutes of work")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option(
          "--folder", options->slurm_options.folder,
          "Slurm: folder on the shared file system; by default the store's name with -slurm")
      ->type_name("DIR");
  add_store_verbs(*verb, options, action);
  verb->footer(
      "Results are kept in --out: an interrupted sweep resumes, and a changed study measures only "
      "what is new.\n"
      "The exit code is 1 when a program fails under a scheduler; expectations that do not hold "
      "are listed.");
  verb->callback([verb, options, &action] {
    if (verb->get_subcommands().empty()) action = [options] { return sweep_file(*options); };
  });
}

}  // namespace heddle::cli
