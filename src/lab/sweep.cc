#include "lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/diagnostics.h"
#include "config/config.h"
#include "gpu/cta/cta_policy.h"
#include "lab/figures.h"
#include "lab/installation.h"
#include "lab/preparation.h"
#include "lab/run.h"
#include "lab/scheduler_pair.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string fingerprint(const std::string& path) {  // FNV-1a of the content
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : read_file(path))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

// One run of the study, and everything that its result depends on.
struct Cell {
  std::size_t which;
  std::string scheduler, file;
  ordered_json depends_on;
  RunRequest request;
};

class Sweep {
 public:
  Sweep(const Study& study, const SweepOptions& options) : study_(study), options_(options) {
    result_.cases.resize(study.cases.size());
    const std::string simulator = fingerprint(runtime_library());
    ordered_json plugins = ordered_json::array();
    for (const std::string& file : options.plugins) plugins.push_back(fingerprint(file));
    for (std::size_t i = 0; i < study.cases.size(); ++i) {
      const StudyCase& one = study.cases[i];
      RunRequest request;
      request.gpu = one.gpu;
      request.overrides = one.overrides;
      request.plugins = options.plugins;
      request.program = one.program;
      request.program[0] = options.programs + "/" + one.program[0];
      const std::string configuration = config::hash(config::load_gpu(one.gpu, one.overrides));
      const std::string program = fingerprint(request.program[0]);
      request.watch.cta_sharing = differ_in_cta_scheduler(one.schedulers);
      for (const std::string& scheduler : one.schedulers) {
        const SchedulerPair pair = SchedulerPair::of(scheduler);
        request.scheduler = pair.scheduler;
        request.cta_scheduler = pair.cta_scheduler;
        if (!needs_earlier_run(request)) PreparedRun{request};
        ordered_json depends_on = {{"simulator", simulator},         {"plugins", plugins},
                                   {"configuration", configuration}, {"program", program},
                                   {"arguments", one.program},       {"scheduler", pair.scheduler}};
        if (pair.cta_scheduler != gpu::kDefaultCtaScheduler)
          depends_on["cta_scheduler"] = pair.cta_scheduler;
        if (request.watch.cta_sharing) depends_on["cta_sharing"] = true;
        cells_.push_back({i, scheduler,
                          fmt::format("{}/{}/{}.json", options.out, file_name_of(one.name),
                                      file_name_of(scheduler)),
                          std::move(depends_on), request});
      }
    }
  }

  SweepResult run(const ReportProgress& report_progress) {
    std::vector<const Cell*> missing;
    for (Cell& cell : cells_) {
      if (use_kept_result(cell)) continue;
      if (needs_earlier_run(cell.request) && !prepare(cell, report_progress))
        return std::move(result_);
      missing.push_back(&cell);
    }
    result_.kept = cells_.size() - missing.size();
    const std::size_t at_once = options_.jobs > 0
                                    ? static_cast<std::size_t>(options_.jobs)
                                    : std::max(1u, std::thread::hardware_concurrency());
    ProcessGroup group;
    std::map<pid_t, Started> running;
    for (std::size_t next = 0; next < missing.size() || !running.empty();) {
      while (next < missing.size() && running.size() < at_once && !group.interrupted())
        start(group, running, *missing[next++]);
      if (running.empty()) break;
      if (report_progress)
        report_progress(fmt::format("{} of {} runs done", result_.runs, missing.size()));
      const auto [pid, ending] = group.wait_any();
      const Started started = std::move(running.at(pid));
      running.erase(pid);
      if (!group.interrupted()) finish(started, ending);
    }
    result_.interrupted = group.interrupted();
    return std::move(result_);
  }

 private:
  struct Started {
    const Cell* cell;
    std::unique_ptr<PreparedRun> run;
    std::unique_ptr<TemporaryFolder> folder;
  };

  // Uses the result of an earlier sweep when everything that it depends on is the same.
  bool use_kept_result(const Cell& cell) {
    const ordered_json kept = ordered_json::parse(read_file(cell.file), nullptr, false);
    const bool usable = kept.is_object() &&
                        kept.value("depends_on", ordered_json()) == cell.depends_on &&
                        kept.contains("totals");
    if (!usable) return false;
    result_.cases[cell.which].cycles[cell.scheduler] = read_figures(kept).total.cycles;
    return true;
  }

  // Makes the earlier runs that the cell's scheduler needs; false when interrupted.
  bool prepare(Cell& cell, const ReportProgress& report_progress) {
    preparations_.push_back(std::make_unique<Preparation>(
        cell.request, std::vector{cell.request.scheduler}, options_.jobs,
        [&](const std::string& what) {
          if (report_progress) report_progress(study_.cases[cell.which].name + ": " + what);
        }));
    cell.request.scheduler = preparations_.back()->policies()[0];
    result_.interrupted = preparations_.back()->interrupted();
    return result_.interrupted == 0;
  }

  static void start(ProcessGroup& group, std::map<pid_t, Started>& running, const Cell& cell) {
    Started started{&cell, std::make_unique<PreparedRun>(cell.request),
                    std::make_unique<TemporaryFolder>()};
    Command command = started.run->command(*started.folder);
    command.stdout_path = started.folder->file("stdout");
    command.stderr_path = started.folder->file("stderr");
    const pid_t pid = group.start(command);
    running.emplace(pid, std::move(started));
  }

  void finish(const Started& started, const Ending& ending) {
    ++result_.runs;
    const Cell& cell = *started.cell;
    const RunOutcome outcome = gather(*started.run, *started.folder, ending);
    CaseResult& into = result_.cases[cell.which];
    if (!outcome.usable() || outcome.exit_code() != 0) {
      into.problems[cell.scheduler] =
          outcome.usable() ? "the program ended with " + describe(ending) : outcome.problem;
      return;
    }
    ordered_json kept = outcome.results;
    kept["depends_on"] = cell.depends_on;
    write_file_atomically(cell.file,
                          kept.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    into.cycles[cell.scheduler] = outcome.figures.total.cycles;
  }

  const Study& study_;
  const SweepOptions& options_;
  std::vector<Cell> cells_;
  std::vector<std::unique_ptr<Preparation>> preparations_;  // the runs read their files
  SweepResult result_;
};

}  // namespace

bool SweepResult::failed() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const CaseResult& one) { return !one.problems.empty(); });
}

std::optional<std::uint64_t> SweepResult::cycles(const Study& study, std::size_t which,
                                                 const std::string& row) const {
  std::optional<std::uint64_t> fewest;
  for (const std::string& scheduler : study.schedulers_of(row)) {
    const auto found = cases[which].cycles.find(scheduler);
    if (found != cases[which].cycles.end() && (!fewest || found->second < *fewest))
      fewest = found->second;
  }
  return fewest;
}

SweepResult run_sweep(const Study& study, const SweepOptions& options,
                      const ReportProgress& report_progress) {
  require_writable_folder(options.out);
  return Sweep(study, options).run(report_progress);
}

Verdict judge(const Study& study, const SweepResult& result, std::size_t which,
              const Expectation& expectation) {
  bool holds = true;
  for (std::size_t i = 0; i < expectation.relations.size(); ++i) {
    const auto left = result.cycles(study, which, expectation.names[i]),
               right = result.cycles(study, which, expectation.names[i + 1]);
    if (!left || !right) return Verdict::unknown;
    const double ratio = static_cast<double>(*right) /
                         static_cast<double>(*left);  // above 1: the left one is faster
    if (expectation.relations[i] == '>')
      holds = holds && ratio > 1 + study.margin;
    else
      holds = holds && ratio <= 1 + study.near && ratio >= 1 / (1 + study.near);
  }
  return holds ? Verdict::holds : Verdict::fails;
}

}  // namespace heddle::lab
