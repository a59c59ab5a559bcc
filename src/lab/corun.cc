#include "lab/corun.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "base/address_layout.h"
#include "base/process_pool.h"
#include "config/config.h"
#include "config/json_text.h"
#include "lab/captured_program.h"
#include "lab/read_json.h"
#include "lab/sample/corun_estimate.h"
#include "lab/standard_input.h"
#include "lab/store/run_record.h"
#include "sched/framework/policy_text.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What a program runs under when it is alone: its part of "K0=gto,K1=lrr".
std::string scheduler_of_program(const std::string& scheduler, std::size_t program) {
  if (!sched::is_per_kernel(scheduler)) return scheduler;
  const auto parts = sched::split_per_kernel(scheduler);
  return parts[std::min(program, parts.size() - 1)];
}

RunRequest request_of_program(const CorunRequest& request,
                              const std::vector<std::string>& program) {
  RunRequest run = request.run;
  run.program = program;
  return run;
}

// The programs as captures: those that are none are captured into the folder.
class Captures {
 public:
  Captures(const CorunRequest& request, const std::string& folder,
           const ReportProgress& report_progress)
      : request_(request), folder_(folder), report_progress_(report_progress) {}

  std::string of(std::size_t which) const {
    RunRequest run = request_of_program(request_, request_.programs[which]);
    if (!request_.registers.empty()) run.registers = request_.registers[which];
    run.input = input_;
    const CapturedProgram captured = capture_program(run, folder_, report_progress_);
    if (captured.exit_code != 0) throw CorunFailure(captured.failure, "", captured.exit_code);
    return captured.path;
  }

 private:
  const std::shared_ptr<StandardInput> input_ = std::make_shared<StandardInput>();
  const CorunRequest& request_;
  std::string folder_;
  const ReportProgress& report_progress_;
};

// A process of its own.
struct CorunProcess {
  CorunProcess(const RunRequest& request, std::string name) : run(request), what(std::move(name)) {}
  PreparedRun run;
  std::string what;
  TemporaryFolder folder;
  std::string kept;      // where the results are kept for other co-runs; empty: nowhere
  ordered_json results;  // not null before the start: they were kept
  std::uint64_t peak_memory_bytes = 0;
};

RunRequest request_for(const CorunRequest& request, std::vector<std::string> captures) {
  RunRequest run = request.run;
  run.program = {captures.front()};
  run.corun = {std::move(captures), request.once};
  return run;
}

void take_results(CorunProcess& process, const Ending& ending) {
  process.results = read_json(read_file(process.folder.file(kResultFile)));
  if (ending.signal == 0 && ending.exit_code == 0 && process.results.is_object() &&
      process.results.value("status", "") == "completed") {
    if (!process.kept.empty())
      write_file_atomically(process.kept, config::json_text(process.results));
    return;
  }
  throw CorunFailure(
      process.what + " failed: " + describe(ending), read_file(process.folder.file("stderr")),
      ending.signal ? kKilledBySignal + ending.signal : std::max(1, ending.exit_code));
}

// Returns the signal that interrupted the runs, or 0.
int run_all(std::vector<std::unique_ptr<CorunProcess>>& processes, std::size_t at_once,
            const ReportProgress& report_progress) {
  ProcessGroup group;
  PoolWork work{processes.size(), at_once, {}, {}, {}};
  work.command = [&](std::size_t n) -> std::optional<ChildCommand> {
    if (!processes[n]->results.is_null()) return std::nullopt;
    ChildCommand command = processes[n]->run.command(processes[n]->folder);
    command.stderr_path = processes[n]->folder.file("stderr");
    return command;
  };
  work.ended = [&](std::size_t n, const ProcessGroup::Ended& ended) {
    processes[n]->peak_memory_bytes = ended.use.peak_memory_bytes;
    if (!group.interrupted()) take_results(*processes[n], ended.ending);
  };
  work.waits = [&](std::size_t done) {
    if (report_progress) report_progress(fmt::format("{} of {} runs done", done, processes.size()));
  };
  run_pool(group, work);
  return group.interrupted();
}

// Did launches of the program omit CTAs?
bool omits_ctas(const ordered_json& measured) {
  const auto any_of = [&](const char* launches) {
    return measured.contains(launches) &&
           std::any_of(measured[launches].begin(), measured[launches].end(),
                       [](const ordered_json& launch) { return launch.contains("steady"); });
  };
  return any_of("kernels") || any_of("repeated");
}

// A program that repeats does so less often where another one omits CTAs: its repetitions are a
// sample of those of a full run.
bool repeats_less(const ordered_json& programs, std::size_t which) {
  if (programs[which].at("repetitions").get<std::uint64_t>() < 2) return false;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (i != which && omits_ctas(programs[i])) return true;
  return false;
}

CorunProgram program_from(const ordered_json& programs, std::size_t which,
                          const config::GpuSpec& gpu) {
  const ordered_json& measured = programs.at(which);
  CorunProgram program;
  program.repetitions = measured.at("repetitions");
  double cycles = measured.at("cycles");
  program.results = measured;
  for (const char* other : {"repetitions", "cycles", "repeated"}) program.results.erase(other);
  if (measured.contains("repeated")) {
    CorunEstimate estimate = estimate_corun(measured, gpu);
    program.omitted_cycles = estimate.cycles.guessed();
    cycles += program.omitted_cycles;
    const double sample_bar = repeats_less(programs, which) ? estimate.repetitions.bar() : 0;
    program.cycles_bar =
        std::hypot(estimate.cycles.bar(), sample_bar) / std::max<double>(1, program.repetitions);
    program.results["totals"] = estimate.totals;
    program.figures =
        read_figures({{"totals", std::move(estimate.totals)}, {"kernels", estimate.kernels}});
  } else {
    program.figures = read_figures(program.results);
  }
  const auto repetitions = static_cast<double>(program.repetitions);
  program.cycles = repetitions > 0 ? cycles / repetitions : 0;
  if (cycles > 0)
    program.ipc = static_cast<double>(program.figures.total.thread_instructions) / cycles;
  if (program.cycles > 0) program.ipc_bar = program.ipc * program.cycles_bar / program.cycles;
  return program;
}

void set_progress(CorunProgram& program, const CorunProgram& alone) {
  program.progress = program.ipc / alone.ipc;
  program.progress_bar =
      program.progress * std::hypot(program.ipc_bar / program.ipc, alone.ipc_bar / alone.ipc);
}

ordered_json json_of(const CorunProgram& program, const std::string& name) {
  ordered_json json{{"name", name},
                    {"repetitions", program.repetitions},
                    {"cycles", program.cycles},
                    {"ipc", program.ipc},
                    {"progress", program.progress}};
  if (program.progress_bar > 0 || program.cycles_bar > 0)
    json["bars"] = {{"cycles", program.cycles_bar},
                    {"ipc", program.ipc_bar},
                    {"progress", program.progress_bar}};
  json.update(program.results);
  return json;
}

double host_seconds(const ordered_json& results) { return results.at("host").at("kernel_seconds"); }

// The program that ends last runs all the time, so all that is left out is left out of it too.
void set_cycles(CorunUnderPolicy& run, std::uint64_t measured) {
  const auto last = std::max_element(
      run.programs.begin(), run.programs.end(),
      [](const auto& a, const auto& b) { return a.omitted_cycles < b.omitted_cycles; });
  run.cycles = measured + static_cast<std::uint64_t>(std::llround(last->omitted_cycles));
  run.cycles_bar = last->cycles_bar * static_cast<double>(last->repetitions);
}

CorunUnderPolicy under_policy(const std::string& share, const ordered_json& measured,
                              const Corun& corun) {
  CorunUnderPolicy run;
  run.share = share;
  run.host_seconds = host_seconds(measured);
  std::vector<double> progress, bars;
  for (std::size_t i = 0; i < measured.at("programs").size(); ++i) {
    CorunProgram& added =
        run.programs.emplace_back(program_from(measured["programs"], i, corun.spec.gpu));
    if (added.idle()) continue;
    set_progress(added, corun.alone[i]);
    progress.push_back(added.progress);
    bars.push_back(added.progress_bar);
  }
  set_cycles(run, measured.at("cycles"));
  if (progress.empty()) return run;
  run.metrics = metrics_of(progress);
  run.bars = bars_of(progress, bars);
  return run;
}

}  // namespace

void check_corun(const CorunRequest& request) {
  const std::size_t programs = request.programs.size();
  if (programs == 0) throw UserError("no program is given");
  if (programs > kMaxPrograms)
    throw UserError(fmt::format("{} programs share a GPU; at most {} can", programs, kMaxPrograms));
  if (request.run.functional || !request.run.timed.everything())
    throw UserError("a co-run is timed as a whole");
  for (const auto& program : request.programs)
    for (const std::string& share : request.shares) {
      RunRequest run = request_of_program(request, program);
      run.share = share;
      const PreparedRun checked(run);
    }
}

bool Corun::guesses() const {
  const auto guessed = [](const CorunProgram& program) { return program.cycles_bar > 0; };
  return std::any_of(alone.begin(), alone.end(), guessed) ||
         std::any_of(shared.begin(), shared.end(), [&](const CorunUnderPolicy& run) {
           return std::any_of(run.programs.begin(), run.programs.end(), guessed);
         });
}

ordered_json Corun::json() const {
  ordered_json json{
      {"heddle", {{"version", HEDDLE_VERSION}}},
      {"gpu", spec.gpu.name},
      {"scheduler", spec.scheduler},
      {"cta_scheduler", spec.cta_scheduler},
      {"seed", spec.seed},
      {"configuration", {{"hash", config::hash(spec.gpu)}, {"toml", config::to_toml(spec.gpu)}}},
      {"once", request.once},
      {"programs", request.programs}};
  for (std::size_t i = 0; i < alone.size(); ++i)
    json["alone"].push_back(json_of(alone[i], names[i]));
  for (const CorunUnderPolicy& run : shared) {
    ordered_json one{{"share", run.share},
                     {"cycles", run.cycles},
                     {"stp", run.metrics.stp},
                     {"antt", run.metrics.antt},
                     {"fairness", run.metrics.fairness}};
    if (run.bars.stp > 0)
      one["bars"] = {{"cycles", run.cycles_bar},
                     {"stp", run.bars.stp},
                     {"antt", run.bars.antt},
                     {"fairness", run.bars.fairness}};
    for (std::size_t i = 0; i < run.programs.size(); ++i)
      one["programs"].push_back(json_of(run.programs[i], names[i]));
    json["shared"].push_back(std::move(one));
  }
  json["host"]["alone_seconds"] = alone_host_seconds;
  for (const CorunUnderPolicy& run : shared)
    json["host"]["shared_seconds"].push_back(run.host_seconds);
  return json;
}

void read_corun(const CorunResults& results, Corun& corun) {
  for (const ordered_json& one : results.alone) {
    corun.alone.push_back(program_from(one.at("programs"), 0, corun.spec.gpu));
    corun.alone_host_seconds += host_seconds(one);
  }
  for (const ordered_json& one : results.shared)
    corun.shared.push_back(under_policy(corun.request.shares[corun.shared.size()], one, corun));
}

Corun corun(const CorunRequest& request, int jobs, const ReportProgress& report_progress) {
  check_corun(request);
  const ProcessGroup group;  // the folder is removed before a signal can end this process
  Corun result;
  result.request = request;
  for (std::size_t i = 0; i < request.programs.size(); ++i)
    result.names.push_back(
        fmt::format("P{} {}", i, fs::path(request.programs[i][0]).stem().string()));
  const TemporaryFolder folder;
  const bool keep = !request.kept.empty();
  const Captures captured(request, keep ? request.kept : folder.path().string(), report_progress);
  std::vector<std::string> captures;
  for (std::size_t i = 0; i < request.programs.size(); ++i) captures.push_back(captured.of(i));
  std::vector<std::unique_ptr<CorunProcess>> processes;  // all are checked before one starts
  // Programs alone; the same program under the same scheduler runs once.
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    RunRequest one = request_for(request, {captures[i]});
    one.corun.once = true;
    one.scheduler = scheduler_of_program(PreparedRun(one).spec().scheduler, i);
    const auto [place, is_new] =
        places.emplace(std::pair{captures[i], one.scheduler}, processes.size());
    if (is_new) {
      CorunProcess& process =
          *processes.emplace_back(std::make_unique<CorunProcess>(one, result.names[i] + " alone"));
      if (keep) {
        process.kept =
            fmt::format("{}/{}.json", request.kept, content_hash(process.run.spec().to_json()));
        if (fs::exists(process.kept))
          process.results = ordered_json::parse(read_file(process.kept));
      }
    }
    alone.push_back(place->second);
  }
  const std::size_t first_shared = processes.size();
  for (const std::string& share : request.shares) {
    RunRequest one = request_for(request, captures);
    one.share = share;
    processes.push_back(std::make_unique<CorunProcess>(one, "the co-run under " + share));
  }
  result.spec = processes[first_shared]->run.spec();
  result.interrupted = run_all(processes, runs_at_once(jobs, request.run.threads), report_progress);
  if (result.interrupted) return result;
  for (const auto& process : processes)
    result.peak_memory_bytes = std::max(result.peak_memory_bytes, process->peak_memory_bytes);
  CorunResults results;
  for (const std::size_t place : alone) results.alone.push_back(processes[place]->results);
  for (std::size_t i = first_shared; i < processes.size(); ++i)
    results.shared.push_back(std::move(processes[i]->results));
  read_corun(results, result);
  return result;
}

}  // namespace heddle::lab
