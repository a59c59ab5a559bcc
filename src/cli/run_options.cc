#include "cli/run_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>

#include "base/diagnostics.h"
#include "base/text_bytes.h"
#include "lab/picture_file.h"
#include "lab/process.h"
#include "lab/sample/pass.h"
#include "lab/sample/plan.h"
#include "report/cost_text.h"
#include "stats/number_text.h"
#include "trace/kernel_list.h"

namespace heddle::cli {
namespace {

// The program is the first word without a dash. Options after it belong to the program.
class ProgramUsage : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    return "Usage: heddle " + app->get_name() + " [OPTIONS] PROGRAM [ARGUMENTS...]\n";
  }
};

constexpr std::uint64_t kMaxCount = 1'000'000'000'000'000'000;  // of what is counted in a run

// Also of formats that Heddle does not write, so that such a name is not taken for the program.
bool is_picture_name(const std::string& word) {
  return std::ranges::any_of(std::array{".svg", ".pdf", ".png", ".eps", ".ps", ".jpg", ".jpeg",
                                        ".gif", ".webp", ".bmp", ".tif", ".tiff", ".html"},
                             [&](const char* ending) { return word.ends_with(ending); });
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

void add_plugin_option(CLI::App& verb, std::vector<std::string>& files, const char* meaning) {
  verb.add_option("--plugin", files, meaning)->type_name("FILE")->allow_extra_args(false);
}

void add_machine_options(CLI::App& verb, RunOptions& options) {
  verb.prefix_command();
  verb.add_option("-g,--gpu", options.request.gpu,
                  "GPU: a preset (heddle list gpus) or a .toml file")
      ->type_name("GPU")
      ->capture_default_str();
  verb.add_option("--set", options.request.overrides,
                  "change a parameter: sm.l1d.size=32KiB (heddle list parameters)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_plugin_option(verb, options.request.plugins,
                    "shared object with your own schedulers; may be repeated");
  verb.add_option_function<std::string>(
          "--isa", [&](const std::string& name) { from_string(name, options.request.isa); },
          "code that is executed: ptx, sass (machine code), or auto: PTX if there is some")
      ->type_name("ISA")
      ->check(CLI::IsMember(config::code_kinds()).description("{auto,ptx,sass}"))
      ->default_str("auto");
  verb.add_option("--cubin", options.request.cubin,
                  "execute the machine code of this file in place of the program's: a cubin, or "
                  "what nvcc put some into")
      ->type_name("FILE");
  verb.add_option("--registers", options.request.registers,
                  "registers per thread of a kernel; they limit its occupancy")
      ->type_name("KERNEL=N")
      ->allow_extra_args(false);
  verb.add_option("--seed", options.request.seed, "seed of policies that use random numbers")
      ->type_name("N")
      ->capture_default_str();
  verb.add_option("--threads", options.request.threads,
                  "host threads of one run; results do not depend on them")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  verb.add_flag("--force-threads", options.request.share_always,
                "use all threads even when that is slower, for checks");
  verb.add_flag_callback(
          "--share-always",
          [&options] {
            options.request.share_always = true;
            std::cerr << "heddle: warning: --share-always is now called --force-threads\n";
          },
          "old name of --force-threads")
      ->group("");
}

void add_run_options(CLI::App& verb, RunOptions& options) {
  add_machine_options(verb, options);
  verb.formatter(std::make_shared<ProgramUsage>());
  verb.add_option(
          "--kernels", options.kernels,
          "launches to time, by number or kernel name: 3,5..7,bfs*; others run functionally")
      ->type_name("LIST");
  verb.add_option("--skip", options.request.timed.skip, "run the first N launches functionally")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, kMaxCount));
  verb.add_option("--limit-cycles", options.request.timed.limit_cycles,
                  "stop timing after N core cycles and run the rest functionally")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMaxCount));
  verb.add_option("--limit-instructions", options.request.timed.limit_instructions,
                  "stop timing after N thread instructions and run the rest functionally")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMaxCount));
  verb.add_option("--trace", options.trace,
                  "in place of a program, replay its traces of Accel-Sim's tracer: kernelslist.g")
      ->type_name("FILE");
  verb.add_option("-o,--out", options.out, "folder for the results")->type_name("DIR");
  verb.add_flag("--plot{here}", options.plot,
                "draw on the terminal; --plot FILE writes a picture: FILE.svg, .pdf or .png")
      ->type_name("[FILE]");
  verb.add_flag("-q,--quiet", options.quiet, "no progress and no summary");
}

void add_cta_scheduler_option(CLI::App& verb, RunOptions& options) {
  verb.add_option("--cta-scheduler", options.request.cta_scheduler,
                  "CTA scheduler and its parameters (heddle list cta-schedulers)")
      ->type_name("CTA_POLICY")
      ->capture_default_str();
}

void add_share_option(CLI::App& verb, RunOptions& options) {
  verb.add_option("--share", options.request.share,
                  "how kernels that run at once share the SMs (heddle list share-policies)")
      ->type_name("SHARE_POLICY")
      ->capture_default_str();
}

void add_report_option(CLI::App& verb, RunOptions& options) {
  verb.add_option("--report", options.report,
                  "write an HTML page with tables and charts; implies details and a time series")
      ->type_name("FILE.html");
}

void add_source_option(CLI::App& verb, std::vector<std::string>& folders) {
  verb.add_option("--source-path", folders,
                  "show source files below this folder, too, not only those below the folder of "
                  "the program; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void note_hidden_sources(const SourceFiles& sources) {
  const std::vector<std::string> hidden = sources.refused();
  if (hidden.empty()) return;
  const std::string more =
      hidden.size() > 1 ? " and of " + std::to_string(hidden.size() - 1) + " more" : "";
  std::cerr << "heddle: lines of " << readable_text(hidden.front()) << more
            << " are not shown: --source-path DIR shows source files below DIR\n";
}

void prepare_report(const RunOptions& options, lab::RunRequest& request) {
  if (options.report.empty()) return;
  lab::require_writable_file(options.report);
  request.watch.details = true;
  if (request.watch.interval == 0) request.watch.interval = kPictureInterval;
}

void write_report(const std::string& path, const std::string& html) {
  lab::write_file_atomically(path, html);
  std::cerr << "heddle: report in " << path << " (open it in a browser)\n";
}

void write_picture(const std::string& path, const std::string& svg) {
  lab::write_picture(path, svg);
  std::cerr << "heddle: picture in " << path << "\n";
}

void add_sample_option(CLI::App& verb, RunOptions& options) {
  verb.add_flag("--sample", options.sample,
                "time launches and waves of CTAs that stand for the others, and estimate the whole "
                "program, which runs twice");
}

int prepare_sample(const RunOptions& options, lab::RunRequest& request) {
  if (!options.sample) return 0;
  const lab::SamplePass pass = lab::plan_sample(request);
  if (pass.interrupted) return kKilledBySignal + pass.interrupted;
  if (!pass.whole.empty())
    std::cerr << "heddle: --sample: the whole program is timed: " << pass.whole << "\n";
  else if (!options.quiet)
    std::cerr << fmt::format(
        "heddle: --sample: the functional pass took {}; {} of {} launches are timed, with "
        "{} of the instructions, the caches' warm-up included\n",
        report::about(pass.seconds), pass.plan->timed_launches(), pass.plan->launches().size(),
        stats::percent(static_cast<double>(pass.plan->timed_instructions()) /
                       static_cast<double>(std::max<std::uint64_t>(1, pass.plan->instructions()))));
  return 0;
}

void add_interval_option(CLI::App& verb, RunOptions& options) {
  verb.add_option("--interval", options.request.watch.interval,
                  "record all counters every CYCLES core cycles, for run.json and for --plot")
      ->type_name("CYCLES")
      ->check(CLI::Range(1, 1000000000));
  verb.add_option("--series", options.series,
                  "draw these series alone: ipc, a column of series.csv, or a quotient of two: "
                  "l2.hits/l2.accesses")
      ->type_name("SERIES,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(verb.get_option("--plot"));
}

void join_plot_file(const CLI::App& app, std::vector<std::string>& words) {
  const auto verbs = app.get_subcommands(
      [&](const CLI::App* one) { return !words.empty() && one->get_name() == words[0]; });
  if (verbs.empty()) return;
  for (std::size_t i = 1; i + 1 < words.size() && words[i].starts_with("-"); ++i) {
    if (words[i] == "--plot" && is_picture_name(words[i + 1])) {
      words[i] += "=" + words[i + 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return;
    }
    const CLI::Option* option = verbs[0]->get_option_no_throw(words[i]);
    if (option && option->get_items_expected_min() > 0) ++i;
  }
}

void note_options_behind_program(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands()) {
    if (!verb->get_prefix_command()) continue;
    const std::vector<std::string> names = option_names(*verb), words = verb->remaining();
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (std::ranges::find(names, words[i].substr(0, words[i].find('='))) == names.end()) continue;
      std::cerr << "heddle: options come before the program: " << words[i]
                << " was given to the program as its argument\n";
      return;
    }
  }
}

lab::RunRequest request_of(const CLI::App& verb, const RunOptions& options) {
  lab::RunRequest request = options.request;
  if (verb.get_option("--kernels")->count())
    request.timed.kernels = config::KernelSelection(options.kernels);
  if (options.plot_to_file()) lab::require_picture_file("--plot", options.plot);
  request.program = verb.remaining();
  if (!request.program.empty() && request.program[0] == "--")
    request.program.erase(request.program.begin());
  if (!options.trace.empty()) {
    if (!request.program.empty())
      throw UserError("--trace takes the place of a program: omit " + request.program[0]);
    if (!trace::is_kernel_list(options.trace))
      throw UserError("--trace " + options.trace +
                      ": not a list of copies and kernels, as kernelslist.g is");
    request.program = {options.trace};
  }
  if (request.program.empty())
    throw UserError("which program? heddle " + verb.get_name() +
                    " [OPTIONS] PROGRAM [ARGUMENTS...]");
  const std::string& first = request.program[0];
  if (first.starts_with("-")) {
    throw UserError("heddle " + verb.get_name() + " has no option " + first +
                    did_you_mean(first.substr(0, first.find('=')), option_names(verb)));
  }
  return request;
}

}  // namespace heddle::cli
