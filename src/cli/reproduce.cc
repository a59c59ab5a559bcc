// heddle reproduce
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "base/diagnostics.h"
#include "cli/reproduce_survey.h"
#include "cli/run_once.h"
#include "cli/sweep_progress.h"
#include "cli/verbs.h"
#include "lab/installation.h"
#include "lab/originals/manifest.h"
#include "lab/process.h"
#include "lab/reproduction/measures.h"
#include "lab/reproduction/needed_runs.h"
#include "lab/reproduction/survey.h"
#include "lab/store/clock.h"
#include "lab/sweep.h"
#include "report/reproduction_page.h"
#include "report/store_report.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  lab::SweepOptions sweep;
  std::string paper, size, experiments, out = "reproductions";
  std::vector<std::string> figures;
  std::vector<lab::Original> originals;  // run in place of Heddle's programs
  bool quiet = false, list = false, from_store = false;
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

// "16 (a)" is a part of "16".
bool is_part_of(const std::string& figure, const std::string& number) {
  return figure == number || figure.starts_with(number + " (");
}

std::vector<lab::Figure> chosen_figures(const lab::Paper& paper,
                                        const std::vector<std::string>& numbers) {
  if (numbers.empty()) return paper.figures;
  std::vector<lab::Figure> chosen;
  for (const std::string& number : numbers) {
    const std::size_t before = chosen.size();
    for (const lab::Figure& figure : paper.figures)
      if (is_part_of(figure.number, number)) chosen.push_back(figure);
    if (chosen.size() > before) continue;
    std::string all;
    for (const lab::Figure& figure : paper.figures)
      all += (all.empty() ? "" : ", ") + figure.number;
    throw UserError("paper " + paper.name + " has no figure " + number + "; figures: " + all);
  }
  return chosen;
}

// A study of the paper, with original programs where they are wanted.
lab::Study study_of(const lab::Paper& paper, const std::string& name,
                    const ReproduceOptions& options) {
  lab::Study study = lab::paper_study(paper, name, options.size);
  if (!options.originals.empty()) lab::use_originals(study, options.originals, options.size);
  return study;
}

// "Originals: PATH is rodinia/pathfinder, ... Heddle's own programs: LPS, ..."
std::string originals_sentence(const lab::Paper& paper, const std::vector<lab::Figure>& figures,
                               const ReproduceOptions& options) {
  std::map<std::string, std::string> originals;
  for (const lab::Figure& figure : figures)
    for (const std::string& name : lab::studies_of(figure)) {
      lab::Study study = lab::paper_study(paper, name, options.size);
      for (const lab::Substitution& one :
           lab::use_originals(study, options.originals, options.size))
        originals.emplace(one.workload, one.original);
    }
  std::string used, ours;
  for (const auto& [workload, original] : originals)
    if (original.empty())
      ours += (ours.empty() ? "" : ", ") + workload;
    else
      used += (used.empty() ? "" : ", ") + fmt::format("{} is {}", workload, original);
  return fmt::format("Original programs: {}. Programs of Heddle: {}.", used.empty() ? "none" : used,
                     ours.empty() ? "none" : ours);
}

// The signal that ended it early; 0: all studies are complete.
int run_studies(const lab::Paper& paper, const std::vector<lab::Figure>& figures,
                const ReproduceOptions& options) {
  std::set<std::string> done;
  std::vector<std::string> studies;
  for (const lab::Figure& figure : figures)
    for (const std::string& name : lab::studies_of(figure))
      if (done.insert(name).second) studies.push_back(name);
  for (const std::string& name : studies) {
    const lab::Study study = study_of(paper, name, options);
    const lab::NeededRuns needed(study, name, figures);
    lab::SweepOptions sweep = options.sweep;
    sweep.wanted = [&](const lab::StudyCase& one, const std::string& row) {
      return needed.contains(one.workload, row);
    };
    SweepProgressOutput output(options.quiet);
    const lab::SweepResult result = lab::run_sweep(study, sweep, output.listener());
    output.clear();
    if (result.interrupted) return result.interrupted;
    if (!options.quiet)
      std::cerr << fmt::format("heddle: {}: {} runs, {} were in {}\n", study.name, result.runs,
                               result.kept, options.sweep.store);
    for (std::size_t i = 0; i < study.cases.size(); ++i)
      for (const auto& [row, problem] : result.cases[i].problems)
        std::cerr << fmt::format("heddle: {} under {}: {}\n", study.cases[i].name, row, problem);
  }
  return 0;
}

// "The 74 runs took 3 h 10 min of processor time."
std::string time_sentence(const std::vector<lab::FigureResult>& results,
                          const lab::ResultsStore& store, const lab::StoredName& stored_name) {
  std::set<std::string> studies;
  for (const lab::FigureResult& result : results)
    for (const std::string& name : lab::studies_of(result.figure))
      studies.insert(stored_name(name));
  std::set<std::int64_t> runs;
  double seconds = 0;
  for (const std::string& name : studies) {
    if (!store.has_study(name)) continue;
    for (const lab::StoredCaseRun& one : store.case_runs(store.study(name).id)) {
      if (!one.run_id || !runs.insert(*one.run_id).second) continue;
      if (const auto run = store.run(*one.run_id)) seconds += run->record.user_seconds;
    }
  }
  return fmt::format("The {} runs took {} of processor time.", runs.size(),
                     report::duration_text(seconds));
}

// The files of the papers give reasons that were found with small inputs.
void name_inputs_of_reasons(std::vector<lab::Figure>& figures) {
  for (lab::Figure& figure : figures)
    for (lab::Claim& claim : figure.claims)
      if (!claim.reason.empty()) claim.reason = "With small inputs: " + claim.reason;
}

[[noreturn]] void throw_unknown_paper(const ReproduceOptions& options,
                                      std::vector<std::string> papers) {
  for (const std::string& survey : lab::list_surveys(options.experiments)) papers.push_back(survey);
  throw UserError(
      fmt::format("there is no paper \"{}\"; papers: {}", options.paper, fmt::join(papers, ", ")));
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
  if (const fs::path folder = fs::path(options.experiments) / options.paper;
      lab::is_survey(folder.string())) {
    if (!options.figures.empty()) throw UserError(options.paper + " has no figures");
    return reproduce_survey({options.sweep, folder.string(), options.size, options.out,
                             options.quiet, options.from_store});
  }
  if (options.size.empty()) options.size = "small";
  if (options.size == "tiny") throw UserError("papers have the sizes small and paper");
  const std::vector<std::string> papers = lab::list_papers(options.experiments);
  if (std::find(papers.begin(), papers.end(), options.paper) == papers.end())
    throw_unknown_paper(options, papers);
  const lab::Paper paper =
      lab::read_paper((fs::path(options.experiments) / options.paper).string());
  std::vector<lab::Figure> figures = chosen_figures(paper, options.figures);
  if (options.size != "small") name_inputs_of_reasons(figures);
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (failed) throw UserError("cannot create the folder " + options.out + ": " + failed.message());
  if (options.sweep.store.empty())
    options.sweep.store = (fs::path(options.out) / (paper.name + ".sqlite")).string();

  if (const int signal = options.from_store ? 0 : run_studies(paper, figures, options)) {
    std::cerr << "heddle: error: interrupted; the same command resumes\n";
    return kKilledBySignal + signal;
  }
  const lab::ResultsStore store(options.sweep.store);
  const auto stored_name = [&](const std::string& study) {
    return study_of(paper, study, options).name;
  };
  std::vector<lab::FigureResult> results;
  std::string without_runs;  // numbers of figures
  for (const lab::Figure& figure : figures) {
    lab::FigureResult result = lab::measure_figure(figure, store, stored_name);
    if (options.from_store && !result.is_measured())
      without_runs += (without_runs.empty() ? "" : ", ") + figure.number;
    else
      results.push_back(std::move(result));
  }
  if (results.empty())
    throw UserError(
        fmt::format("store {}: it has no run of figure {}", options.sweep.store, without_runs));
  std::string provenance = fmt::format(
      "Made by `heddle reproduce {0}{1}` with Heddle {2} on {3}.\nOne figure: "
      "`heddle reproduce {0} --figure {4}`.\n",
      paper.name, options.size == "small" ? "" : " --size " + options.size, HEDDLE_VERSION,
      lab::utc_now().substr(0, 10), results.front().figure.number);
  provenance += report::folded(time_sentence(results, store, stored_name), kPlainWidth);
  if (!without_runs.empty())
    provenance += report::folded("Figures that were not run: " + without_runs + ".", kPlainWidth);
  if (!options.originals.empty())
    provenance += report::folded(originals_sentence(paper, figures, options), kPlainWidth);
  const report::ReproductionPage page = report::reproduction_page(paper, results, provenance);
  for (const auto& [name, svg] : page.pictures)
    lab::write_file_atomically((fs::path(options.out) / name).string(), svg);
  const std::string file = (fs::path(options.out) / (paper.name + ".md")).string();
  lab::write_file_atomically(file, page.markdown);
  const std::string html = (fs::path(options.out) / (paper.name + ".html")).string();
  lab::write_file_atomically(
      html, report::html_of(report::reproduction_document(paper, results, provenance)));
  std::cout << paper.title << " (" << paper.source << ")\n\n"
            << report::claims_text(results, report::terminal_width(STDOUT_FILENO, kPlainWidth))
            << "\n"
            << report::claims_sentence(lab::count_claims(results)) << "\n"
            << "pages: " << file << ", " << html << "\n";
  return 0;
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
  verb->add_option("--size", options->size,
                   "inputs: small (the default), or those of the paper; of all: tiny or small, "
                   "by default both")
      ->check(CLI::IsMember({"tiny", "small", "paper"}));
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
      "for every claim.\n\n"
      "  heddle reproduce --list\n"
      "  heddle reproduce ipaws --figure 11\n"
      "  heddle reproduce all --size tiny\n"
      "  heddle reproduce daws --size paper");
  verb->callback([options, verb, &action] {
    if (options->paper.empty() && !options->list) throw CLI::RequiredError("PAPER, or --list,");
    action = [options] { return reproduce(*options); };
  });
}

}  // namespace heddle::cli
