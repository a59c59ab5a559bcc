// heddle corun
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/progress.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/corun.h"
#include "lab/picture_file.h"
#include "report/corun_report.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

struct CorunOptions : RunOptions {
  std::string shares, svg;
  bool once = false, json = false, explain = false;
  int jobs = 0;
};

class CorunUsage : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: heddle corun [OPTIONS] CAPTURE -- CAPTURE [-- CAPTURE...]\n";
  }
};

// A.hcap -- B.hcap: the words between "--".
std::vector<std::vector<std::string>> programs_of(const CLI::App& verb) {
  std::vector<std::vector<std::string>> programs;
  bool begins = true;
  for (const std::string& word : verb.remaining()) {
    if (word == "--") {
      if (begins && !programs.empty()) throw UserError("there is no program between -- and --");
      begins = true;
      continue;
    }
    if (begins) programs.emplace_back();
    programs.back().push_back(word);
    begins = false;
  }
  if (programs.empty())
    throw UserError("no program is given: heddle corun [OPTIONS] A.hcap -- B.hcap");
  if (programs[0][0].starts_with("-"))
    throw UserError("heddle corun has no option " + programs[0][0]);
  return programs;
}

lab::CorunRequest request_of(const CLI::App& verb, const CorunOptions& options) {
  lab::CorunRequest request;
  request.run = options.request;
  request.run.timed.samples_waves = options.sample;
  request.once = options.once;
  request.shares = options.shares.empty() ? std::vector{options.request.share}
                                          : lab::split_share_policies(options.shares);
  if (!options.svg.empty()) lab::require_picture_file("--svg", options.svg);
  request.programs = programs_of(verb);
  return request;
}

int corun(const lab::CorunRequest& request, const CorunOptions& options) {
  if (!options.out.empty()) lab::require_writable_folder(options.out);
  const lab::Corun result = [&] {
    const ProgressLine progress(!options.quiet);
    return lab::corun(request, options.jobs, [&](const std::string& text) { progress.show(text); });
  }();
  if (result.interrupted) {
    std::cerr << "heddle: error: interrupted; no results\n";
    return kKilledBySignal + result.interrupted;
  }
  if (options.sample && !result.guesses())
    std::cerr << "heddle: --sample: every launch is timed whole: no waves of CTAs stand for others "
                 "while all programs run\n";
  const int width = terminal_width(STDOUT_FILENO, kPlainWidth);
  std::cout << (options.json ? json_text(result.json()) : report::corun_report(result, width));
  if (options.explain && !options.json) std::cout << "\n" << report::explain_corun(result, width);
  std::cout << std::flush;
  if (!options.out.empty())
    lab::write_file_atomically(options.out + "/run.json", json_text(result.json()));
  if (!options.svg.empty()) {
    lab::write_picture(options.svg, report::svg_of_corun(result));
    if (!options.quiet) std::cerr << "heddle: picture in " << options.svg << "\n";
  }
  return static_cast<int>(ExitCode::success);
}

int run_and_report(const lab::CorunRequest& request, const CorunOptions& options) {
  try {
    return corun(request, options);
  } catch (const lab::CorunFailure& failure) {
    std::cerr << failure.errors << "heddle: " << failure.what() << "\n";
    return failure.exit_code;
  }
}

}  // namespace

void add_corun(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("corun", "run several programs at once on one simulated GPU");
  auto options = std::make_shared<CorunOptions>();
  add_machine_options(*verb, *options);
  verb->formatter(std::make_shared<CorunUsage>());
  verb->add_option("-s,--scheduler", options->request.scheduler,
                   "warp scheduler; K0=gto,K1=lrr names one for each program")
      ->type_name("POLICY");
  add_cta_scheduler_option(*verb, *options);
  add_share_option(*verb, *options);
  verb->add_option("--shares", options->shares,
                   "share policies to compare, or all; instead of --share")
      ->type_name("SHARE_POLICY,...")
      ->excludes("--share");
  verb->add_flag(
      "--once", options->once,
      "run each program once; by default one that ends begins anew until each has ended");
  verb->add_flag("--sample", options->sample,
                 "time waves of CTAs that stand for the others, and estimate the co-run");
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->add_option("-o,--out", options->out, "folder for run.json")->type_name("DIR");
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_option("--svg", options->svg, "draw the programs' progress: FILE.svg, .pdf or .png")
      ->type_name("FILE");
  verb->add_flag("--explain", options->explain, "print which resource limits which program");
  verb->add_flag("-q,--quiet", options->quiet, "no progress");
  verb->footer(
      "Each program runs alone first, under the same policies. A program is a capture, or a "
      "program with\n"
      "its arguments, which is captured first.");
  verb->callback([verb, options, &action] {
    action = [verb, options] { return run_and_report(request_of(*verb, *options), *options); };
  });
}

}  // namespace heddle::cli
