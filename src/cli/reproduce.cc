// heddle reproduce
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/run_once.h"
#include "cli/sweep_progress.h"
#include "cli/verbs.h"
#include "lab/installation.h"
#include "lab/originals/manifest.h"
#include "lab/reproduction/protocol.h"
#include "lab/reproduction/reproduction.h"
#include "lab/reproduction/survey.h"
#include "lab/store/clock.h"
#include "lab/sweep.h"
#include "report/document.h"
#include "report/reproduction_document.h"
#include "report/survey_page.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  lab::SweepOptions sweep;
  std::string paper, size, experiments, out = "reproductions";
  std::vector<std::string> figures, readings;
  std::vector<lab::Original> originals;  // run in place of Heddle's programs
  bool quiet = false, list = false, from_store = false, sample = false;
};

int list_papers(const std::string& experiments) {
  report::TextTable table({{"paper"}, {"figures"}, {"title"}});
  for (const std::string& name : lab::list_papers(experiments)) {
    const lab::Paper paper = lab::read_paper((fs::path(experiments) / name).string());
    std::string numbers;
    for (const lab::Figure& figure : paper.figures)
      numbers += (numbers.empty() ? "" : ", ") + figure.number;
    table.add_row({name, numbers, paper.title});
  }
  for (const std::string& name : lab::list_surveys(experiments)) {
    const lab::Survey survey = lab::read_survey((fs::path(experiments) / name).string());
    std::string sizes;
    for (const lab::SurveyPart& part : survey.parts)
      sizes += (sizes.empty() ? "" : ", ") + part.size;
    table.add_row({name, sizes + " inputs", survey.title});
  }
  std::cout << table.text();
  return 0;
}

// The sweep of a reproduction in the folder `out`, which is created.
lab::SweepOptions sweep_into(const std::string& out, const std::string& name,
                             lab::SweepOptions sweep) {
  std::error_code failed;
  fs::create_directories(out, failed);
  if (failed) throw UserError("cannot create the folder " + out + ": " + failed.message());
  if (sweep.store.empty()) sweep.store = (fs::path(out) / (name + ".sqlite")).string();
  return sweep;
}

// Writes the document as Markdown with its pictures, and as HTML. Returns a line that names both.
std::string write_pages(const report::Document& document, const std::string& out,
                        const std::string& name) {
  const report::MarkdownPage page = report::markdown_of(document);
  for (const auto& [picture, svg] : page.pictures)
    lab::write_file_atomically((fs::path(out) / picture).string(), svg);
  const std::string markdown = (fs::path(out) / (name + ".md")).string(),
                    html = (fs::path(out) / (name + ".html")).string();
  lab::write_file_atomically(markdown, page.markdown);
  lab::write_file_atomically(html, report::html_of(document));
  return "pages: " + markdown + ", " + html + "\n";
}

// Runs a study with progress on the terminal.
lab::SweepResult run_study(const lab::Study& study, const lab::SweepOptions& options, bool quiet) {
  SweepProgressOutput output(quiet);
  lab::SweepResult result = lab::run_sweep(study, options, output.listener());
  output.clear();
  if (result.interrupted) return result;
  if (!quiet)
    std::cerr << fmt::format("heddle: {}: {} runs, {} were in {}\n", study.name, result.runs,
                             result.kept, options.store);
  for (std::size_t i = 0; i < study.cases.size(); ++i)
    for (const auto& [row, problem] : result.cases[i].problems)
      std::cerr << fmt::format("heddle: {} under {}: {}\n", study.cases[i].name, row, problem);
  return result;
}

lab::Paper paper_of(const ReproduceOptions& options) {
  std::vector<std::string> papers = lab::list_papers(options.experiments);
  if (std::find(papers.begin(), papers.end(), options.paper) != papers.end())
    return lab::read_paper((fs::path(options.experiments) / options.paper).string());
  for (const std::string& survey : lab::list_surveys(options.experiments)) papers.push_back(survey);
  throw UserError(
      fmt::format("there is no paper \"{}\"; papers: {}", options.paper, fmt::join(papers, ", ")));
}

int interrupted(int signal) {
  std::cerr << "heddle: error: interrupted; the same command resumes\n";
  return kKilledBySignal + signal;
}

lab::Reproduction reproduction_of(const ReproduceOptions& options, const std::string& reading) {
  return {paper_of(options), options.figures,
          lab::PaperRuns{options.size.empty() ? "small" : options.size, options.sample},
          options.originals, reading};
}

// The readings that are run, the default (an empty name) first unless one other is asked for.
std::vector<std::string> wanted_readings(const ReproduceOptions& options, const lab::Paper& paper) {
  if (options.readings.empty()) return {""};
  if (options.readings != std::vector<std::string>{"all"}) return options.readings;
  std::vector<std::string> names{""};
  for (const lab::OpenParameter& parameter : paper.parameters)
    for (const lab::ReadingValue& value : parameter.values) names.push_back(value.name);
  return names;
}

// The protocol of readings, of a whole list in the default reading.
std::optional<lab::ProtocolResult> protocol_of(const ReproduceOptions& options,
                                               const lab::Paper& paper,
                                               const std::vector<lab::FigureResult>& results,
                                               const lab::ResultsStore& store) {
  if (!options.figures.empty() || paper.parameters.empty()) return {};
  return lab::follow_protocol(paper, results, [&](const std::string& reading) {
    return reproduction_of(options, reading).measure(store);
  });
}

int reproduce_paper(const ReproduceOptions& options) {
  if (options.size == "tiny") throw UserError("papers have the sizes small and paper");
  const std::vector<std::string> readings = wanted_readings(options, paper_of(options));
  // The page is that of the only reading, or of the default beside the others.
  const std::string shown = readings.size() == 1 ? readings.front() : "";
  const lab::Reproduction reproduction = reproduction_of(options, shown);
  const lab::Paper& paper = reproduction.paper();
  const lab::SweepOptions sweep = sweep_into(options.out, paper.name, options.sweep);
  for (const std::string& reading : readings) {
    if (options.from_store) break;
    if (const int signal = reproduction_of(options, reading)
                               .run(sweep, [&](const auto& study, const auto& wanted) {
                                 return run_study(study, wanted, options.quiet);
                               }))
      return interrupted(signal);
  }
  const lab::ResultsStore store(sweep.store);
  const std::vector<lab::FigureResult> all = reproduction.measure(store);
  std::vector<lab::FigureResult> results = all;
  report::Provenance origin{
      .how = reproduction.runs(), .reading = shown, .date = lab::utc_now().substr(0, 10)};
  if (options.from_store)
    std::erase_if(results, [&](const lab::FigureResult& result) {
      if (!result.is_measured()) origin.without_runs.push_back(result.figure.number);
      return !result.is_measured();
    });
  if (results.empty())
    throw UserError(fmt::format("store {}: it has no run of figure {}", sweep.store,
                                fmt::join(origin.without_runs, ", ")));
  const lab::Reproduction::Cost cost = reproduction.cost(results, store);
  origin.a_figure = results.front().figure.number;
  origin.runs = cost.runs;
  origin.user_seconds = cost.user_seconds;
  origin.programs = reproduction.programs();
  const auto protocol = shown.empty() ? protocol_of(options, paper, all, store) : std::nullopt;
  const std::string name = paper.name + (shown.empty() ? "" : "-" + shown);
  const std::string pages = write_pages(
      report::reproduction_document(paper, results, origin, protocol), options.out, name);
  if (protocol)
    lab::write_file_atomically((fs::path(options.out) / (name + ".csv")).string(),
                               report::claims_csv(paper, all, *protocol));
  std::cout << paper.title << " (" << paper.source << ")\n\n"
            << report::claims_text(results, terminal_width(STDOUT_FILENO, kPlainWidth)) << "\n"
            << report::claims_sentence(lab::count_claims(results)) << "\n"
            << report::sentences_sentence(lab::count_sentences(results)) << "\n"
            << pages;
  return 0;
}

int reproduce_survey(const ReproduceOptions& options, const std::string& folder) {
  if (!options.figures.empty()) throw UserError(options.paper + " has no figures");
  if (!options.readings.empty()) throw UserError(options.paper + " has no readings");
  if (options.sample) throw UserError(options.paper + " is not sampled: omit --sample");
  const lab::Survey survey = lab::read_survey(folder);
  const std::vector<lab::SurveyPart> parts = lab::parts_of(survey, options.size);
  const lab::SweepOptions sweep = sweep_into(options.out, survey.name, options.sweep);
  for (const lab::SurveyPart& part : parts) {
    if (options.from_store) break;
    if (const int signal =
            run_study(lab::part_study(survey, part), sweep, options.quiet).interrupted)
      return interrupted(signal);
  }
  const lab::ResultsStore store(sweep.store);
  std::vector<lab::PartResult> results;
  for (const lab::SurveyPart& part : parts)
    results.push_back(lab::measure_part(survey, part, store));
  const std::string provenance =
      fmt::format("Made by `heddle reproduce {}{}` with Heddle {} on {}.", survey.name,
                  options.size.empty() ? "" : " --size " + options.size, HEDDLE_VERSION,
                  lab::utc_now().substr(0, 10));
  const std::string pages =
      write_pages(report::survey_document(survey, results, provenance), options.out, survey.name);
  std::cout << survey.title << "\n";
  for (const lab::PartResult& one : results)
    std::cout << "\n"
              << one.part.size << " inputs:\n"
              << report::survey_text(one, terminal_width(STDOUT_FILENO, kPlainWidth));
  std::cout << "\n" << pages;
  return 0;
}

int reproduce(ReproduceOptions options) {
  if (options.experiments.empty()) options.experiments = lab::experiments_folder();
  if (options.list) return list_papers(options.experiments);
  if (lab::has_originals(options.sweep.programs)) {
    options.originals = lab::read_originals(options.sweep.programs);
    options.sweep.programs.clear();
  }
  if (options.sweep.programs.empty()) options.sweep.programs = lab::programs_folder();
  options.sweep.programs = fs::absolute(options.sweep.programs).lexically_normal().string();
  const std::string folder = (fs::path(options.experiments) / options.paper).string();
  return lab::is_survey(folder) ? reproduce_survey(options, folder) : reproduce_paper(options);
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "reproduce", "run the figures of a paper, and show published beside measured values");
  auto options = std::make_shared<ReproduceOptions>();
  verb->add_option("PAPER", options->paper, "a folder of the experiments: ipaws, daws, ..., or all")
      ->type_name("PAPER");
  verb->add_flag("--list", options->list, "list papers and figures");
  verb->add_option("--figure", options->figures, "only this figure or table; may be repeated")
      ->type_name("NUMBER")
      ->allow_extra_args(false);
  verb->add_option("--reading", options->readings,
                   "a registered reading of what the paper does not fix, for the whole list, or "
                   "several joined by +; all: each of them and the default")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb->add_option("--size", options->size,
                   "inputs: small (the default), or those of the paper; of all: tiny or small, "
                   "by default both")
      ->check(CLI::IsMember({"tiny", "small", "paper"}));
  verb->add_flag("--sample", options->sample,
                 "sample the runs: the page has estimates (docs/sampling.md#in-studies)");
  verb->add_option("-o,--out", options->out, "folder of the page and its pictures")
      ->type_name("DIR")
      ->capture_default_str();
  verb->add_option("--store", options->sweep.store,
                   "results store; by default in --out, named after the paper")
      ->type_name("FILE");
  verb->add_option("--experiments", options->experiments,
                   "folder of the papers; by default Heddle's own")
      ->type_name("DIR");
  verb->add_option("--programs", options->sweep.programs,
                   "folder of the programs, or of originals that heddle suite build built; by "
                   "default the programs that were built with Heddle")
      ->type_name("DIR");
  verb->add_option("-j,--jobs", options->sweep.jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->add_flag(
      "--from-store", options->from_store,
      "run nothing: make the pages from the runs that the store has, without the figures "
      "that have none");
  verb->add_flag("-q,--quiet", options->quiet, "no progress");
  verb->footer(
      "Results are kept in the store: an interrupted reproduction resumes. The page has a verdict "
      "for every claim.");
  verb->callback([options, verb, &action] {
    if (options->paper.empty() && !options->list) throw CLI::RequiredError("PAPER, or --list,");
    action = [options] { return reproduce(*options); };
  });
}

}  // namespace heddle::cli
