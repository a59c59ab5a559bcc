#include "lab/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/launch_lines.h"
#include "gpu/share/catalogue.h"
#include "lab/installation.h"
#include "lab/measured_run.h"
#include "lab/sample/estimate.h"
#include "lab/standard_input.h"
#include "mem/catalogue.h"
#include "sched/catalogue.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kSpecFile = "run-spec.json";
constexpr const char* kTimelineFile = "timeline.txt";
constexpr const char* kControlFile = "control";
constexpr std::string_view kMessagePrefix = "heddle: ";
constexpr const char* kInterrupted = "interrupted";
constexpr const char* kCompleted = "completed";  // the status of a process that reached its end

// Puts our runtime library under the name that the program requires into a folder for the loader.
void link_runtime(const std::string& folder, const std::string& wanted) {
  const fs::path ours = runtime_library();
  std::error_code error;
  fs::create_directories(folder, error);
  fs::create_symlink(ours, fs::path(folder) / wanted, error);
  if (error)
    throw UserError("cannot link the CUDA runtime into " + folder + ": " + error.message());
}

std::string missing_results(const Program& program, const ProcessGroup::Ended& ended) {
  const Ending& ending = ended.ending;
  if (ended.users == 0 && ending.signal == 0) {
    const std::string how = ending.exit_code == 0 ? "" : "ended with " + describe(ending) + " and ";
    if (program.linked) return "the program " + how + "made no CUDA call";
    return "the program " + how +
           "used no CUDA: neither it nor a process that it started has called libcudart.so or "
           "libcuda.so. Build CUDA programs with heddle cc, or with nvcc -cudart shared";
  }
  if (ending.signal && !program.capture.empty())
    return "the replay of the captured program was " + describe(ending);
  if (ending.signal == SIGSEGV)
    return "the program was " + describe(ending) +
           "; as on a GPU, host code cannot read or write device memory";
  if (ending.signal)
    return "the program was " + describe(ending) + " before it had written its results";
  if (ending.exit_code == static_cast<int>(ExitCode::success))
    return "the program wrote no results: it ended by _exit, or in a process that it started";
  return "the program ended with " + describe(ending) + " and wrote no results";
}

std::string damaged(const Ending& ending) {
  return "the results of the program are damaged (" + describe(ending) + ")";
}

// Some results are only written at the end of the process.
bool needs_more_than_launches(const config::RunSpec& spec) {
  return spec.check.enabled || spec.analysis.enabled || !spec.watch.timeline_path.empty() ||
         !spec.capture.path.empty();
}

// Why a run with a selection of launches timed none of them; empty when it timed one.
std::string nothing_timed(const config::RunSpec& spec, const std::string& result_file) {
  if (spec.functional || spec.timed.everything()) return {};
  MeasuredRun measured(result_file, spec.gpu);
  const ordered_json& simulated = measured.head().at("totals").at("simulated");
  if (simulated.at("timed") != 0 || simulated.at("truncated") != 0) return {};
  std::string names;
  for (ordered_json kernel; measured.read_launch(kernel);)
    if (const std::string name = plain_name(kernel.at("name"));
        names.find(" " + name + ",") == std::string::npos)
      names += " " + name + ",";
  names.pop_back();
  std::string options;
  if (!spec.timed.kernels.all()) options += "--kernels " + spec.timed.kernels.text() + " ";
  if (spec.timed.skip && spec.timed.skip + 1 == spec.from_launch)
    options += fmt::format("--from-launch {} ", spec.from_launch);
  else if (spec.timed.skip)
    options += fmt::format("--skip {} ", spec.timed.skip);
  return fmt::format(
      "nothing was timed: {}selects none of the program's {} launches (its kernels:{})", options,
      measured.launches(), names);
}

// A toolkit of the user's that can compile what a program generates when it runs, as numba does.
bool has_kernel_compiler(const char* toolkit) {
  std::error_code ignored;
  return toolkit && fs::exists(fs::path(toolkit) / "nvvm/lib64/libnvvm.so", ignored);
}

// What a run with traces cannot do.
void refuse_values(const config::RunSpec& spec) {
  const char* const what = spec.check.enabled           ? "heddle check"
                           : spec.analysis.enabled      ? "heddle analyze"
                           : !spec.capture.path.empty() ? "heddle capture"
                           : spec.functional            ? "a functional run"
                                                        : nullptr;
  if (what)
    throw UserError(
        fmt::format("'{}': {} needs the values that instructions compute, which traces do not have",
                    spec.program[0], what));
}

// The state of a device with many SMs is far larger than the host's TLB covers, and every window
// visits all of it. With pages of 2 MiB such a run takes a fifth to a third less time. A value that
// the user has set stays.
std::string with_large_pages(const char* inherited) {
  const std::string set = inherited ? inherited : "";
  if (set.find("glibc.malloc.hugetlb") != std::string::npos) return set;
  return "glibc.malloc.hugetlb=1" + (set.empty() ? set : ":" + set);
}

// The totals and figures of a sampled run are estimates for the whole program.
void read_sampled_launches(const PreparedRun& run, MeasuredRun& file, RunOutcome& outcome) {
  ordered_json& results = outcome.results;
  SampleEstimate estimate(run.sample());
  std::vector<ordered_json> weighted;
  for (ordered_json launch; file.read_launch(launch);) {
    if (ordered_json one = estimate.add(launch); !one.is_null()) weighted.push_back(std::move(one));
    if (run.keeps_launches()) results["kernels"].push_back(std::move(launch));
  }
  if (outcome.problem = estimate.problem(); !outcome.problem.empty()) return;
  ordered_json totals = estimate.totals(run.spec().gpu);
  totals["simulated"] = results["totals"]["simulated"];
  results["totals"] = std::move(totals);
  if (estimate.guesses()) results["sample"] = estimate.sample();
  outcome.figures = read_figures(results, run.spec().gpu.sm.max_warps(), [&](const UseLaunch& use) {
    for (const ordered_json& launch : weighted) use(launch);
  });
  outcome.figures.total.launches = run.sample()->launches().size();
  for (KernelFigures& kernel : outcome.figures.kernels)
    kernel.launches = run.sample()->launches_of(kernel.name);
}

}  // namespace

PreparedRun::PreparedRun(const RunRequest& request) : source_folders_(request.source_folders) {
  if (request.program.empty())
    throw UserError("which program? Give its path after the options, then its arguments");
  static_cast<config::RunChoices&>(spec_) = request;
  spec_.gpu = config::load_gpu(request.gpu, request.overrides);
  mem::resolve_policies(spec_.gpu);
  spec_.registers = parse_registers(request.registers);
  if (spec_.scheduler.empty()) spec_.scheduler = spec_.gpu.default_scheduler;
  if (!spec_.cubin.empty()) spec_.cubin = fs::absolute(spec_.cubin).lexically_normal().string();
  for (std::string& file : spec_.plugins) file = fs::absolute(file).lexically_normal().string();
  policy_ = sched::parse_policy(spec_.scheduler, sched::Plugins(spec_.plugins));
  if (const std::string missing = policy_->missing_input(); !missing.empty())
    throw UserError(missing);
  cta_policy_ = gpu::parse_cta_policy(spec_.cta_scheduler, gpu::CtaPlugins(spec_.plugins));
  spec_.share = gpu::parse_share_policy(request.share, gpu::SharePlugins(spec_.plugins))->text();
  program_ = inspect_program(request.program[0]);
  if ((!program_.capture.empty() || !program_.description.empty()) && request.program.size() > 1)
    throw UserError("'" + request.program[1] +
                    "': a captured or traced program and a described kernel take no arguments");
  const bool as_machine_code = spec_.isa == config::CodeKind::sass || !spec_.cubin.empty();
  if (as_machine_code && (!program_.capture.empty() || !request.corun.captures.empty()))
    throw UserError("captured and traced programs have code of their own: omit --isa and --cubin");
  if (program_.traced) refuse_values(spec_);
  input_ = request.input;
  keep_launches_ = request.keep_launches;
  sample_ = request.sample;
  spec_.memory_bytes = program_.memory_bytes;
  if (!spec_.capture.path.empty())
    spec_.capture.path = fs::absolute(spec_.capture.path).lexically_normal().string();
  if (request.functional && !request.timed.everything())
    throw UserError(
        "--functional times nothing: omit it, or omit --kernels, --skip and the limits");
  if (request.analysis.check && !request.functional)
    throw UserError("--check-analysis compares addresses in a functional run: add --functional");
  if (request.watch.pattern_sm >= spec_.gpu.sms())
    throw UserError(fmt::format("--pattern-sm {}: {} has {} SMs, numbered from 0",
                                request.watch.pattern_sm, spec_.gpu.name, spec_.gpu.sms()));
  spec_.timed.skip = std::max(spec_.timed.skip, request.from_launch - 1);
  spec_.from_launch = std::max(spec_.from_launch, spec_.timed.range.warms_from);
  spec_.watch.cta_sharing |= request.watch.details;
  if (!request.warp_logs.empty() && spec_.watch.timeline_path.empty())
    spec_.watch.timeline_path = kTimelineFile;
}

ChildCommand PreparedRun::command(const TemporaryFolder& folder) const {
  config::RunSpec spec = spec_;
  spec.scheduler = policy_->text();  // with absolute paths: the program may run in another folder
  spec.result_path = folder.file(kResultFile);
  spec.control_path = folder.file(kControlFile);
  RunControl::create(spec.control_path);
  if (!spec.watch.timeline_path.empty()) spec.watch.timeline_path = folder.file(kTimelineFile);
  write_file_atomically(folder.file(kSpecFile), spec.to_json());
  link_runtime(folder.file("lib"), program_.runtime_library);

  ChildCommand command;
  command.arguments = spec_.program;
  command.arguments[0] = program_.path;
  for (const std::string& file : {program_.capture, program_.description})
    if (!file.empty()) command.arguments.push_back(file);
  const char* inherited = std::getenv("LD_LIBRARY_PATH");
  command.environment["LD_LIBRARY_PATH"] =
      folder.file("lib") + ":" + library_folder() +
      (inherited && *inherited ? std::string(":") + inherited : "");
  if (!has_kernel_compiler(std::getenv("CUDA_HOME")))
    command.environment["CUDA_HOME"] = toolkit_folder();
  command.environment["GLIBC_TUNABLES"] = with_large_pages(std::getenv("GLIBC_TUNABLES"));
  command.environment[config::kRunSpecVariable] = folder.file(kSpecFile);
  command.control = spec.control_path;
  if (input_) command.input = input_->open_for_run();
  return command;
}

SourceFiles PreparedRun::source_files() const {
  const bool replayed = !program_.capture.empty();
  return SourceFiles::of_program(replayed                       ? program_.capture
                                 : program_.description.empty() ? program_.path
                                                                : program_.description,
                                 source_folders_);
}

int RunOutcome::exit_code() const {
  if (interrupting_signal && (!usable() || !interrupted.empty()))
    return kKilledBySignal + interrupting_signal;
  if (ending.signal) return kKilledBySignal + ending.signal;
  if (fault) return static_cast<int>(ExitCode::simulation);
  if (ending.exit_code != 0 || (usable() && lost_output.empty())) return ending.exit_code;
  return static_cast<int>(ExitCode::usage);
}

RunOutcome gather(const PreparedRun& run, const TemporaryFolder& folder,
                  const ProcessGroup::Ended& ended) {
  RunOutcome outcome;
  const Ending& ending = outcome.ending = ended.ending;
  outcome.launching_users = ended.launching_users;
  outcome.sources = std::make_shared<SourceFiles>(run.source_files());
  MeasuredRun file(folder.file(kResultFile), run.spec().gpu);
  const ordered_json& measured = file.head();
  // A script may end by the signal that has interrupted its program.
  const bool stopped = measured.is_object() && measured.value("status", "") == kInterrupted;
  const config::RunSpec& spec = run.spec();
  if (file.written() && (measured.is_discarded() || !measured.is_object())) {
    outcome.problem = damaged(ending);
    return outcome;
  }
  const bool killed = ending.signal && !stopped;
  const std::string killed_how = killed ? missing_results(run.program(), ended) : "";
  if (!file.written() || (killed && file.launches() == 0) ||
      (file.of_launches_only() && needs_more_than_launches(spec))) {
    outcome.problem = missing_results(run.program(), ended);
    return outcome;
  }
  if (measured.contains("check")) outcome.check = measured["check"];
  if (measured.contains("analysis")) outcome.analysis = measured["analysis"];
  const std::string status = measured.value("status", kCompleted);
  if (status == kInterrupted) {
    outcome.interrupted = measured.value("diagnostic", kInterrupted);
  } else if (status != kCompleted) {
    const std::string diagnostic =
        measured.value("diagnostic", "the simulation stopped before its end (" + status + ")");
    outcome.problem = diagnostic.substr(0, diagnostic.find('\n'));
    if (outcome.problem.starts_with(kMessagePrefix))
      outcome.problem.erase(0, kMessagePrefix.size());
    outcome.reported = true;
    outcome.fault = status == "fault";
    return outcome;
  }
  if (status == kCompleted) outcome.lost_output = measured.value("diagnostic", "");
  if (file.launches() == 0) {
    outcome.idle = outcome.interrupted.empty() && ending.exit_code == 0;
    outcome.problem =
        outcome.interrupted.empty()
            ? "the program launched no kernel: there is nothing to simulate (" + describe(ending) +
                  ")"
            : outcome.interrupted + ": no kernel was finished, so there are no results";
    return outcome;
  }
  if (outcome.problem = nothing_timed(spec, folder.file(kResultFile));
      !outcome.problem.empty() && outcome.interrupted.empty() && !killed)
    return outcome;
  outcome.problem.clear();
  ordered_json& results = outcome.results;
  results["heddle"] = {{"version", HEDDLE_VERSION}};
  results["gpu"] = spec.gpu.name;
  results["scheduler"] = spec.scheduler;
  results["cta_scheduler"] = spec.cta_scheduler;
  results["share"] = spec.share;
  if (!spec.plugins.empty()) results["plugins"] = spec.plugins;
  results["functional"] = spec.functional;
  results["seed"] = spec.seed;
  results["configuration"] = {{"hash", config::hash(spec.gpu)},
                              {"toml", config::to_toml(spec.gpu)}};
  results["program"] = {
      {"path", spec.program[0]},
      {"arguments", std::vector<std::string>(spec.program.begin() + 1, spec.program.end())},
      {"registers", spec.registers},
      {"exit_code", killed ? kKilledBySignal + ending.signal : ending.exit_code},
      {"verdict", !outcome.interrupted.empty()       ? kInterrupted
                  : ending.exit_code == 0 && !killed ? "passed"
                                                     : "failed"}};
  if (!spec.timed.everything())
    results["timed_part"] = {
        {"kernels", spec.timed.kernels.all() ? "all" : spec.timed.kernels.text()},
        {"skip", spec.timed.skip},
        {"limit_cycles", spec.timed.limit_cycles},
        {"limit_instructions", spec.timed.limit_instructions}};
  results["status"] = status;
  results["totals"] = measured.at("totals");
  results["kernels"] = ordered_json::array();
  for (const auto& [key, value] : measured.items())
    if (key != "status" && key != gpu::kLaunchesProcess) results[key] = value;
  if (!spec.watch.timeline_path.empty()) outcome.timeline = read_file(folder.file(kTimelineFile));
  if (run.sample()) {
    read_sampled_launches(run, file, outcome);
  } else {
    std::uint64_t launches = 0;
    outcome.figures = read_figures(results, spec.gpu.sm.max_warps(), [&](const UseLaunch& use) {
      for (ordered_json launch; file.read_launch(launch); ++launches) {
        use(launch);
        if (run.keeps_launches()) results["kernels"].push_back(std::move(launch));
      }
    });
    if (launches != file.launches()) outcome.problem = damaged(ending);
  }
  if (killed) {
    outcome.problem = fmt::format("{}; the results are those of {} complete launches", killed_how,
                                  file.launches());
    outcome.partial_results = std::exchange(results, nullptr);
  }
  return outcome;
}

std::string missing_processes(const RunOutcome& outcome) {
  if (outcome.launching_users < 2) return {};
  return fmt::format(
      "{} processes of the program launched kernels, and the results are those of the last one: "
      "run them one by one",
      outcome.launching_users);
}

RunOutcome run_program(const PreparedRun& run, const std::string& run_json) {
  ProcessGroup group;  // the folder is removed before a signal can end this process
  const TemporaryFolder folder;
  group.start(run.command(folder));
  RunOutcome outcome = gather(run, folder, group.wait_any());
  outcome.interrupting_signal = group.interrupted();
  ordered_json results = outcome.usable() ? outcome.results : outcome.partial_results;
  if (!results.is_null() && !run_json.empty()) {
    MeasuredRun measured(folder.file(kResultFile), run.spec().gpu);
    results["kernels"] = ordered_json::array();
    write_run_json(run_json, results, measured);
  }
  return outcome;
}

WarpPlace parse_warp_place(const std::string& text) {
  WarpPlace place;
  const char* const end = text.data() + text.size();
  const auto cta = std::from_chars(text.data(), end, place.cta);
  const bool colon = cta.ec == std::errc{} && cta.ptr != end && *cta.ptr == ':';
  const auto warp = std::from_chars(colon ? cta.ptr + 1 : end, end, place.warp);
  if (!colon || warp.ec != std::errc{} || warp.ptr != end)
    throw UserError(
        "--warp-log " + text +
        ": must read CTA:WARP, the number of a CTA in its grid and of a warp in it, such as 0:3");
  return place;
}

std::map<std::string, std::uint32_t> parse_registers(const std::vector<std::string>& texts) {
  std::map<std::string, std::uint32_t> registers;
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    std::uint32_t count = 0;
    const char* first = text.data() + (equals == std::string::npos ? text.size() : equals + 1);
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), count);
    if (equals == 0 || error != std::errc{} || end != text.data() + text.size() || count < 1 ||
        count > 255)
      throw UserError("--registers " + text +
                      ": must read KERNEL=N with N from 1 to 255, such as --registers spmv=20");
    registers[text.substr(0, equals)] = count;
  }
  return registers;
}

}  // namespace heddle::lab
