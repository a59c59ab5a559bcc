#include "lab/reproduction/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/diagnostics.h"
#include "lab/reproduction/needed_runs.h"

namespace heddle::lab {
namespace {

bool is_or_is_part_of(const std::string& figure, const std::string& number) {
  return figure == number || figure.starts_with(number + " (");
}

std::vector<Figure> chosen_figures(const Paper& paper, const std::vector<std::string>& numbers) {
  if (numbers.empty()) return paper.figures;
  std::vector<Figure> chosen;
  for (const std::string& number : numbers) {
    const std::size_t before = chosen.size();
    for (const Figure& figure : paper.figures)
      if (is_or_is_part_of(figure.number, number)) chosen.push_back(figure);
    if (chosen.size() > before) continue;
    std::string all;
    for (const Figure& figure : paper.figures) all += (all.empty() ? "" : ", ") + figure.number;
    throw UserError("paper " + paper.name + " has no figure " + number + "; figures: " + all);
  }
  return chosen;
}

// Details and what is counted until the first warp ends are not estimated.
void sample(Study& study) {
  study.name += "-sampled";
  for (StudyCase& one : study.cases)
    one.sample = !one.run.watch.details && !one.run.watch.first_warp;
}

}  // namespace

Reproduction::Reproduction(Paper paper, const std::vector<std::string>& figures, PaperRuns runs,
                           std::vector<Original> originals, const std::string& reading)
    : paper_(std::move(paper)),
      figures_(chosen_figures(paper_, figures)),
      runs_(std::move(runs)),
      originals_(std::move(originals)),
      reading_(paper_.parameters, reading) {
  if (!reading_.is_default()) {
    std::erase_if(figures_, [](const Figure& figure) { return figure.claims.empty(); });
    for (Figure& figure : figures_) {
      reading_.apply_to(figure.measure);
      for (Claim& claim : figure.claims) {
        reading_.apply_to(claim.measure);
        claim.readings.clear();
      }
    }
  }
  if (runs_.size == "small") return;
  // The files of the papers give reasons that were found with small inputs.
  for (Figure& figure : figures_)
    for (Claim& claim : figure.claims)
      if (!claim.reason.empty()) claim.reason = "With small inputs: " + claim.reason;
}

Study Reproduction::study(const std::string& name) const {
  Study study = paper_study(paper_, name, runs_.size);
  if (!originals_.empty()) use_originals(study, originals_, runs_.size);
  reading_.apply_to(study, runs_.size != "small");
  if (runs_.sample) sample(study);
  return study;
}

std::vector<std::string> Reproduction::studies() const {
  std::vector<std::string> names;
  for (const Figure& figure : figures_)
    for (const std::string& name : studies_of(figure))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

int Reproduction::run(const SweepOptions& options, const RunStudy& run_study) const {
  for (const std::string& name : studies()) {
    const Study wanted = study(name);
    const NeededRuns needed(wanted, name, figures_);
    SweepOptions sweep = options;
    sweep.wanted = [&](const StudyCase& one, const std::string& row) {
      return needed.contains(one.workload, row);
    };
    if (const int signal = run_study(wanted, sweep).interrupted) return signal;
  }
  return 0;
}

std::vector<FigureResult> Reproduction::measure(const ResultsStore& store) const {
  std::vector<FigureResult> results;
  for (const Figure& figure : figures_)
    results.push_back(measure_figure(
        figure, store, [this](const std::string& name) { return stored_name(name); }));
  return results;
}

std::vector<Substitution> Reproduction::programs() const {
  if (originals_.empty()) return {};
  std::map<std::string, std::string> originals;
  for (const std::string& name : studies()) {
    Study study = paper_study(paper_, name, runs_.size);
    for (const Substitution& one : use_originals(study, originals_, runs_.size))
      originals.emplace(one.workload, one.original);
  }
  std::vector<Substitution> programs;
  for (const auto& [workload, original] : originals) programs.push_back({workload, original});
  return programs;
}

Reproduction::Cost Reproduction::cost(const std::vector<FigureResult>& results,
                                      const ResultsStore& store) const {
  std::set<std::string> names;
  for (const FigureResult& result : results)
    for (const std::string& name : studies_of(result.figure)) names.insert(stored_name(name));
  std::set<std::int64_t> counted;
  Cost cost;
  for (const std::string& name : names) {
    if (!store.has_study(name)) continue;
    for (const StoredCaseRun& one : store.case_runs(store.study(name).id)) {
      if (!one.run_id || !counted.insert(*one.run_id).second) continue;
      if (const auto run = store.run(*one.run_id)) cost.user_seconds += run->record.user_seconds;
    }
  }
  cost.runs = counted.size();
  return cost;
}

}  // namespace heddle::lab
