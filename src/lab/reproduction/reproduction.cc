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

bool reads_first_warp(const Measure& measure) {
  return (measure.statistic + measure.over_statistic).find("first_warp.") != std::string::npos;
}
bool reads_first_warp(const Claim& claim) {
  return reads_first_warp(claim.measure) ||
         std::any_of(claim.readings.begin(), claim.readings.end(),
                     [](const Reading& one) { return reads_first_warp(one.measure); });
}
bool reads_first_warp(const Figure& figure) {
  return reads_first_warp(figure.measure) ||
         std::any_of(figure.claims.begin(), figure.claims.end(),
                     [](const Claim& one) { return reads_first_warp(one); });
}

// Details and what is counted until the first warp ends are not estimated. The latter is only
// counted for a figure that reads it.
void sample(Study& study, bool first_warp) {
  for (StudyCase& one : study.cases) {
    one.run.watch.first_warp &= first_warp;
    one.sample = !one.run.watch.details && !one.run.watch.first_warp;
  }
  if (std::any_of(study.cases.begin(), study.cases.end(),
                  [](const StudyCase& one) { return one.sample; }))
    study.name += "-sampled";
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

Study Reproduction::study(const std::string& name, const Figure& figure) const {
  Study study = paper_study(paper_, name, runs_.size);
  if (!originals_.empty()) use_originals(study, originals_, runs_.size);
  reading_.apply_to(study, runs_.size != "small");
  if (runs_.sample) sample(study, reads_first_warp(figure));
  return study;
}

std::vector<Reproduction::Wanted> Reproduction::studies() const {
  std::vector<Wanted> all;
  for (const Figure& figure : figures_)
    for (const std::string& name : studies_of(figure)) {
      Study wanted = study(name, figure);
      const auto same = std::find_if(
          all.begin(), all.end(), [&](const Wanted& one) { return one.study.name == wanted.name; });
      if (same != all.end())
        same->figures.push_back(figure);
      else
        all.push_back({name, std::move(wanted), {figure}});
    }
  return all;
}

int Reproduction::run(const SweepOptions& options, const RunStudy& run_study) const {
  for (const auto& [name, wanted, figures] : studies()) {
    const NeededRuns needed(wanted, name, figures);
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
        figure, store, [&](const std::string& name) { return study(name, figure).name; }));
  return results;
}

std::vector<Substitution> Reproduction::programs() const {
  if (originals_.empty()) return {};
  std::map<std::string, std::string> originals;
  for (const Wanted& wanted : studies()) {
    Study study = paper_study(paper_, wanted.name, runs_.size);
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
    for (const std::string& name : studies_of(result.figure))
      names.insert(study(name, result.figure).name);
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
