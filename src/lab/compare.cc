#include "lab/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/diagnostics.h"
#include "base/process_pool.h"
#include "config/json_text.h"
#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "lab/preparation.h"
#include "lab/scheduler_pair.h"
#include "lab/standard_input.h"
#include "sched/catalogue.h"
#include "sched/framework/policy_text.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// A run that has started, with its private files.
struct StartedRun {
  PreparedRun run;
  TemporaryFolder folder;
  explicit StartedRun(const RunRequest& request) : run(request) {}
};

Contestant finish(const std::string& scheduler, const StartedRun& started,
                  const ProcessGroup::Ended& ended) {
  Contestant contestant{scheduler, gather(started.run, started.folder, ended),
                        read_file(started.folder.file("stdout")),
                        read_file(started.folder.file("stderr"))};
  if (contestant.outcome.usable())
    contestant.outcome.problem = missing_processes(contestant.outcome);
  return contestant;
}

std::uint64_t cycles_of(const Contestant& contestant) { return contestant.figures().total.cycles; }

template <class Better>
const Contestant* choose(const std::vector<Contestant>& contestants, Better better) {
  const Contestant* chosen = nullptr;
  for (const Contestant& contestant : contestants)
    if (!contestant.failed() && (!chosen || better(cycles_of(contestant), cycles_of(*chosen))))
      chosen = &contestant;
  return chosen;
}

}  // namespace

namespace {

// all: the policies that "all" stands for.
template <class All>
std::vector<std::string> split_policies(const std::string& option, const std::string& text,
                                        All all) {
  const std::string given = option + " " + text;
  std::vector<std::string> schedulers;
  for (const std::string& policy : sched::split_policy_list(text)) {
    if (policy.empty()) throw UserError(given + ": there is an empty name");
    if (policy == "all")
      for (const auto& known : all()) schedulers.push_back(known.name);
    else
      schedulers.push_back(policy);
  }
  for (std::size_t i = 0; i < schedulers.size(); ++i)
    if (std::find(schedulers.begin(), schedulers.begin() + static_cast<std::ptrdiff_t>(i),
                  schedulers[i]) != schedulers.begin() + static_cast<std::ptrdiff_t>(i))
      throw UserError(given + ": " + schedulers[i] + " is named twice");
  return schedulers;
}

}  // namespace

std::vector<std::string> split_schedulers(const std::string& text,
                                          const std::vector<std::string>& plugins) {
  return split_policies("--schedulers", text,
                        [&] { return sched::list_policies(sched::Plugins(plugins)); });
}

std::vector<std::string> split_cta_schedulers(const std::string& text,
                                              const std::vector<std::string>& plugins) {
  return split_policies("--cta-schedulers", text,
                        [&] { return gpu::list_cta_policies(gpu::CtaPlugins(plugins)); });
}

std::vector<std::string> split_share_policies(const std::string& text) {
  return split_policies("--shares", text, [] { return gpu::list_share_policies(); });
}

bool Comparison::failed() const {
  return interrupted || std::any_of(contestants.begin(), contestants.end(),
                                    [](const Contestant& c) { return c.failed(); });
}

bool Comparison::outputs_agree() const {
  const Contestant* first = best();
  return first && std::all_of(contestants.begin(), contestants.end(), [&](const Contestant& c) {
           return c.failed() || c.output == first->output;
         });
}

std::string Contestant::failure() const {
  return outcome.usable() ? describe(outcome.ending) : outcome.problem;
}

const Contestant* Comparison::best() const { return choose(contestants, std::less<>()); }
const Contestant* Comparison::worst() const { return choose(contestants, std::greater<>()); }

Comparison compare(const RunRequest& given, const std::vector<std::string>& schedulers, int jobs,
                   const ReportProgress& report_progress) {
  if (given.functional) throw UserError("compare needs timing");
  if (given.timed.limit_cycles)
    throw UserError(
        "--limit-cycles ends every run at the same cycle, so there is nothing to compare; "
        "--limit-instructions ends them at the same work");
  ProcessGroup group;  // folders are removed before a signal can end this process
  RunRequest request = given;
  if (!request.input) request.input = std::make_shared<StandardInput>();
  const Preparations preparations(request, schedulers, jobs, report_progress);
  std::vector<std::unique_ptr<StartedRun>> runs;
  for (const std::string& policies :
       preparations.names()) {  // all are checked before the first one starts
    const SchedulerPair pair = SchedulerPair::of(policies);
    RunRequest one = request;
    one.scheduler = pair.scheduler;
    one.cta_scheduler = pair.cta_scheduler;
    one.watch.cta_sharing |= differ_in_cta_scheduler(schedulers);
    one.progress = false;
    runs.push_back(std::make_unique<StartedRun>(one));
  }
  Comparison comparison{request, {}, preparations.interrupted(), preparations.files()};
  comparison.contestants.resize(runs.size());
  PoolWork work{runs.size(), runs_at_once(jobs, request.threads), {}, {}, {}};
  work.command = [&](std::size_t n) {
    ChildCommand command = runs[n]->run.command(runs[n]->folder);
    command.stdout_path = runs[n]->folder.file("stdout");
    command.stderr_path = runs[n]->folder.file("stderr");
    return command;
  };
  work.ended = [&](std::size_t n, const ProcessGroup::Ended& ended) {
    Contestant& contestant = comparison.contestants[n];
    contestant = finish(schedulers[n], *runs[n], ended);
    if (contestant.outcome.usable())
      contestant.outcome.results["scheduler"] =
          SchedulerPair::of(schedulers[n]).scheduler;  // without names of temporary files
    runs[n].reset();
  };
  work.waits = [&](std::size_t done) {
    if (report_progress) report_progress(fmt::format("{} of {} runs done", done, runs.size()));
  };
  if (!comparison.interrupted) run_pool(group, work);
  if (group.interrupted()) comparison.interrupted = group.interrupted();
  if (request.input) request.input->require_complete();
  return comparison;
}

void write_comparison(const Comparison& comparison, const std::string& folder) {
  ordered_json summary;
  summary["heddle"] = {{"version", HEDDLE_VERSION}};
  summary["program"] = comparison.request.program;
  summary["gpu"] = comparison.request.gpu;
  if (const Contestant* best = comparison.best()) summary["best"] = best->scheduler;
  for (const Contestant& contestant : comparison.contestants) {
    const SchedulerPair pair = SchedulerPair::of(contestant.scheduler);
    ordered_json row = {{"scheduler", pair.scheduler},
                        {"cta_scheduler", pair.cta_scheduler},
                        {"exit_code", contestant.outcome.exit_code()}};
    if (contestant.outcome.usable()) {
      const std::string file = file_name_of(contestant.scheduler) + "/run.json";
      write_file_atomically(folder + "/" + file,
                            config::json_text(contestant.outcome.results, 1) + "\n");
      row["run"] = file;
      row["totals"] = contestant.outcome.results["totals"];
    } else {
      row["problem"] = contestant.outcome.problem;
    }
    summary["runs"].push_back(row);
  }
  for (const PreparedFile& file : comparison.prepared) {
    write_file_atomically(folder + "/" + file.name, file.text);
    summary["prepared"].push_back(file.name);
  }
  write_file_atomically(folder + "/compare.json", config::json_text(summary, 1) + "\n");
}

}  // namespace heddle::lab
