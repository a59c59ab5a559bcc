// heddle run
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/executor_options.h"
#include "cli/fitting_gpu.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/sweep_progress.h"
#include "cli/verbs.h"
#include "config/config.h"
#include "cuda/capture/capture_file.h"
#include "lab/kernel_statistics.h"
#include "lab/parts/parts.h"
#include "lab/sample/cost.h"
#include "report/cost_text.h"
#include "report/explain.h"
#include "report/perfetto.h"
#include "report/plot.h"
#include "report/run_page.h"
#include "report/series_csv.h"
#include "report/statistics_table.h"
#include "report/text_table.h"
#include "report/warp_log.h"
#include "stats/number_text.h"

namespace heddle::cli {
namespace {

struct RunVerbOptions : RunOptions {
  lab::PartsRequest parts;
  std::string executor = kLocalExecutor;
  bool explain = false, estimate = false;
  std::string timeline, window;
  std::vector<std::string> warp_logs, statistics;
  std::vector<stats::FieldInfo> selected_statistics;
};

// "FROM:TO"
void read_window(const std::string& text, config::WatchSpec& watch) {
  const auto number = [&](std::string_view part, std::uint64_t& into) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), into);
    if (error != std::errc{} || end != part.data() + part.size())
      throw UserError("--timeline-window " + text +
                      ": must read FROM:TO in core cycles, such as 20000:30000");
  };
  const auto colon = std::min(text.find(':'), text.size());
  number(std::string_view(text).substr(0, colon), watch.timeline_from);
  number(std::string_view(text).substr(std::min(colon + 1, text.size())), watch.timeline_to);
  if (watch.timeline_from >= watch.timeline_to)
    throw UserError("--timeline-window " + text + ": FROM must be less than TO");
}

// The cycles in which timed launches run.
std::string cycles_with_kernels(const nlohmann::ordered_json& results) {
  std::uint64_t from = ~std::uint64_t{0}, to = 0;
  for (const auto& launch : results.at("kernels")) {
    const auto start = launch.value("start_cycle", std::uint64_t{0}),
               cycles = launch.value("cycles", std::uint64_t{0});
    if (cycles == 0) continue;
    from = std::min(from, start);
    to = std::max(to, start + cycles);
  }
  return to == 0 ? "no kernel is timed"
                 : fmt::format("kernels run in the cycles {} to {}", stats::grouped(from),
                               stats::grouped(to));
}

// Of --timeline and --warp-log.
void print_timeline(const RunVerbOptions& options, const lab::RunRequest& request,
                    const lab::RunOutcome& outcome) {
  const stats::Timeline timeline = stats::timeline_from_text(outcome.timeline);
  if (!options.timeline.empty()) {
    lab::write_file_atomically(options.timeline, report::to_perfetto(timeline));
    std::cerr << "heddle: timeline in " << options.timeline
              << " (open it at ui.perfetto.dev; a microsecond there is a core cycle)\n";
  }
  for (const auto& [cta, warp] : request.warp_logs)
    std::cerr << report::warp_log(timeline, cta, warp, terminal_width(2, 0));
  if (timeline.slices.empty())
    std::cerr << fmt::format(
        "heddle: the timeline is empty: no kernel runs in the cycles {} to {}; {}\n",
        stats::grouped(request.watch.timeline_from), stats::grouped(request.watch.timeline_to),
        cycles_with_kernels(outcome.results));
  if (timeline.truncated)
    std::cerr << "heddle: the timeline is full and not complete; use a smaller --timeline-window\n";
}

void print_reports(const RunVerbOptions& options, const lab::RunRequest& request,
                   const lab::RunOutcome& outcome) {
  if (!options.timeline.empty() || !options.warp_logs.empty())
    print_timeline(options, request, outcome);
  if (!options.out.empty())
    if (const std::string series = report::series_csv(outcome.results); !series.empty())
      lab::write_file_atomically(options.out + "/series.csv", series);
  if (options.plot == RunOptions::kPlotHere)
    std::cerr << report::plot_run(outcome.results, report::canvas_of(2), options.series);
  if (options.plot_to_file())
    write_picture(options.plot, report::svg_of_run(outcome.results, options.series));
  if (!options.report.empty()) write_report(options.report, report::page_of_run(request, outcome));
  if (options.explain) std::cerr << report::explain(outcome, terminal_width(2, kWidePlainWidth));
  if (!options.selected_statistics.empty())
    std::cerr << report::statistics_table(
        options.selected_statistics,
        lab::statistics_by_kernel(outcome.results,
                                  config::load_gpu(request.gpu, request.overrides)),
        terminal_width(2, kPlainWidth));
  note_hidden_sources(*outcome.sources);
}

int print_cost(const lab::RunRequest& request) {
  const lab::RunCost cost = lab::estimate_cost(request);
  if (cost.interrupted) return kKilledBySignal + cost.interrupted;
  std::cout << report::cost_text(cost);
  return static_cast<int>(ExitCode::success);
}

// The run as parts, which are put together when all have results.
int run_parts(const RunVerbOptions& options, const lab::RunRequest& request,
              const AfterRun& after_run) {
  if (options.out.empty())
    throw UserError("--parts needs --out: DIR/parts keeps what the parts have in common");
  lab::require_writable_folder(options.out);
  lab::PartsRequest parts = options.parts;
  parts.run = request;
  parts.folder = options.out + "/parts";
  parts.sweep.slurm = options.executor == kSlurmExecutor;
  SweepProgressOutput output(options.quiet);
  const lab::PartsOutcome outcome =
      lab::run_in_parts(parts, output.listener(), options.out + "/run.json");
  output.clear();
  if (outcome.kept > 0 && !options.quiet)
    std::cerr << fmt::format("heddle: {} of {} parts are kept from an earlier run\n", outcome.kept,
                             outcome.parts);
  for (const std::string& problem : outcome.problems)
    std::cerr << "heddle: error: " << problem << "\n";
  if (outcome.interrupted) {
    std::cerr << "heddle: error: interrupted; the same command resumes\n";
    return kKilledBySignal + outcome.interrupted;
  }
  if (outcome.exit_code != 0) return outcome.exit_code;
  if (!outcome.problems.empty()) return static_cast<int>(ExitCode::failure);
  if (outcome.submitted) {
    std::cerr << "heddle: jobs are at work; the same command gathers their results\n";
    return static_cast<int>(ExitCode::success);
  }
  return report_run(outcome.run, options.out, options.quiet, after_run);
}

// --from-launch of a capture without an image at that launch.
void note_missing_image(const lab::RunRequest& request) {
  const std::string& program = request.program[0];
  if (!cuda::is_capture(program)) return;
  const std::vector<std::uint64_t> images = cuda::read_info(program).images;
  if (std::none_of(images.begin(), images.end(),
                   [&](std::uint64_t launch) { return launch <= request.from_launch; }))
    std::cerr << "heddle: " << program << " has no image of memory at or before launch "
              << request.from_launch
              << ": the earlier launches run functionally (heddle capture --images-every)\n";
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("run", "run a CUDA program on a simulated GPU");
  auto options = std::make_shared<RunVerbOptions>();
  add_run_options(*verb, *options);
  verb->add_option(
          "-s,--scheduler", options->request.scheduler,
          "warp scheduler and its parameters (heddle list schedulers); the GPU's own by default")
      ->type_name("POLICY");
  add_cta_scheduler_option(*verb, *options);
  add_share_option(*verb, *options);
  verb->add_option("--from-launch", options->request.from_launch,
                   "start at launch N: at an image of a captured program, or after the earlier "
                   "launches have run functionally")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}));
  verb->add_flag("-f,--functional", options->request.functional,
                 "compute the results without timing");
  verb->add_flag(
      "--check-analysis", options->request.analysis.check,
      "with --functional: compare every access with its affine form (docs/analyze.md#is-it-right)");
  verb->add_flag("--details", options->request.watch.details,
                 "statistics per instruction, loop, scheduler and CTA in run.json");
  verb->add_option("--pattern-sm", options->request.watch.pattern_sm,
                   "the SM whose issue pattern --details records; 0 by default")
      ->type_name("SM");
  verb->add_flag("--cta-sharing", options->request.watch.cta_sharing,
                 "count L1 hits on lines of other CTAs; implied by --details");
  verb->add_flag("--first-warp", options->request.watch.first_warp,
                 "count the caches until the first warp of each launch ends, too");
  verb->add_flag("--explain", options->explain, "print where the time went; implies --details");
  verb->add_option("--stats", options->statistics,
                   "print these statistics of each kernel and in total (heddle list stats)")
      ->type_name("STATISTIC,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_sample_option(*verb, *options);
  verb->add_flag("--estimate", options->estimate,
                 "print how long a full and a sampled run take here, and run neither");
  verb->add_option("--parts", options->parts.parts,
                   "cut the run by launches into N parts, which run as separate jobs and are put "
                   "together again; needs --out")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000));
  add_executor_options(*verb, options->parts.sweep, options->executor, "With --parts");
  add_interval_option(*verb, *options);
  add_report_option(*verb, *options);
  add_source_option(*verb, options->request.source_folders);
  verb->add_option(
          "--timeline", options->timeline,
          "record warps, CTAs, queues and DRAM banks, cycle by cycle, for the Perfetto viewer")
      ->type_name("FILE");
  verb->add_option("--timeline-window", options->window,
                   "core cycles of the timeline and of warp logs; 0:10000 by default")
      ->type_name("FROM:TO");
  verb->add_option("--warp-log", options->warp_logs,
                   "print what a warp of a CTA did, cycle by cycle, and what it waited for; "
                   "may be repeated")
      ->type_name("CTA:WARP")
      ->allow_extra_args(false);
  verb->footer(
      "The program keeps its standard output and its exit code; Heddle's summary goes to standard "
      "error.\n"
      "--out DIR writes DIR/run.json: totals, every kernel launch, the effective configuration.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      if (request.functional && verb->get_option("--gpu")->count() == 0)
        if (const std::string chosen = choose_functional_gpu(request); !options->quiet)
          std::cerr << chosen;
      request.watch.details |= options->explain;
      if (request.from_launch > 1) note_missing_image(request);
      if (!options->plot.empty() && request.watch.interval == 0)
        request.watch.interval = kPictureInterval;
      prepare_report(*options, request);
      request.keep_launches = request.watch.details || request.watch.interval > 0 ||
                              !options->plot.empty() || !options->report.empty() ||
                              !options->statistics.empty() || !options->timeline.empty() ||
                              !options->warp_logs.empty();
      options->selected_statistics = lab::select_statistics(options->statistics, request.plugins);
      request.watch.timeline_path = options->timeline;
      for (const std::string& text : options->warp_logs)
        request.warp_logs.push_back(lab::parse_warp_place(text));
      if (!options->window.empty()) {
        if (options->timeline.empty() && options->warp_logs.empty())
          throw UserError("--timeline-window needs --timeline or --warp-log");
        read_window(options->window, request.watch);
      }
      if (options->sample && !options->statistics.empty())
        throw UserError("--sample: --stats of single kernels are not estimated; omit one of them");
      if (options->estimate) return print_cost(request);
      if (const int interrupted = prepare_sample(*options, request)) return interrupted;
      const auto after_run = [&](const lab::RunOutcome& outcome) {
        print_reports(*options, request, outcome);
        if (request.sample && !outcome.figures.cycles_bar)
          std::cerr << "heddle: --sample: every launch is timed whole: no launch stands for "
                       "others, and no waves of CTAs agree\n";
      };
      const int code = options->parts.parts > 0
                           ? run_parts(*options, request, after_run)
                           : run_once(request, options->out, options->quiet, after_run);
      if (code != 0) std::cerr << newer_gpu_hint(request);
      return code;
    };
  });
}

}  // namespace heddle::cli
