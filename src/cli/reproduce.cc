// heddle reproduce
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "base/diagnostics.h"
#include "cli/run_once.h"
#include "cli/sweep_progress.h"
#include "cli/verbs.h"
#include "lab/installation.h"
#include "lab/process.h"
#include "lab/reproduction/measures.h"
#include "lab/store/clock.h"
#include "lab/sweep.h"
#include "report/reproduction_page.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  lab::SweepOptions sweep;
  std::string paper, size = "small", experiments, out = "reproductions";
  std::vector<std::string> figures;
  bool quiet = false, list = false;
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
  std::cout << table.text();
  return 0;
}

std::vector<lab::Figure> chosen_figures(const lab::Paper& paper,
                                        const std::vector<std::string>& numbers) {
  if (numbers.empty()) return paper.figures;
  std::vector<lab::Figure> chosen;
  for (const std::string& number : numbers) {
    const auto found = std::find_if(paper.figures.begin(), paper.figures.end(),
                                    [&](const lab::Figure& f) { return f.number == number; });
    if (found == paper.figures.end()) {
      std::string all;
      for (const lab::Figure& figure : paper.figures) all += " " + figure.number;
      throw UserError("paper " + paper.name + " has no figure " + number + "; figures:" + all);
    }
    chosen.push_back(*found);
  }
  return chosen;
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
    const lab::Study study = lab::paper_study(paper, name, options.size);
    SweepProgressOutput output(options.quiet);
    const lab::SweepResult result = lab::run_sweep(study, options.sweep, output.listener());
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

int reproduce(ReproduceOptions options) {
  if (options.experiments.empty()) options.experiments = lab::experiments_folder();
  if (options.list) return list_papers(options.experiments);
  const std::vector<std::string> papers = lab::list_papers(options.experiments);
  if (std::find(papers.begin(), papers.end(), options.paper) == papers.end())
    throw UserError(fmt::format("there is no paper \"{}\"; papers: {}", options.paper,
                                fmt::join(papers, ", ")));
  const lab::Paper paper =
      lab::read_paper((fs::path(options.experiments) / options.paper).string());
  const std::vector<lab::Figure> figures = chosen_figures(paper, options.figures);
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (failed) throw UserError("cannot create the folder " + options.out + ": " + failed.message());
  if (options.sweep.store.empty())
    options.sweep.store = (fs::path(options.out) / (paper.name + ".sqlite")).string();
  if (options.sweep.programs.empty()) options.sweep.programs = lab::programs_folder();
  options.sweep.programs = fs::absolute(options.sweep.programs).lexically_normal().string();

  if (const int signal = run_studies(paper, figures, options)) {
    std::cerr << "heddle: error: interrupted; the same command resumes\n";
    return kKilledBySignal + signal;
  }
  const lab::ResultsStore store(options.sweep.store);
  std::vector<lab::FigureResult> results;
  for (const lab::Figure& figure : figures)
    results.push_back(lab::measure_figure(figure, store, [&](const std::string& study) {
      return lab::paper_study(paper, study, options.size).name;
    }));
  const std::string provenance =
      fmt::format("Made by `heddle reproduce {}{}` with Heddle {} on {}.\n", paper.name,
                  options.size == "small" ? "" : " --size " + options.size, HEDDLE_VERSION,
                  lab::utc_now().substr(0, 10));
  const report::ReproductionPage page = report::reproduction_page(paper, results, provenance);
  for (const auto& [name, svg] : page.pictures)
    lab::write_file_atomically((fs::path(options.out) / name).string(), svg);
  const std::string file = (fs::path(options.out) / (paper.name + ".md")).string();
  lab::write_file_atomically(file, page.markdown);
  std::cout << paper.title << " (" << paper.source << ")\n\n"
            << report::claims_text(results, report::terminal_width(STDOUT_FILENO, kPlainWidth))
            << "\n"
            << report::claims_sentence(lab::count_claims(results)) << "\n"
            << "page: " << file << "\n";
  return 0;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "reproduce", "run the figures of a paper, and show published beside measured values");
  auto options = std::make_shared<ReproduceOptions>();
  verb->add_option("PAPER", options->paper, "a folder of the experiments: ipaws, daws, ...")
      ->type_name("PAPER");
  verb->add_flag("--list", options->list, "list papers and figures");
  verb->add_option("--figure", options->figures, "only this figure or table; may be repeated")
      ->type_name("NUMBER")
      ->allow_extra_args(false);
  verb->add_option("--size", options->size, "inputs: small, or those of the paper")
      ->check(CLI::IsMember({"small", "paper"}))
      ->capture_default_str();
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
                   "folder of the programs; by default those that were built with Heddle")
      ->type_name("DIR");
  verb->add_option("-j,--jobs", options->sweep.jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->add_flag("-q,--quiet", options->quiet, "no progress");
  verb->footer(
      "Results are kept in the store: an interrupted reproduction resumes. The page has a verdict "
      "for every claim.\n\n"
      "  heddle reproduce --list\n"
      "  heddle reproduce ipaws --figure 11\n"
      "  heddle reproduce daws --size paper");
  verb->callback([options, verb, &action] {
    if (options->paper.empty() && !options->list) throw CLI::RequiredError("PAPER, or --list,");
    action = [options] { return reproduce(*options); };
  });
}

}  // namespace heddle::cli
