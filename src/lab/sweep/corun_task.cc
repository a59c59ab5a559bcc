#include "lab/sweep/corun_task.h"

#include <sys/resource.h>

#include <chrono>

#include "config/json_text.h"
#include "lab/store/clock.h"

namespace heddle::lab {

std::string program_prefix(const std::string& name) { return "programs." + name + "."; }

namespace {

using nlohmann::ordered_json;

// User and system time of the processes that this one has waited for.
double seconds_of_children() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

ordered_json totals_of(const CorunProgram& program, const CorunProgram& alone) {
  ordered_json totals = program.results.at("totals");
  totals["ipc"] = program.ipc;
  totals["cycles"] = program.cycles;
  totals["progress"] = program.progress;
  totals["repetitions"] = program.repetitions;
  totals["alone"] = {{"ipc", alone.ipc}, {"cycles", alone.cycles}};
  return totals;
}

// As "sample" of a sampled run.
ordered_json sample_of(const CorunUnderPolicy& shared, const std::vector<std::string>& names) {
  ordered_json estimates = ordered_json::array();
  const auto add = [&](const std::string& statistic, double value, double bar) {
    estimates.push_back({{"statistic", statistic}, {"value", value}, {"bar", bar}});
  };
  add("cycles", static_cast<double>(shared.cycles), shared.cycles_bar);
  add("stp", shared.metrics.stp, shared.bars.stp);
  add("antt", shared.metrics.antt, shared.bars.antt);
  add("fairness", shared.metrics.fairness, shared.bars.fairness);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CorunProgram& program = shared.programs.at(i);
    add(program_prefix(names[i]) + "cycles", program.cycles, program.cycles_bar);
    add(program_prefix(names[i]) + "ipc", program.ipc, program.ipc_bar);
    add(program_prefix(names[i]) + "progress", program.progress, program.progress_bar);
  }
  return {{"confidence", 0.95}, {"estimates", std::move(estimates)}};
}

}  // namespace

CorunRequest corun_request(const SweepTask& task) {
  CorunRequest request;
  request.run = task.request();
  request.run.share = RunRequest().share;
  request.shares = {task.identity.run.share};
  request.run.timed.samples_waves = task.identity.sample;
  request.once = task.identity.once;
  request.kept = task.corun_folder;
  for (const TaskProgram& one : task.corun) {
    request.programs.push_back(one.command);
    request.registers.push_back(one.registers);
  }
  return request;
}

ordered_json kept_results(const Corun& corun, const std::vector<std::string>& names) {
  const CorunUnderPolicy& shared = corun.shared.at(0);
  ordered_json totals{{"launches", 0},
                      {"simulated", {{"timed_share", 1.0}}},
                      {"cycles", shared.cycles},
                      {"warp_instructions", 0},
                      {"thread_instructions", 0},
                      {"stp", shared.metrics.stp},
                      {"antt", shared.metrics.antt},
                      {"fairness", shared.metrics.fairness}};
  ordered_json kernels = ordered_json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CorunProgram& program = shared.programs.at(i);
    totals["programs"][names[i]] = totals_of(program, corun.alone.at(i));
    const ordered_json& own = program.results.at("totals");
    for (const char* key : {"launches", "warp_instructions", "thread_instructions"})
      totals[key] = totals[key].get<std::uint64_t>() + own.value(key, std::uint64_t{0});
    std::size_t kept = 0;
    for (const ordered_json& launch : program.results.at("kernels")) {
      if (++kept > kMaxKeptLaunches / names.size()) break;
      kernels.push_back(launch);
      kernels.back()["display_name"] =
          names[i] + kProgramSeparator + launch.at("display_name").get<std::string>();
    }
  }
  ordered_json results{{"totals", std::move(totals)}, {"kernels", std::move(kernels)}};
  if (corun.guesses()) results["sample"] = sample_of(shared, names);
  return kept_results(results);
}

CorunEnd run_corun(const SweepTask& task) {
  CorunEnd end;
  RunRecord& record = end.record;
  record.host = host_name();
  record.started = utc_now();
  const auto begin = std::chrono::steady_clock::now();
  const double before = seconds_of_children();
  try {
    const Corun result = corun(corun_request(task), 1, ReportProgress());
    end.interrupted = result.interrupted;
    if (!end.interrupted) {
      record.results = kept_results(result, task.identity.corun);
      record.peak_memory_bytes = result.peak_memory_bytes;
      if (task.identity.run.watch.details) record.run_json = config::json_text(result.json());
    }
  } catch (const CorunFailure& failure) {
    record.status = RunStatus::failed;
    record.problem = failure.what();
    record.exit_code = failure.exit_code;
  }
  record.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  record.user_seconds = seconds_of_children() - before;
  return end;
}

}  // namespace heddle::lab
