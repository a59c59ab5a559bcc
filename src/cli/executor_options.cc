#include "cli/executor_options.h"

#include <CLI/CLI.hpp>

namespace heddle::cli {

void add_executor_options(CLI::App& verb, lab::SweepOptions& options, std::string& executor,
                          const std::string& group) {
  lab::SlurmOptions& slurm = options.slurm_options;
  const auto grouped = [&](CLI::Option* option) {
    return group.empty() ? option : option->group(group);
  };
  grouped(verb.add_option("-j,--jobs", options.jobs,
                          "runs at once; as many as there are cores by default"))
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  grouped(verb.add_option("--attempts", options.attempts,
                          "attempts at a run that is killed from outside"))
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  grouped(verb.add_option("--executor", executor, "where runs are executed: local or slurm"))
      ->type_name("EXECUTOR")
      ->check(CLI::IsMember({kLocalExecutor, kSlurmExecutor}))
      ->capture_default_str();
  grouped(verb.add_option("--account", slurm.account, "Slurm: account"))->type_name("NAME");
  grouped(verb.add_option("--partition", slurm.partition, "Slurm: partition"))->type_name("NAME");
  grouped(verb.add_option("--time", slurm.time, "Slurm: time limit of a task, as for sbatch"))
      ->type_name("TIME");
  grouped(verb.add_option("--sbatch", slurm.sbatch,
                          "Slurm: a further option of sbatch, --sbatch=--mem=4G; may be repeated"))
      ->type_name("OPTION")
      ->allow_extra_args(false);
  grouped(
      verb.add_option("--poll", slurm.poll_seconds, "Slurm: seconds between two looks at the jobs"))
      ->type_name("SECONDS")
      ->check(CLI::Range(0.05, 3600.0))
      ->capture_default_str();
  grouped(verb.add_flag("!--no-wait", slurm.wait, "Slurm: submit the jobs and end"));
}

}  // namespace heddle::cli
